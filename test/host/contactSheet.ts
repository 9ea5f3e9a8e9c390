/**
 * A program: `npm run contact-sheet` draws every state of the built pages in four themes and three widths, and writes them into one
 * HTML page to look at.
 */
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { chromium } from "@playwright/test";
import { drawContactSheet, type SheetScene } from "../pictures/contactSheet.ts";
import { sheetScenes } from "../pictures/sheetScenes.ts";
import { startHarness } from "../webview/harness.ts";
import { previewScenes, recordClip } from "../webview/scenes.ts";
import { browserFlags, ensureBrowser } from "./browser.ts";
import { projectRoot, say } from "./project.ts";

const scenes: readonly SheetScene[] = [
	...Object.entries(sheetScenes).map(([name, state]) => ({ name, page: "chat" as const, state })),
	...Object.entries(previewScenes).map(([name, state]) => ({
		name: `a preview: ${name}`,
		page: "video" as const,
		state,
	})),
	{
		name: "a preview: ready, with its clip",
		page: "video",
		state: previewScenes.working,
		prepare: async page => {
			const clip = {
				url: await recordClip(page),
				fileName: "a-paper-boat-2026-01-31.webm",
				size: "40 KB",
				hasAacSound: false,
			};
			await page.evaluate(state => window.harness.event("state", state), {
				...previewScenes.ready,
				clip,
			});
			await page.locator("video").evaluate(
				element =>
					(element as HTMLVideoElement).readyState >= HTMLMediaElement.HAVE_CURRENT_DATA ||
					new Promise(resolve => {
						element.addEventListener("loadeddata", resolve, { once: true });
					}),
			);
		},
	},
];

const file = join(projectRoot, "test-results", "contact-sheet.html");
const harness = await startHarness(join(projectRoot, "dist", "media"));
const browser = await chromium.launch({
	executablePath: ensureBrowser(),
	args: [...browserFlags],
});
const html = await drawContactSheet({ browser, harness, scenes, onScene: say });
await mkdir(dirname(file), { recursive: true });
await writeFile(file, html);
await browser.close();
await harness.close();
say(file);
