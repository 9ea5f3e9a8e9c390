/**
 * A program: `npm run contact-sheet` draws every state of the built pages in four themes and three widths, and writes them into one
 * HTML page to look at; `npm run contact-sheet -- clips` draws clips of the local service in three shapes and two themes, at five moments.
 */
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { chromium } from "@playwright/test";
import { clipPrompts } from "../test/pictures/clipPrompts.ts";
import { drawClipSheet } from "../test/pictures/clipSheet.ts";
import { drawContactSheet, type SheetScene } from "../test/pictures/contactSheet.ts";
import { sheetScenes } from "../test/pictures/sheetScenes.ts";
import { startHarness } from "../test/webview/harness.ts";
import { previewScenes, recordClip } from "../test/webview/scenes.ts";
import { chatSettings, emptyChat, messageOf, turnOf } from "../test/webview/states.ts";
import { browserFlags, ensureBrowser } from "../test/host/browser.ts";
import { projectRoot, say } from "./project.ts";

const scenes: readonly SheetScene[] = [
	...Object.entries(sheetScenes).map(([name, state]) => ({ name, page: "chat" as const, state })),
	{
		name: "the settings of a chat",
		page: "chat",
		state: emptyChat,
		prepare: async page => {
			await page.evaluate(view => {
				Object.assign(window.harness.results, { chatSettings: view });
			}, chatSettings);
			await page.getByRole("button", { name: "Chat settings", exact: true }).press("Enter");
			await page.getByRole("dialog", { name: "Chat settings" }).waitFor();
		},
	},
	{
		name: "the search in a chat",
		page: "chat",
		state: {
			...emptyChat,
			turns: [turnOf("Where is the hay?", [messageOf("Hay is where **hay** is.")])],
		},
		prepare: async page => {
			await page.getByRole("textbox", { name: "Message", exact: true }).focus();
			await page.keyboard.press("ControlOrMeta+f");
			await page.getByRole("textbox", { name: "Find in chat", exact: true }).fill("hay");
			await page.locator(".find-count").filter({ hasText: "3" }).waitFor();
		},
	},
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
				fileName: "a-paper-boat.webm",
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

async function drawPages(): Promise<string> {
	const harness = await startHarness(join(projectRoot, "dist", "media"));
	const browser = await chromium.launch({
		executablePath: ensureBrowser(),
		args: [...browserFlags],
	});
	const html = await drawContactSheet({ browser, harness, scenes, onScene: say });
	await browser.close();
	await harness.close();
	return html;
}

const isOfClips = process.argv[2] === "clips";
const file = join(projectRoot, "test-results", `contact-sheet${isOfClips ? "-clips" : ""}.html`);
const html = isOfClips ? await drawClipSheet(clipPrompts, say) : await drawPages();
await mkdir(dirname(file), { recursive: true });
await writeFile(file, html);
say(file);
