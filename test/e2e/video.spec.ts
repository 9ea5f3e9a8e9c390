import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Locator, Page } from "@playwright/test";
import { readWebm, type WebmReport } from "../helpers/webm.ts";
import { answered, ask } from "./chatView.ts";
import { expect, modelTest as test } from "./fixtures.ts";
import { untilChatKept } from "./keptState.ts";
import { untilDone } from "./patience.ts";
import {
	chooseFormat,
	chooseOption,
	lastStep,
	leaveLastStep,
	openFromView,
	openReady,
	renderTimeout,
	selectLines,
	statusItem,
	untilReady,
	untilSubmitted,
	videoTile,
} from "./videoSteps.ts";
import type { Workbench } from "./workbench.ts";

const codeBlock = { text: "```ts\ninterface Order {\n\tid: string;\n}\n```" };

/** Selects three lines of the sample's README and sends them off as a video with the options as they are. */
async function generateFromSelection(workbench: Workbench): Promise<void> {
	await workbench.openFile("README.md");
	await selectLines(workbench, 3);
	await workbench.runCommand("Cutaway: Make Clip from Selection");
	await lastStep(workbench);
	await workbench.screenshot("video-step");
	await chooseOption(workbench, "Length", "2 seconds");
	await (await lastStep(workbench)).press("Enter");
}

/** Where a window keeps its clips. */
const clipsFolder = "data/data/User/globalStorage/cutaway.cutaway/videos/clips";

test("selected text becomes a clip that plays @core", async ({ workbench, testFolder }) => {
	await generateFromSelection(workbench);
	const item = statusItem(workbench);
	await expect(item).toContainText("1 video 0:");
	await workbench.screenshot("video-working");
	await untilReady(workbench);
	await expect(item).toContainText("Corner Roastery");
	// It plays beside the text, which keeps the keys, and nothing else tells of it.
	const tabs = workbench.page.locator(".editor-group-container .tab.active");
	await expect(tabs).toContainText(["README.md", "Corner Roastery"]);
	await expect(workbench.page.locator(".editor-group-container.active .tab.active")).toContainText(
		"README.md",
	);
	await expect(workbench.notifications()).toHaveCount(0);
	await workbench.screenshot("video-ready");

	const preview = await openReady(workbench);
	const video = preview.locator("video");
	await expect(video).toBeVisible();
	const timeOf = (): Promise<number> =>
		video.evaluate(element => (element as HTMLVideoElement).currentTime);
	await expect.poll(timeOf).toBeGreaterThan(0);
	const before = await pixels(video);
	await expect.poll(async () => (await pixels(video)) !== before).toBe(true);
	const duration = await video.evaluate(element => (element as HTMLVideoElement).duration);
	expect(Math.abs(duration - 2)).toBeLessThanOrEqual(1 / 24);
	const clips = join(testFolder, clipsFolder);
	const [name = ""] = await readdir(clips);
	const clip = readWebm(await readFile(join(clips, name)));
	expect(clip).toMatchObject({ codec: "V_VP8", width: 1920, height: 1080 });
	const pictures = await decode(workbench.page, clip);
	expect(pictures.map(({ at }) => at)).toEqual(clip.frames.map(({ at }) => at));
	expect(new Set(pictures.map(({ size }) => size))).toEqual(new Set(["1920x1080"]));
	await workbench.screenshot("video-preview");
});

