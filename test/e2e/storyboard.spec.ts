import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Locator } from "@playwright/test";
import { readWebm } from "../helpers/webm.ts";
import { expect, test } from "./fixtures.ts";
import { takePictures } from "./pictures.ts";
import { renderTimeout, statusItem, videosFolder } from "./videoSteps.ts";
import type { Workbench } from "./workbench.ts";

const text = [
	"# Billing",
	"",
	"An order is charged once.",
	"",
	"## Retries",
	"",
	"```ts",
	"charge(order);",
	"```",
	"",
	"Then we tell the customer.",
].join("\n");

const lens = ({ page }: Workbench, name: string): Locator =>
	page.locator(".codelens-decoration a").filter({ hasText: name });

test("a selection becomes a storyboard: it is cut, edited, accepted once, shown as one, and its clips become one that plays", async ({
	workbench,
	editorServer,
	testFolder,
}) => {
	test.setTimeout(600_000);
	const { page } = workbench;
	await workbench.openChat();
	await writeFile(join(workbench.folder, "story.md"), text);
	await workbench.openFile("story.md");
	await page.locator(".editor-instance .view-lines").first().click();
	await page.keyboard.press("ControlOrMeta+a");
	await workbench.runCommand("Cutaway: Generate Storyboard…");
	await expect(lens(workbench, "Generate 3 Videos")).toBeVisible();
	await expect(page.locator(".codelens-decoration").first()).toContainText("8 s in all, to Local");
	await takePictures(workbench, editorServer, "storyboard-document");
	await workbench.runCommand("Focus on Videos View");

	// A fault is a problem at its line, and there is no way on while there is one.
	await page.locator(".editor-instance .view-lines").first().click();
	await page.keyboard.press("ControlOrMeta+Home");
	await page.keyboard.press("End");
	await page.keyboard.type("7");
	await expect(lens(workbench, "Fix 1 problem first")).toBeVisible();
	await expect(page.locator(".editor-instance .squiggly-error")).toHaveCount(1);
	await workbench.screenshot("storyboard-fault");
	await page.keyboard.press("Backspace");
	await lens(workbench, "Generate 3 Videos").click();
	await expect(page.locator(".quick-input-list")).toContainText("Nothing is charged");
	await workbench.screenshot("storyboard-step");
	await page.keyboard.press("Enter");

	// One entry with one progress, whose document is gone.
	const rows = page.locator(".part.auxiliarybar .pane-body .monaco-list-row");
	const row = rows.filter({ hasText: "Billing" });
	await expect(statusItem(workbench)).toContainText("of 3 scenes");
	await expect(row.first()).toContainText("of 3 scenes ready");
	await expect(lens(workbench, "Generate 3 Videos")).toHaveCount(0);
	await workbench.screenshot("storyboard-working");
	await expect(statusItem(workbench)).toContainText("1 video ready", { timeout: renderTimeout });
	await expect(workbench.notifications().filter({ hasText: "Your video is ready" })).toHaveCount(1);
	await row.first().click();
	const preview = await workbench.frameWith(".preview");
	const video = preview.locator("video");
	await expect(video).toBeVisible();
	const shape = (): Promise<readonly number[]> =>
		video.evaluate((element: HTMLVideoElement) => [
			Math.round(element.duration * 10) / 10,
			element.videoWidth,
			element.videoHeight,
		]);
	await expect.poll(shape).toEqual([8, 960, 540]);
	await row.first().locator(".monaco-tl-twistie").click();
	await expect(rows.filter({ hasText: /^[123]\. / })).toHaveCount(3);
	await workbench.runCommand("Notifications: Clear All Notifications");
	await takePictures(workbench, editorServer, "storyboard-ready", {}, ".preview");
	await expectJoinedFile(join(videosFolder(testFolder), "clips"));
});

/** The joined file holds every frame of its scenes' files, in their order. */
async function expectJoinedFile(folder: string): Promise<void> {
	const names = (await readdir(folder)).toSorted();
	const joined = names.filter(name => name.startsWith("storyboard-"));
	expect(joined).toHaveLength(1);
	expect(names).toHaveLength(4);
	const clips = await Promise.all(
		names.map(async name => ({ name, clip: readWebm(await readFile(join(folder, name))) })),
	);
	const framesOf = (isJoined: boolean): number =>
		clips
			.filter(({ name }) => name.startsWith("storyboard-") === isJoined)
			.reduce((sum, { clip }) => sum + clip.frames.length, 0);
	expect(framesOf(true)).toBe(framesOf(false));
	expect(framesOf(true)).toBeGreaterThan(0);
}
