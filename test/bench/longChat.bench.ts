/** What a chat of 2,000 messages costs in a real browser, beside all of it on the page at once in the same run. */
import { mkdtemp, rm } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, type CDPSession, chromium, type Page } from "@playwright/test";
import { build } from "esbuild";
import type { ChatViewState } from "../../src/protocol/chat.ts";
import aliases from "../../media/aliases.json" with { type: "json" };
import { browserFlags, ensureBrowser } from "../host/browser.ts";
import { startHarness } from "../webview/harness.ts";
import { emptyChat, messageOf, streaming, turnOf } from "../webview/states.ts";

const rounds = 3;
const turnCount = 1000;

/** Prints the figures. */
export async function run(): Promise<void> {
	const folder = await mkdtemp(join(tmpdir(), "cutaway-bench-"));
	await bundlePage(folder);
	const harness = await startHarness(folder);
	const browser = await chromium.launch({
		executablePath: ensureBrowser(),
		args: [...browserFlags],
	});
	try {
		print(`load average ${loadavg()[0]?.toFixed(1)}; medians of ${rounds}; a frame is 16.7 ms`);
		await printTimes(browser, harness.urlOf("dark"));
		await printMemory(browser, harness.urlOf("dark"));
	} finally {
		await browser.close();
		await harness.close();
		await rm(folder, { recursive: true, force: true });
	}
}