test("a clip is shown in a README, tried with another look, and exported", async ({
	workbench,
	testFolder,
}) => {
	await generateFromSelection(workbench);
	await untilReady(workbench);
	const preview = await openReady(workbench);
	await preview.getByRole("button", { name: "Insert into README.md" }).click();
	await expect(workbench.page.locator(".quick-input-widget")).toContainText(
		"Insert into README.md",
	);
	await workbench.screenshot("video-readme-place");
	await workbench.pickQuickInput("At the cursor");
	// A long name is wrapped at its point.
	await expect(workbench.page.locator(".editor-instance .view-lines").first()).toContainText(
		"webp)",
	);
	const readme = (): Promise<string> => readFile(join(workbench.folder, "README.md"), "utf8");
	// The editor has the keys a moment after the list is closed.
	await untilDone(async timeout => {
		await workbench.page.keyboard.press("ControlOrMeta+S");
		await expect
			.poll(readme, { timeout })
			.toMatch(/!\[.*Corner Roastery.*\]\(images\/[^)]+\.webp\)/);
	});
	const images = await readdir(join(workbench.folder, "images"));
	const picture = images.find(name => name.endsWith(".webp")) ?? "";
	const webp = await readFile(join(workbench.folder, "images", picture));
	expect(webp.toString("latin1", 8, 16)).toBe("WEBPVP8X");
	expect(webp.includes("ANMF")).toBe(true);

	const tried = await openFromView(workbench, "Corner Roastery");
	await tried.locator(".look summary").click();
	await tried.getByRole("combobox", { name: "Theme" }).selectOption("Solarized Light");
	const drawn = tried.getByRole("img", { name: "The clip's last frame with this look" });
	await expect(drawn).toBeVisible({ timeout: renderTimeout });
	await workbench.screenshot("video-look");
	await tried.getByRole("button", { name: "Apply", exact: true }).click();
	const step = await lastStep(workbench);
	await expect(workbench.page.locator(".quick-input-widget:visible")).toContainText(
		"Solarized Light",
	);
	await step.press("Escape");
	await tried.getByRole("button", { name: "Keep as Default" }).click();
	await expect(tried.getByText("Your changes apply to new clips.")).toBeVisible();
	await tried.getByRole("button", { name: "Reset" }).click();

	// Only frames that are drawn again can be without their background.
	await chooseFormat(workbench, tried, "PNG Image");
	await workbench.pickQuickInput("Transparent background");
	await workbench.pickQuickInput("480 px wide");
	await workbench.answerFileDialog(/\.png$/, join(workbench.folder, "roastery.png"));
	await expect(workbench.page.locator(".statusbar")).toContainText("Saved roastery.png");
	const png = await readFile(join(workbench.folder, "roastery.png"));
	const hasAlpha = 6;
	expect([png.readUInt32BE(16), png[25]]).toEqual([480, hasAlpha]);

	await chooseFormat(workbench, await openFromView(workbench, "Corner Roastery"), "Animated GIF");
	await workbench.pickQuickInput("Captions");
	await expect(workbench.page.locator(".quick-input-widget:visible")).toContainText(
		"fits GitHub (10 MB)",
		{ timeout: renderTimeout },
	);
	await workbench.screenshot("video-export-widths");
	await workbench.pickQuickInput("480 px wide");
	const dialog = workbench.page.locator(".quick-input-widget:visible");
	await expect(dialog).toContainText("Save Animated GIF (", { timeout: renderTimeout });
	await workbench.screenshot("video-export-save");
	await workbench.answerFileDialog(/\.gif$/, join(workbench.folder, "roastery.gif"));
	await expect(workbench.page.locator(".statusbar")).toContainText("Saved roastery.gif");
	const gif = await readFile(join(workbench.folder, "roastery.gif"));
	expect(gif.toString("latin1", 0, 6)).toBe("GIF89a");
	expect(gif.readUInt16LE(6)).toBe(480);

	await chooseFormat(
		workbench,
		await openFromView(workbench, "Corner Roastery"),
		"The Clip's Own File (webm)",
	);
	await workbench.answerFileDialog(/\.webm$/, join(workbench.folder, "roastery.webm"));
	await expect(workbench.page.locator(".statusbar")).toContainText("Saved roastery.webm");
	const clips = join(testFolder, clipsFolder);
	const [name = ""] = await readdir(clips);
	expect(await readFile(join(workbench.folder, "roastery.webm"))).toEqual(
		await readFile(join(clips, name)),
	);
});

test("J19: a window reloaded half-way finds the clip finished, made once", async ({
	workbench,
	testFolder,
}) => {
	await generateFromSelection(workbench);
	await expect(statusItem(workbench)).toContainText("1 video");
	await untilSubmitted(testFolder);
	await workbench.reload();
	const preview = await openReady(workbench);
	await expect(preview.locator("video")).toBeVisible();
	await preview.getByRole("button", { name: "README.md, line 1" }).click();
	await expect(
		workbench.page.locator(".tabs-container .tab.active", { hasText: "README.md" }),
	).toBeVisible();
	await expect(await videoTile(workbench, "Corner Roastery")).toHaveCount(1);
});

test("the Videos view lists what was made and deletes it with a way back", async ({
	workbench,
}) => {
	const { page } = workbench;
	const row = await videoTile(workbench, "Corner");
	const gallery = await workbench.frameWith(".gallery");
	await expect(gallery.getByRole("button", { name: "Make Clip from Selection" })).toBeVisible();
	await workbench.setSideBarWidth(300);
	const title = page.locator(".part.auxiliarybar").getByRole("tab", { name: "Videos" });
	await expect(title).toBeVisible();
	await workbench.screenshot("videos-empty");
	// Looked for from before the key on: it goes by as fast as the clip is drawn.
	await Promise.all([
		expect(row).toContainText("Making", { timeout: renderTimeout }),
		generateFromSelection(workbench),
	]);
	await untilReady(workbench);
	await expect(row).toContainText("Ready");
	await expect(row.locator("img")).toBeVisible();
	await workbench.screenshot("videos-one");

	await row.hover();
	await row.getByRole("button", { name: "Delete Video" }).click();
	const undo = workbench
		.notifications()
		.filter({ hasText: "Deleted" })
		.getByRole("button", { name: "Undo" });
	// VS Code takes a notification off the screen after ten seconds, unless the pointer is on it.
	await undo.hover();
	await expect(row).toHaveCount(0);
	await undo.click();
	await expect(row).toHaveCount(1);
	await row.locator(".open").click();
	await expect(page.getByRole("tab", { name: /^Corner Roastery/ })).toBeVisible();
	const preview = await workbench.frameWith(".preview");
	await expect(preview.locator("video")).toBeVisible();
});

