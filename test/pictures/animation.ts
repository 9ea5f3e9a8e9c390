import { join } from "node:path";
import type { Browser, Page } from "@playwright/test";
import { build } from "esbuild";
import type { begin } from "./animationPage.ts";

declare global {
	interface Window {
		animationPage: { readonly begin: typeof begin };
	}
}

/** What a window shows while it is recorded. */
export interface Recording {
	/** Leaves out what is shown until some work ends, beyond its last picture. */
	without<Result>(work: () => Promise<Result>): Promise<Result>;
	/** Ends it and makes the animated WebP, `width` pixels wide. */
	finish(browser: Browser, width: number): Promise<Buffer>;
}

/** The shortest time a picture is shown, and the longest, in milliseconds: nobody likes to watch a wait. */
const [shortest, longest] = [100, 1500];

/** Begins to record what a window shows. */
export async function record(page: Page): Promise<Recording> {
	const devtools = await page.context().newCDPSession(page);
	let [isLeftOut, leftOutMs] = [false, 0];
	const pictures: { png: string; readonly atMs: number }[] = [];
	devtools.on("Page.screencastFrame", ({ data, metadata, sessionId }) => {
		const atMs = (metadata.timestamp ?? 0) * 1000 - leftOutMs;
		const last = pictures.at(-1);
		if (last && (isLeftOut || atMs - last.atMs < shortest)) {
			last.png = data;
		} else {
			pictures.push({ png: data, atMs });
		}
		void devtools.send("Page.screencastFrameAck", { sessionId });
	});
	await devtools.send("Page.startScreencast", { format: "png" });
	return {
		without: async work => {
			const start = Date.now();
			isLeftOut = true;
			const result = await work();
			isLeftOut = false;
			leftOutMs += Math.max(0, Date.now() - start - longest);
			return result;
		},
		finish: async (browser, width) => {
			await devtools.send("Page.stopScreencast");
			const maker = await browser.newPage();
			await maker.addScriptTag({ content: await script() });
			await maker.evaluate(wide => window.animationPage.begin(wide), width);
			for (const [index, { png, atMs }] of pictures.entries()) {
				const untilMs = pictures[index + 1]?.atMs ?? Infinity;
				const shownMs = Math.min(longest, untilMs - atMs);
				await maker.evaluate(([data, ms]) => window.animation.add(data, ms), [
					png,
					shownMs,
				] as const);
			}
			const base64 = await maker.evaluate(() => window.animation.finish());
			await maker.close();
			return Buffer.from(base64, "base64");
		},
	};
}

async function script(): Promise<string> {
	const { outputFiles } = await build({
		entryPoints: [join(import.meta.dirname, "animationPage.ts")],
		bundle: true,
		format: "iife",
		globalName: "animationPage",
		write: false,
	});
	return outputFiles[0]?.text ?? "";
}
