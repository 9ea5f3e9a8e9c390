import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Locator } from "@playwright/test";
import { readWebm } from "../helpers/webm.ts";
import { type ScriptedService, startScriptedService, writeJson } from "../integration/service.ts";
import { expect, test } from "./fixtures.ts";
import { takePictures } from "./pictures.ts";
import { renderTimeout, statusItem, untilReady, videosFolder } from "./videoSteps.ts";
import { quickInput, type Workbench } from "./workbench.ts";

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
	await workbench.runCommand("Cutaway: Make Storyboard…");
	await expect(page.locator(".quick-input-list")).toContainText("word for word");
	await workbench.screenshot("storyboard-way");
	await quickInput(page).press("Enter");
	await expect(lens(workbench, "Make Clip")).toBeVisible();
	await expect(page.locator(".codelens-decoration").first()).toContainText(
		"7 s in all, drawn here for free",
	);
	await expect(page.getByRole("tab", { name: /^Storyboard: Billing/ })).toBeVisible();
	const lenses = page.locator(".codelens-decoration");
	await expect(lenses.nth(2)).toContainText("Scene 2 of 3 · Code in a window");
	// The notes' place is above the scenes, and no notification covers the message box.
	await expect(page.locator(".notification-toast")).toHaveCount(0);
	await takePictures(workbench, editorServer, "storyboard-document");
	await workbench.runCommand("Focus on Videos View");
	const gallery = await workbench.frameWith(".gallery");

	// A fault is a problem at its line, and there is no way on while there is one.
	await page.locator(".editor-instance .view-lines").first().click();
	await page.keyboard.press("ControlOrMeta+Home");
	await page.keyboard.press("ArrowDown");
	await page.keyboard.press("ArrowDown");
	await page.keyboard.press("End");
	await page.keyboard.type("7");
	await expect(lens(workbench, "Fix 1 problem first")).toBeVisible();
	await expect(page.locator(".editor-instance .squiggly-error")).toHaveCount(1);
	await workbench.screenshot("storyboard-fault");
	await page.keyboard.press("Backspace");
	await lens(workbench, "Make Clip").click();
	await expect(page.locator(".quick-input-list")).toContainText("Nothing is charged");
	await expect(lens(workbench, "Make Clip")).toBeVisible();
	await workbench.screenshot("storyboard-step");

	// One entry with one progress, looked for from before the key on: it goes by as fast as the clips are drawn.
	const row = gallery.locator(".tile").filter({ hasText: "Billing" });
	await Promise.all([
		expect(statusItem(workbench)).toContainText("of 3 scenes"),
		expect(row.first()).toContainText("of 3 scenes ready"),
		quickInput(page).press("Enter"),
	]);
	// The document is gone.
	await expect(lens(workbench, "Make Clip")).toHaveCount(0);
	await workbench.screenshot("storyboard-working");
	await untilReady(workbench, 3 * renderTimeout);
	await row.locator(".open").first().click();
	await expect(page.getByRole("tab", { name: /^Billing/ })).toBeVisible();
	const preview = await workbench.frameWith(".preview");
	const video = preview.locator("video");
	await expect(video).toBeVisible();
	const shape = (): Promise<readonly number[]> =>
		video.evaluate((element: HTMLVideoElement) => [
			Math.round(element.duration * 10) / 10,
			element.videoWidth,
			element.videoHeight,
		]);
	await expect.poll(shape).toEqual([7, 1920, 1080]);
	await row.first().hover();
	await row.first().getByRole("button", { name: "Show Scenes…" }).click();
	const scenes = page.locator(".quick-input-list .monaco-list-row");
	await expect(scenes.filter({ hasText: /[123]\. / })).toHaveCount(3);
	await page.keyboard.press("Escape");
	await workbench.runCommand("Notifications: Clear All Notifications");
	await takePictures(workbench, editorServer, "storyboard-ready", {}, ".preview");
	await expectJoinedFile(join(videosFolder(testFolder), "clips"));
});

const proposal = [
	"Here they are:",
	"```markdown",
	"--- Scene: 2 s, motion 4",
	"",
	"A coin falls",
	"",
	"--- Scene: 3 s, motion 1",
	"",
	"Closing",
	"```",
].join("\n");

const modelTest = test.extend<{ service: ScriptedService }>({
	// oxlint-disable-next-line no-empty-pattern -- Playwright reads the pattern to learn what a fixture needs.
	service: async ({}, use) => {
		const service = await startScriptedService((_request, response) =>
			writeJson(response, 200, { messages: [{ role: "assistant", content: proposal }] }),
		);
		await use(service);
		await service.stop();
	},
	settings: async ({ service }, use) => {
		await use({ "cutaway.endpoint": service.baseUrl });
	},
});

modelTest(
	"the chat's model proposes scenes, which open as a document; it is asked once, and no video before the user says so",
	async ({ workbench, service }) => {
		const { page } = workbench;
		await writeFile(join(workbench.folder, "story.md"), text);
		await workbench.openFile("story.md");
		await page.locator(".editor-instance .view-lines").first().click();
		await page.keyboard.press("ControlOrMeta+a");
		await workbench.runCommand("Cutaway: Make Storyboard…");
		await expect(page.locator(".quick-input-list")).toContainText("may be charged");
		await workbench.pickQuickInput("Propose Scenes");
		await expect(lens(workbench, "Make 2 Videos")).toBeVisible();
		await expect(page.locator(".editor-instance .view-lines").first()).toContainText("Closing");
		await lens(workbench, "Make 2 Videos").click();
		await expect(page.locator(".quick-input-list")).toContainText("Each may be charged");
		await page.keyboard.press("Escape");
		expect(service.heard.map(({ path }) => path)).toEqual(["/v1/chat/messages"]);
	},
);

/** The joined file holds every frame of its scenes' files, in their order. */
async function expectJoinedFile(folder: string): Promise<void> {
	const names = (await readdir(folder)).toSorted();
	const isWhole = (name: string): boolean => !/-scene-\d/.test(name);
	expect(names.filter(isWhole)).toEqual(["billing.webm"]);
	expect(names).toHaveLength(4);
	const clips = await Promise.all(
		names.map(async name => ({ name, clip: readWebm(await readFile(join(folder, name))) })),
	);
	const framesOf = (isJoined: boolean): number =>
		clips
			.filter(({ name }) => isWhole(name) === isJoined)
			.reduce((sum, { clip }) => sum + clip.frames.length, 0);
	expect(framesOf(true)).toBe(framesOf(false));
	expect(framesOf(true)).toBeGreaterThan(0);
}
