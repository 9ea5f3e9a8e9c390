import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Frame, type Locator, expect } from "@playwright/test";
import type { Workbench } from "./workbench.ts";
import { untilDone } from "./patience.ts";

/** Milliseconds for a clip to be drawn on a busy machine. */
export const renderTimeout = 120_000;

/** The one status-bar item of the videos. */
export function statusItem({ page }: Workbench): Locator {
	return page.locator("#cutaway\\.cutaway\\.cutaway\\.videos");
}

/** The tabs of the previews. */
const previewTabs = ({ page }: Workbench): Locator =>
	page.locator('.tab[data-resource-name^="webview-cutaway.videoPreview"]');

/** Resolves once a clip is ready: the status bar offers to play it, or its preview has opened by itself. */
export async function untilReady(workbench: Workbench, timeout = renderTimeout): Promise<void> {
	const offer = statusItem(workbench).locator(".codicon-play");
	await expect(offer.or(previewTabs(workbench)).first()).toBeVisible({ timeout });
}

/** Waits for a clip and its preview, which opens by itself for one clip; else the status bar leads there. */
export async function openReady(workbench: Workbench): Promise<Frame> {
	const item = statusItem(workbench);
	await expect(async () => {
		if (await item.locator(".codicon-play").isVisible()) {
			await item.click({ timeout: 2_000 });
		}
		await expect(previewTabs(workbench).first()).toBeVisible({ timeout: 2_000 });
	}).toPass({ timeout: renderTimeout });
	return workbench.frameWith(".preview");
}

/** Shows the Videos view; the tiles in it whose text has these words. */
export async function videoTile(workbench: Workbench, words: string): Promise<Locator> {
	await workbench.runCommand("Cutaway: Show Videos");
	return (await workbench.frameWith(".gallery")).locator(".tile").filter({ hasText: words });
}

/** Opens a video from the Videos view. */
export async function openFromView(workbench: Workbench, words: string): Promise<Frame> {
	await (await videoTile(workbench, words)).locator(".open").first().click();
	await expect(workbench.page.locator(".tab.active").filter({ hasText: words })).toBeVisible();
	return workbench.frameWith(".preview");
}

/** Selects lines of the open editor from its top, as it wraps them. */
export async function selectLines({ page }: Workbench, count: number): Promise<void> {
	// What takes the focus at this moment takes the keys.
	await untilDone(async timeout => {
		await page.locator(".editor-instance .view-lines").first().click({ timeout });
		await page.keyboard.press("ControlOrMeta+Home");
		// The editor comes up with what was selected in it before.
		await expect(page.locator(".part.statusbar")).toContainText(/Ln 1, Col 1(?! \()/, { timeout });
		for (let line = 0; line < count; line++) {
			await page.keyboard.press("Shift+ArrowDown");
		}
		await expect(page.locator(".part.statusbar")).toContainText(/\(\d+ selected\)/, { timeout });
	});
}

/** The last step, once it shows: the palette's own rows speak of making too. */
export async function lastStep({ page }: Workbench): Promise<Locator> {
	await expect(page.locator(".quick-input-list")).toContainText(/Make (?:clip|video): /);
	return page.locator(".quick-input-widget:visible input");
}

/** Chooses what a row of the last step leads to, and comes back to the step. */
export async function chooseOption(
	workbench: Workbench,
	row: string,
	choice: string,
): Promise<void> {
	await lastStep(workbench);
	await workbench.pickQuickInput(row);
	await expect(workbench.page.getByPlaceholder(/^Choose (one|what to change)$/)).toBeVisible();
	await workbench.pickQuickInput(choice);
	await lastStep(workbench);
}

/** Leaves the last step with Escape, until it is gone: while it closes, it still says what the next one will say. */
export async function leaveLastStep(workbench: Workbench): Promise<void> {
	await (await lastStep(workbench)).press("Escape");
	await expect(workbench.page.locator(".quick-input-widget")).toBeHidden();
}

/** Opens a preview's More Actions and picks a row in each list that follows. */
export async function pickMoreAction(
	workbench: Workbench,
	preview: Frame,
	...rows: readonly string[]
): Promise<void> {
	// A list closes again when the preview receives the focus after it opened.
	await untilDone(async timeout => {
		await preview.getByRole("button", { name: "More actions" }).click({ timeout });
		for (const row of rows) {
			await workbench.pickQuickInput(row, timeout);
		}
	});
}

/** Chooses a format to export a clip in, by the preview's button. */
export async function chooseFormat(
	workbench: Workbench,
	preview: Frame,
	format: string,
): Promise<void> {
	await untilDone(async timeout => {
		await preview.getByRole("button", { name: "Export…" }).click({ timeout });
		await workbench.pickQuickInput(format, timeout);
	});
}

/** Answers the box that says this. It is filled once more when it only then comes up, which empties it. */
export async function answerStep(
	{ page }: Workbench,
	says: string | RegExp,
	text: string,
): Promise<void> {
	const step = page.locator(".quick-input-widget:visible").filter({ hasText: says });
	const input = step.locator("input");
	await expect(step).toBeVisible();
	await untilDone(async timeout => {
		if (await step.isVisible()) {
			await input.fill(text, { timeout });
			await input.press("Enter", { timeout });
		}
		await expect(step).toBeHidden({ timeout });
	}, 3_000);
}

/** Describes a clip or a video in the command's box and accepts the last step as it is. */
export async function generateFromPrompt(workbench: Workbench, prompt: string): Promise<void> {
	await workbench.runCommand("Cutaway: Make Clip…");
	const box = /(?:Write what the clip shows|Describe the video), then press Enter/;
	await answerStep(workbench, box, prompt);
	await (await lastStep(workbench)).press("Enter");
}

/** Folder of everything about videos that Cutaway keeps in this test's editor. */
export function videosFolder(testFolder: string): string {
	return join(testFolder, "data/data/User/globalStorage/cutaway.cutaway/videos");
}

/** Resolves once the service has taken the only video there is: its record holds the generation's id. */
export async function untilSubmitted(testFolder: string): Promise<void> {
	const folder = join(videosFolder(testFolder), "records");
	const records = async (): Promise<string> => {
		const names = (await readdir(folder)).filter(name => name.endsWith(".json"));
		const texts = await Promise.all(names.map(name => readFile(join(folder, name), "utf8")));
		return texts.join("");
	};
	// A folder that isn't there yet, or a file that is replaced while it is looked for, has nothing yet.
	await expect.poll(() => records().catch(() => "")).toContain('"generationId"');
}
