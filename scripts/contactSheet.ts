/**
 * A program: `npm run contact-sheet` draws every state of the built pages in four themes and three widths, and writes them into one
 * HTML page to look at; `npm run contact-sheet -- clips` draws clips of the local service in three shapes and two themes, at five moments.
 */
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { chromium } from "@playwright/test";
import { clipPrompts } from "../test/pictures/clipPrompts.ts";
import { drawClipSheet } from "../test/pictures/clipSheet.ts";
import { allScenes } from "../test/pictures/allScenes.ts";
import { drawContactSheet } from "../test/pictures/contactSheet.ts";
import { startHarness } from "../test/webview/harness.ts";
import { browserFlags, ensureBrowser } from "../test/host/browser.ts";
import { projectRoot, say } from "./project.ts";

async function drawPages(): Promise<string> {
	const harness = await startHarness(join(projectRoot, "dist", "media"));
	const browser = await chromium.launch({
		executablePath: ensureBrowser(),
		args: [...browserFlags],
	});
	const html = await drawContactSheet({ browser, harness, scenes: allScenes, onScene: say });
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