test("a prompt that is too long says by how much and is shortened only on a click", async ({
	workbench,
}) => {
	const { page } = workbench;
	await workbench.openFile("data/orders.csv");
	await page.locator(".editor-instance .view-lines").first().click();
	await page.keyboard.press("ControlOrMeta+A");
	await workbench.runCommand("Cutaway: Make Clip from Selection");
	const dialog = page.getByRole("dialog").filter({ hasText: "The prompt has" });
	await expect(dialog).toContainText(
		/The prompt has [\d,]+ characters, [\d,]+ over the service's limit of 4,000/,
	);
	await expect(dialog).toContainText("ends with:");
	await workbench.screenshot("video-too-long");
	await dialog.getByRole("button", { name: "Shorten at a Line End" }).click();
	await leaveLastStep(workbench);
	await expect(statusItem(workbench)).toBeHidden();
});

test("an answer of the chat becomes a video only once the last step is accepted", async ({
	workbench,
	model,
}) => {
	model.script(codeBlock);
	const chat = await workbench.openChat();
	await ask(chat, "A type for orders");
	await answered(chat);
	await chat.getByRole("button", { name: "Make clip", exact: true }).first().click();
	await leaveLastStep(workbench);
	await expect(statusItem(workbench)).toBeHidden();
	await chat.getByRole("button", { name: "More actions" }).first().click();
	await chat.getByRole("menuitem", { name: "Make clip from code" }).click();
	await (await lastStep(workbench)).press("Enter");
	// The card in sight tells it, so the status bar does not.
	await expect(chat.getByText("Ready", { exact: true })).toBeVisible({ timeout: renderTimeout });
	await expect(statusItem(workbench)).toBeHidden();
	await workbench.screenshot("video-from-chat");
});

test("an image's address under the cursor is offered first, and what is no address is reported", async ({
	workbench,
}) => {
	const { page } = workbench;
	await workbench.openFile("README.md");
	await page.locator(".editor-instance .view-lines").first().click();
	await page.keyboard.press("ControlOrMeta+Home");
	await page.keyboard.type(
		"![cat](https://images.example/cat.png) ![dog](https://images.example/dog.webp) ",
	);
	await page.keyboard.press("ControlOrMeta+Home");
	for (let column = 0; column < 12; column++) {
		await page.keyboard.press("ArrowRight");
	}
	await workbench.runCommand("Cutaway: Make Clip from Image URL…");
	const rows = page.locator(".quick-input-list .monaco-list-row");
	await expect(rows.first()).toContainText("cat.png");
	await expect(rows.first()).toContainText("at the cursor");
	await expect(rows.nth(1)).toContainText("dog.webp");
	await workbench.screenshot("video-image");
	await page.keyboard.type("ftp://nowhere");
	await expect(rows.first()).toContainText("The service can't use this address");
	await page.keyboard.press("Escape");
});

