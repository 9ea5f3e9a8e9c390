import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Locator } from "@playwright/test";
import { projectRoot } from "../../scripts/project.ts";
import { type ClipService, failingPrompts, startClipService } from "./clipService.ts";
import { clickEntry, closeMenus, openEditorMenu } from "./contextMenu.ts";
import { expect, test as base } from "./fixtures.ts";
import { takePictures } from "./pictures.ts";
import { type ThemeName, themes } from "./themes.ts";
import {
	answerStep,
	generateFromPrompt,
	leaveLastStep,
	openReady,
	selectLines,
	statusItem,
	untilReady,
} from "./videoSteps.ts";
import { quickInput, type Workbench } from "./workbench.ts";
import { untilDone } from "./patience.ts";

const test = base.extend<{ service: ClipService }, { serviceOfWorker: ClipService }>({
	serviceOfWorker: [
		// oxlint-disable-next-line no-empty-pattern -- Playwright reads the pattern to learn what a fixture needs.
		async ({}, use) => {
			const service = await startClipService();
			await use(service);
			await service.stop();
		},
		{ scope: "worker" },
	],
	service: ({ serviceOfWorker }, use) => {
		serviceOfWorker.reset();
		return use(serviceOfWorker);
	},
	settings: async ({ service }, use) => {
		await use({ "cutaway.endpoint": service.url });
	},
});

const menuTitles = {
	selection: "Make Clip from Selection",
	image: "Make Clip from Image URL…",
} as const;

test("the editor's context menu offers a video of a selection, and of an image where Markdown shows one; leaving any step sends nothing", async ({
	workbench,
	service,
}) => {
	const { page } = workbench;
	await workbench.openFile("README.md");
	await page.locator(".editor-instance .view-lines").first().click();
	await page.keyboard.press("ControlOrMeta+Home");
	const plain = await openEditorMenu(page);
	await expect(plain.getByRole("menuitem", { name: "Cutaway", exact: true })).toHaveCount(0);
	await closeMenus(page);

	await selectLines(workbench, 3);
	const selected = await openEditorMenu(page);
	await clickEntry(selected, "Cutaway");
	await expect(selected.getByRole("menuitem", { name: menuTitles.selection })).toBeVisible();
	await workbench.screenshot("video-context-menu");
	await clickEntry(selected, menuTitles.selection);
	await leaveLastStep(workbench);
	await expect(page.locator(".quick-input-widget")).toBeHidden();

	await page.keyboard.press("ControlOrMeta+Home");
	await page.keyboard.type("![cat](https://images.example/cat.png) ");
	await page.keyboard.press("ControlOrMeta+Home");
	// The document is looked at once it rests.
	await untilDone(async timeout => {
		const menu = await openEditorMenu(page);
		await clickEntry(menu, "Cutaway", timeout);
		await clickEntry(menu, menuTitles.image, timeout);
		await expect(page.locator(".quick-input-list")).toContainText("cat.png", { timeout });
	}, 5_000);
	const input = quickInput(page);
	await input.press("Enter");
	await leaveLastStep(workbench);

	await workbench.runCommand("Cutaway: Make Clip…");
	const box = page.getByText("Describe the video, then press Enter");
	await expect(box).toBeVisible();
	await input.press("Escape");
	await expect(box).toBeHidden();
	await workbench.runCommand("Cutaway: Make Clip…");
	await answerStep(workbench, "Describe the video, then press Enter", "A paper boat");
	await leaveLastStep(workbench);

	await workbench.runCommand("Cutaway: Show Videos");
	const gallery = await workbench.frameWith(".gallery");
	await expect(gallery.getByRole("button", { name: "Make Clip from Selection" })).toBeVisible();
	await expect(statusItem(workbench)).toBeHidden();
	expect(service.prompts).toEqual([]);

	// The same way through to its end does send, so that the above is no silence of something broken.
	await generateFromPrompt(workbench, "A paper boat");
	await expect.poll(() => service.prompts).toEqual(["A paper boat"]);
});

/** Comes by way of Open Externally to the dialog that says where the clip goes. */
async function openSaveDialog(workbench: Workbench): Promise<Locator> {
	await generateFromPrompt(workbench, "A paper boat");
	const preview = await openReady(workbench);
	await expect(preview.getByText("The editor can't play this clip")).toBeVisible();
	await workbench.screenshot("video-cannot-play");
	await preview.getByRole("button", { name: "Open Externally" }).click();
	const offer = workbench.notifications().filter({ hasText: "machine where Cutaway runs" });
	await offer.getByRole("button", { name: "Save As…" }).click();
	const dialog = workbench.page.locator(".quick-input-widget:visible");
	await expect(dialog).toContainText("Save Video As");
	await expect(dialog.locator("input").last()).toHaveValue(/a-paper-boat(?:-\d+)?\.webm$/);
	await workbench.screenshot("video-save-as");
	return dialog;
}