async function bundlePage(folder: string): Promise<void> {
	await build({
		entryPoints: [
			{ in: "media/chat/main.ts", out: "chat" },
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

/** Messages of about 1.7 KB with code, as in the measurements the targets come from. */
function chatOf(turns: number): ChatViewState {
	return {
		...emptyChat,
		chatId: "bench",
		turns: Array.from({ length: turns }, (_, index) => {
			const code = `const value${index} = await compute(${index}); // words\n`.repeat(12);
			const text = `## Answer ${index}\n\n${"Some words of **it**, and `more`. ".repeat(14)}\n\n\`\`\`ts\n${code}\`\`\`\n\n- one\n- two\n\n${"And so on. ".repeat(40)}`;
			const question = `Question ${index}. ${"Why is that so? ".repeat(100)}`;
			return turnOf(question, [messageOf(text)], { id: `turn-${index}` });
		}),
	};
}

async function openPage(browser: Browser, url: string): Promise<Page> {
	const page = await browser.newPage({ viewport: { width: 420, height: 800 } });
	await page.goto(url);
	await page.evaluate(state => {
		window.harness.state = state;
	}, emptyChat);
	await page.getByRole("textbox", { name: "Message", exact: true }).waitFor();
	return page;
}

/** Milliseconds from a change to the end of the frame that shows it. */
interface Times {
	readonly open: number;
	readonly width: number;
	readonly theme: number;
	readonly key: number;
}

/** Opens a chat in an empty page and changes it; `isWhole` puts every turn onto the page, as the reference. */
async function measure(
	browser: Browser,
	url: string,
	turns: number,
	isWhole: boolean,
): Promise<Times> {
	const page = await openPage(browser, url);
	const state = chatOf(turns);
	const running = turnOf("Go", [messageOf("", { isFinished: false })], {
		id: "running",
		status: streaming,
	});
	const times = await page.evaluate(
		async ([chat, whole, last]) => {
			const shown = (): Promise<void> =>
				new Promise(resolve => {
					requestAnimationFrame(() => {
						const { port1, port2 } = new MessageChannel();
						port1.addEventListener("message", () => resolve(), { once: true });
						port1.start();
						port2.postMessage(null);
					});
				});
			const timed = async (change: () => unknown): Promise<number> => {
				const start = performance.now();
				await change();
				await shown();
				return performance.now() - start;
			};
			const isThere = async (): Promise<void> => {
				while (!document.querySelector(`[data-turn="${chat.turns.at(-1)?.id}"]`)) {
					await new Promise(resolve => setTimeout(resolve));
				}
			};
			let open = await timed(async () => {
				window.harness.push([{ type: "reset", state: chat }]);
				await isThere();
			});
			const list = document.querySelector<HTMLElement>(".conversation");
			if (whole && list) {
				const made = [...list.querySelectorAll(".turn")].at(-1)?.outerHTML ?? "";
				const aside = document.createElement("div");
				aside.className = "conversation";
				open = await timed(() => {
					aside.innerHTML = made.repeat(chat.turns.length);
					list.after(aside);
				});
			}
			const main = document.querySelector("main");
			const width = await timed(() => main?.style.setProperty("width", "320px"));
			const theme = await timed(() => {
				document.body.className = "vscode-light";
				document.documentElement.style.setProperty("--vscode-foreground", "#123456");
			});
			const keys: number[] = [];
			window.harness.push([{ type: "turn-added", turn: last }]);
			const box = document.querySelector("textarea");
			for (let count = 0; count < 60 && box; count++) {
				const text = "Some **words** of it. ".repeat(6);
				window.harness.push([{ type: "text", turnId: last.id, index: 0, text }]);
				keys.push(
					await timed(() => {
						box.value += "x";
						box.dispatchEvent(new Event("input", { bubbles: true }));
					}),
				);
			}
			keys.sort((a, b) => a - b);
			return { open, width, theme, key: keys[Math.floor(keys.length * 0.95)] ?? 0 };
		},
		[state, isWhole, running] as const,
	);
	await page.close();
	return times;
}

function median(values: readonly number[]): number {
	return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

async function printTimes(browser: Browser, url: string): Promise<void> {
	const kinds = [
		["all on the page (reference)", turnCount, true],
		["20 messages (reference)", 10, false],
		["2,000 messages", turnCount, false],
	] as const;
	const all = new Map<string, Times[]>();
	for (let round = 0; round < rounds; round++) {
		for (const [name, turns, isWhole] of kinds) {
			all.set(name, [...(all.get(name) ?? []), await measure(browser, url, turns, isWhole)]);
		}
	}
	for (const [name, times] of all) {
		const of = (pick: (times: Times) => number): string => median(times.map(pick)).toFixed(0);
		print(
			`${name.padEnd(30)}open to first frame ${of(({ open }) => open)} ms  width ${of(({ width }) => width)}  theme ${of(({ theme }) => theme)}  key while streaming p95 ${of(({ key }) => key)}`,
		);
	}
	print("targets: open 60 ms, width and theme 33 ms");
}

async function aliveOn(page: Page, devtools: CDPSession): Promise<{ heap: number; nodes: number }> {
	await page.evaluate(() => new Promise(resolve => setTimeout(resolve, 500)));
	await devtools.send("HeapProfiler.collectGarbage");
	const { metrics } = await devtools.send("Performance.getMetrics");
	const of = (wanted: string): number => metrics.find(({ name }) => name === wanted)?.value ?? 0;
	return { heap: of("JSHeapUsedSize") / 1024 / 1024, nodes: of("Nodes") };
}

async function printMemory(browser: Browser, url: string): Promise<void> {
	const page = await openPage(browser, url);
	const devtools = await page.context().newCDPSession(page);
	await devtools.send("Performance.enable");
	const say = (name: string, { heap, nodes }: { heap: number; nodes: number }): void =>
		print(`${name.padEnd(30)}${heap.toFixed(1)} MB of script heap, ${nodes} nodes`);
	say("empty chat (reference)", await aliveOn(page, devtools));
	await page.evaluate(state => window.harness.push([{ type: "reset", state }]), chatOf(turnCount));
	await page.locator(`[data-turn="turn-${turnCount - 1}"]`).waitFor();
	say("2,000 messages opened", await aliveOn(page, devtools));
	await page.evaluate(async () => {
		const scroller = document.querySelector<HTMLElement>(".scroller");
		scroller?.dispatchEvent(new WheelEvent("wheel", { deltaY: -1 }));
		while (scroller && scroller.scrollTop > 0) {
			scroller.scrollTop -= 3000;
			await new Promise(requestAnimationFrame);
		}
	});
	say("after scrolling all of it", await aliveOn(page, devtools));
	await page.close();
}

function print(line: string): void {
	process.stdout.write(`${line}\n`);
}
