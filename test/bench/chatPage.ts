import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, type CDPSession, chromium, type Page } from "@playwright/test";
import { build } from "esbuild";
import aliases from "../../media/aliases.json" with { type: "json" };
import { browserFlags, ensureBrowser } from "../host/browser.ts";
import { startHarness } from "../webview/harness.ts";
import { emptyChat } from "../webview/states.ts";

/** Runs something with a browser and the address of the chat view, built as it is shipped. */
export async function withChatPage(
	use: (browser: Browser, url: string) => Promise<void>,
): Promise<void> {
	const folder = await mkdtemp(join(tmpdir(), "cutaway-bench-"));
	await bundlePage(folder, "media/chat/main.ts");
	const harness = await startHarness(folder);
	const browser = await chromium.launch({
		executablePath: ensureBrowser(),
		args: [...browserFlags],
	});
	try {
		await use(browser, harness.urlOf("dark"));
	} finally {
		await browser.close();
		await harness.close();
		await rm(folder, { recursive: true, force: true });
	}
}

/** Builds a page with this script and the chat view's styles, as what is shipped is built. */
export async function bundlePage(folder: string, script: string): Promise<void> {
	await build({
		entryPoints: [
			{ in: script, out: "chat" },
			{ in: "media/chat/chat.css", out: "chat" },
		],
		absWorkingDir: join(import.meta.dirname, "..", ".."),
		outdir: folder,
		bundle: true,
		minify: true,
		format: "esm",
		splitting: true,
		target: "es2022",
		alias: aliases,
		external: ["*.woff2"],
		logLevel: "error",
	});
}

/** Opens the chat view with nothing in it. */
export async function openPage(browser: Browser, url: string): Promise<Page> {
	const page = await browser.newPage({ viewport: { width: 420, height: 800 } });
	await page.goto(url);
	await page.evaluate(state => {
		window.harness.state = state;
	}, emptyChat);
	await page.getByRole("textbox", { name: "Message", exact: true }).waitFor();
	return page;
}

/** What is alive in a page after a collection: megabytes of script heap, and nodes. */
export async function aliveOn(
	page: Page,
	devtools: CDPSession,
): Promise<{ heap: number; nodes: number }> {
	await page.evaluate(() => new Promise(resolve => setTimeout(resolve, 500)));
	await devtools.send("HeapProfiler.collectGarbage");
	const { metrics } = await devtools.send("Performance.getMetrics");
	const of = (wanted: string): number => metrics.find(({ name }) => name === wanted)?.value ?? 0;
	return { heap: of("JSHeapUsedSize") / 1024 / 1024, nodes: of("Nodes") };
}