test("J18: a clip that the editor cannot play is saved where the user says, by way of Open Externally", async ({
	workbench,
	service,
}) => {
	await openSaveDialog(workbench);
	await workbench.answerFileDialog(/\.webm$/, join(workbench.folder, "boat.webm"));
	await expect(workbench.page.locator(".statusbar")).toContainText("Saved boat.webm");
	expect((await readFile(join(workbench.folder, "boat.webm"))).equals(service.clip)).toBe(true);
});

test("J18: in a browser the clip is saved on the user's own machine, too", async ({
	workbench,
	service,
}) => {
	const { page } = workbench;
	// The system's own dialog cannot be driven; the file it would make is in the browser's private folder instead.
	await page.evaluate(() => {
		const showSaveFilePicker = async (): Promise<FileSystemFileHandle> => {
			const folder = await navigator.storage.getDirectory();
			return await folder.getFileHandle("boat.webm", { create: true });
		};
		Object.assign(window, { showSaveFilePicker });
	});
	const dialog = await openSaveDialog(workbench);
	await dialog.getByRole("button", { name: "Show Local" }).click();
	await expect(page.locator(".statusbar")).toContainText("Saved boat.webm");
	const saved = await page.evaluate(async () => {
		const folder = await navigator.storage.getDirectory();
		const file = await (await folder.getFileHandle("boat.webm")).getFile();
		const bytes = new Uint8Array(await file.arrayBuffer());
		return Array.from(bytes, byte => String.fromCharCode(byte)).join("");
	});
	expect(Buffer.from(saved, "latin1").equals(service.clip)).toBe(true);
});

test("videos of every kind are told apart, filtered, and look right in every theme and width", async ({
	workbench,
	editorServer,
	settings,
}) => {
	const { page } = workbench;
	await workbench.openChat();
	await workbench.runCommand("Focus on Videos View");
	const gallery = await workbench.frameWith(".gallery");
	const tileOf = (words: string): Locator => gallery.locator(".tile").filter({ hasText: words });
	await generateFromPrompt(workbench, "A lighthouse at dusk");
	await untilReady(workbench);
	await generateFromPrompt(workbench, failingPrompts.refused);
	await expect(tileOf(failingPrompts.refused)).toContainText("Not submitted");
	await generateFromPrompt(workbench, failingPrompts.unanswered);
	await expect(tileOf(failingPrompts.unanswered)).toContainText("May be charged");
	await generateFromPrompt(workbench, failingPrompts.endless);
	await expect(tileOf(failingPrompts.endless)).toContainText("Making");
	await workbench.runCommand("Notifications: Clear All Notifications");

	for (const theme of ["light", "high-contrast", "dark"] as const) {
		await inTheme(workbench, editorServer, theme, "videos-view", settings);
	}
	await openFilter(workbench);
	await workbench.pickQuickInput("Need attention");
	await expect(tileOf(failingPrompts.unanswered)).toHaveCount(1);
	await expect(tileOf("A lighthouse")).toHaveCount(0);
	await openFilter(workbench);
	await workbench.answerQuickInput("dusk lighthouse");
	await expect(tileOf("A lighthouse")).toHaveCount(1);
	await expect(tileOf(failingPrompts.unanswered)).toHaveCount(0);
	await openFilter(workbench);
	await workbench.pickQuickInput("All videos");
	await expect(tileOf("A video")).toHaveCount(3);

	await tileOf("A lighthouse").locator(".open").click();
	await expect(page.getByRole("tab", { name: /^A lighthouse/ })).toBeVisible();
	await workbench.frameWith(".preview");
	await takePictures(workbench, editorServer, "videos", settings, ".preview");
});

/** Opens the list of filters: the list before it may still be closing, and a title bar that is drawn again takes no click. */
async function openFilter(workbench: Workbench): Promise<void> {
	const input = workbench.page.getByPlaceholder("Choose a video, or type to filter");
	await expect(input).toBeHidden();
	await untilDone(async timeout => {
		await workbench.titleButton("Filter Videos…").click({ timeout });
		await expect(input).toBeVisible({ timeout });
	});
}

/** Saves what the window shows in a theme, what is open in it staying open. */
async function inTheme(
	{ page }: Workbench,
	server: { writeSettings(settings: Record<string, unknown>): Promise<void> },
	theme: ThemeName,
	name: string,
	settings: Readonly<Record<string, unknown>>,
): Promise<void> {
	await server.writeSettings({ ...settings, "workbench.colorTheme": themes[theme] });
	const kind = { dark: "vs-dark", light: "vs", "high-contrast": "hc-black" };
	const css = kind[theme === "high-contrast-light" ? "high-contrast" : theme];
	await page.locator(`.monaco-workbench.${css}`).waitFor();
	await page.screenshot({
		path: join(projectRoot, "test-results", "screenshots", `${name}-${theme}.png`),
	});
}