test("a video started from a code block has a card below its question, over a reload and until it is deleted", async ({
	workbench,
	model,
	testFolder,
}) => {
	const { page } = workbench;
	model.script(codeBlock);
	const chat = await workbench.openChat();
	await ask(chat, "A type for orders");
	await answered(chat);
	await chat.getByRole("button", { name: "More actions" }).first().click();
	await chat.getByRole("menuitem", { name: "Make clip from code" }).click();
	const card = chat.locator(".turn .video-card");
	// Looked for from before the key on: it goes by as fast as the clip is drawn.
	await Promise.all([
		expect(card).toContainText(/Making.* \d:\d\d/),
		(await lastStep(workbench)).press("Enter"),
	]);
	await workbench.screenshot("video-card-working");
	await expect(card).toContainText("Ready", { timeout: renderTimeout });

	// The card plays the clip while the pointer is on it.
	const cover = card.getByRole("button", { name: /^Open / });
	await cover.hover();
	const clip = cover.locator("video");
	await expect
		.poll(() => clip.evaluate(element => (element as HTMLVideoElement).currentTime))
		.toBeGreaterThan(0);
	await cover.click();
	const preview = await workbench.frameWith(".preview");
	await expect(preview.locator("video")).toBeVisible();
	await expect(clip).toHaveAttribute("poster", /^data:image/);
	// The list closes again when the preview receives the focus after it opened.
	await untilDone(async timeout => {
		await card.getByRole("button", { name: "More actions" }).click({ timeout });
		await expect(page.locator(".quick-input-list:visible")).toContainText(
			"Change and Make Again…",
			{ timeout },
		);
	});
	await page.keyboard.press("Escape");

	await untilChatKept(workbench, testFolder);
	await workbench.reload();
	const again = (await workbench.chatFrame()).locator(".turn .video-card");
	await expect(again.locator("video")).toHaveAttribute("poster", /^data:image/);
	await workbench.screenshot("video-card-ready");
	const row = await videoTile(workbench, "Order");
	await row.hover();
	await row.getByRole("button", { name: "Delete Video" }).click();
	await expect(row).toHaveCount(0);
	const later = await workbench.openChat();
	await expect(later.getByRole("article", { name: "You" })).toHaveCount(1);
	await expect(later.locator(".turn .video-card")).toHaveCount(0);
});

test("a prompt that is too long is edited in a document that says by how much and leads on", async ({
	workbench,
}) => {
	const { page } = workbench;
	await workbench.openFile("data/orders.csv");
	await page.locator(".editor-instance .view-lines").first().click();
	await page.keyboard.press("ControlOrMeta+A");
	await workbench.runCommand("Cutaway: Make Clip from Selection");
	const dialog = page.getByRole("dialog").filter({ hasText: "The prompt has" });
	await dialog.getByRole("button", { name: "Edit", exact: true }).click();
	const lenses = page.locator(".codelens-decoration");
	await expect(lenses).toContainText(/[\d,]+ characters too many/);
	await page.locator(".editor-instance .view-lines").first().click();
	await page.keyboard.press("ControlOrMeta+A");
	await page.keyboard.type("A paper boat");
	await expect(lenses).toContainText("nothing is requested yet");
	await workbench.screenshot("video-prompt-document");
	const step = page.locator(".quick-input-widget:visible").filter({ hasText: "A paper boat" });
	const generate = (): Promise<void> =>
		// The editor lays the lens out again after every key, and a click that falls into that reaches no lens. One that was
		// taken removes it.
		untilDone(async timeout => {
			if ((await lenses.count()) > 0) {
				await lenses.getByText("Make Clip").click({ timeout });
			}
			await expect(step).toBeVisible({ timeout });
		}, 5_000);
	await generate();
	await step.locator("input").first().press("Escape");
	await expect(step).toHaveCount(0);
	// The document of who leaves at the last step keeps its way on; once the video is started it is closed.
	await generate();
	await step.locator("input").first().press("Enter");
	await expect(page.getByRole("tab", { name: /Untitled/ })).toHaveCount(0);
	await expect(page.locator(".monaco-dialog-box")).toHaveCount(0);
});

/** What the browser's own decoder makes of every frame of a clip. */
async function decode(page: Page, clip: WebmReport): Promise<{ at: number; size: string }[]> {
	const frames = clip.frames.map(({ at, isKey, bytes }) => ({
		at,
		isKey,
		data: Buffer.from(bytes).toString("base64"),
	}));
	return await page.evaluate(async encoded => {
		const pictures: { at: number; size: string }[] = [];
		const failed = Promise.withResolvers<never>();
		const decoder = new VideoDecoder({
			output: picture => {
				const size = `${picture.codedWidth}x${picture.codedHeight}`;
				pictures.push({ at: picture.timestamp / 1000, size });
				picture.close();
			},
			error: error => failed.reject(error),
		});
		decoder.configure({ codec: "vp8" });
		for (const { at, isKey, data } of encoded) {
			decoder.decode(
				new EncodedVideoChunk({
					type: isKey ? "key" : "delta",
					timestamp: at * 1000,
					data: Uint8Array.from(atob(data), character => character.charCodeAt(0)),
				}),
			);
		}
		await Promise.race([decoder.flush(), failed.promise]);
		return pictures;
	}, frames);
}

/** The clip's present picture, as a word that differs when the picture does. */
function pixels(video: Locator): Promise<string> {
	return video.evaluate(element => {
		const canvas = document.createElement("canvas");
		[canvas.width, canvas.height] = [160, 90];
		const context = canvas.getContext("2d", { willReadFrequently: true });
		context?.drawImage(element as HTMLVideoElement, 0, 0, 160, 90);
		return (context?.getImageData(0, 0, 160, 90).data ?? []).join("");
	});
}
