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

/** Selects whole lines of the open editor from its top. */
export async function selectLines({ page }: Workbench, count: number): Promise<void> {
	await page.locator(".editor-instance .view-lines").first().click();
	await page.keyboard.press("ControlOrMeta+Home");
	for (let line = 0; line < count; line++) {
		await page.keyboard.press("Shift+ArrowDown");
	}
}

/** The last step, once it shows: the palette's own rows speak of generating too. */
export async function lastStep({ page }: Workbench): Promise<Locator> {
	await expect(page.locator(".quick-input-list")).toContainText("s, motion");
	return page.locator(".quick-input-widget:visible input");
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

/** Describes a video in the command's box and accepts the last step as it is. */
export async function generateFromPrompt(workbench: Workbench, prompt: string): Promise<void> {
	await workbench.runCommand("Cutaway: Generate Video…");
	const step = workbench.page.getByText("Describe the video, then press Enter");
	await expect(step).toBeVisible();
	// The box is filled once more when it only then comes up, which empties it.
	await untilDone(async timeout => {
		if (await step.isVisible()) {
			await workbench.answerQuickInput(prompt);
		}
		await expect(step).toBeHidden({ timeout });
	}, 3_000);
	await (await lastStep(workbench)).press("Enter");
}

/** Folder of everything about videos that Cutaway keeps in this test's editor. */
export function videosFolder(testFolder: string): string {
	return join(testFolder, "data/data/User/globalStorage/cutaway.cutaway/videos");
}

/** Resolves once the service has taken the only video there is: its record holds the generation's id. */
export async function untilSubmitted(testFolder: string): Promise<void> {
	const folder = join(videosFolder(testFolder), "records");
	await expect
		.poll(async () => {
			const names = (await readdir(folder)).filter(name => name.endsWith(".json"));
			const texts = await Promise.all(names.map(name => readFile(join(folder, name), "utf8")));
			return texts.join("");
		})
		.toContain('"generationId"');
}
