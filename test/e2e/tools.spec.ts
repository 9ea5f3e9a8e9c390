import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Frame, Locator } from "@playwright/test";
import { answered, answers, ask } from "./chatView.ts";
import { expect, modelTest as test } from "./fixtures.ts";
import { throughLocalService } from "../helpers/scriptedModel.ts";
import { takePictures } from "./pictures.ts";
import { renderTimeout, selectLines } from "./videoSteps.ts";
import type { Workbench } from "./workbench.ts";

const pricing = "src/pricing.ts";

/** The sample's first two lines in capitals. */
async function upperCase(workbench: Workbench): Promise<string> {
	const lines = (await textOf(workbench)).split("\n").slice(0, 2);
	return `${lines.join("\n").toUpperCase()}\n`;
}

function textOf({ folder }: Workbench, path = pricing): Promise<string> {
	return readFile(join(folder, path), "utf8");
}

/** The card of a tool, by its title. */
function card(chat: Frame, title: string): Locator {
	return chat.getByRole("group", { name: `Tool: ${title}` });
}

/** Opens the sample's source with its first lines selected, and the chat. */
async function openWithSelection(workbench: Workbench, lines: number): Promise<Frame> {
	await workbench.openFile(pricing);
	const chat = await workbench.openChat();
	await selectLines(workbench, lines);
	return chat;
}

async function allow(request: Locator): Promise<void> {
	await request.getByRole("button", { name: "Allow", exact: true }).click();
	await expect(request.getByRole("button", { name: "Allow", exact: true })).toHaveCount(0);
}

/** Presses keys in the open editor, once no diff of a proposal is in front of it. */
async function pressInEditor({ page }: Workbench, ...keys: readonly string[]): Promise<void> {
	await expect(page.locator(".tab", { hasText: "proposed" })).toHaveCount(0);
	await page.locator(".editor-instance .view-lines").first().click();
	for (const key of keys) {
		await page.keyboard.press(key);
	}
}

test("the selection is read: its text is on a card, and nothing is asked", async ({
	workbench,
	editorServer,
	settings,
	model,
}) => {
	const chat = await openWithSelection(workbench, 8);
	model.script(
		{ calls: [["get_selection", {}]] },
		{ text: "The selection begins with `export interface OrderLine`." },
	);
	await ask(chat, "Show the selection");
	await answered(chat);
	const read = card(chat, "Read the selection");
	await expect(read).toContainText("Done");
	await read.locator("summary").first().click();
	await expect(read.getByText("export interface OrderLine")).toBeVisible();
	await expect(answers(chat).last()).toContainText("export interface OrderLine");
	await takePictures(workbench, editorServer, "tools-explain", settings);
});

test("the selection is made upper case: a diff, Allow, one undo step back", async ({
	workbench,
	editorServer,
	settings,
	model,
}) => {
	const { page } = workbench;
	const chat = await openWithSelection(workbench, 2);
	const before = await textOf(workbench);
	model.script({ calls: [["replace_selection", { text: await upperCase(workbench) }]] });
	await ask(chat, "Make the selection upper case");
	const change = card(chat, "Replace the selection");
	await expect(change.getByRole("button", { name: "Allow", exact: true })).toBeEnabled();
	await expect(page.locator(".tab.active", { hasText: "pricing.ts" })).toContainText("proposed");
	await expect(page.locator(".diff-editor, .monaco-diff-editor").first()).toBeVisible();
	expect(await textOf(workbench)).toBe(before);
	await takePictures(workbench, editorServer, "tools-upper-case-asking", settings);
	await allow(change);
	await answered(chat);
	await expect(change).toContainText("Done");
	const [first = "", second = "", ...rest] = before.split("\n");
	const expected = [first.toUpperCase(), second.toUpperCase(), ...rest].join("\n");
	await expect.poll(() => textOf(workbench)).toBe(expected);
	await workbench.screenshot("tools-upper-case-done");
	await pressInEditor(workbench, "ControlOrMeta+Z", "ControlOrMeta+S");
	await expect.poll(() => textOf(workbench)).toBe(before);
});

test("a change that is denied with a reason is not made, and the reason goes back to the model", async ({
	workbench,
	editorServer,
	settings,
	model,
}) => {
	const chat = await openWithSelection(workbench, 2);
	const before = await textOf(workbench);
	model.script(
		{ calls: [["get_selection", {}]] },
		{ calls: [["replace_selection", { text: await upperCase(workbench) }]] },
		{ text: "Then they stay as they are." },
	);
	await ask(chat, "Make the selection upper case");
	const change = card(chat, "Replace the selection");
	await change.getByLabel("Why not").fill("capitals are hard to read");
	await change.getByRole("button", { name: "Deny" }).click();
	await answered(chat);
	await expect(change).toContainText("Denied");
	await expect(answers(chat).last()).toContainText("Then they stay as they are.");
	expect(model.questions.at(-1)).toContain("capitals are hard to read");
	await expect(workbench.page.locator(".tab", { hasText: "proposed" })).toHaveCount(0);
	expect(await textOf(workbench)).toBe(before);
	await takePictures(workbench, editorServer, "tools-denied", settings);
});

test("the open file is renamed, and its editor follows", async ({ workbench, model }) => {
	await workbench.openFile(pricing);
	const before = await textOf(workbench);
	const chat = await workbench.openChat();
	model.script({ calls: [["rename_file", { path: pricing, newPath: "src/prices.ts" }]] });
	await ask(chat, "Rename this file to prices.ts");
	const rename = card(chat, "Rename a file");
	await expect(rename.getByRole("button", { name: "Allow", exact: true })).toBeEnabled();
	await workbench.screenshot("tools-rename");
	await allow(rename);
	await answered(chat);
	await expect(workbench.page.locator(".tab.active", { hasText: "prices.ts" })).toBeVisible();
	expect(await textOf(workbench, "src/prices.ts")).toBe(before);
	await expect(stat(join(workbench.folder, pricing))).rejects.toThrow("ENOENT");
});

test.describe("with tall clips", () => {
	test.use({
		settings: ({ model }, use) =>
			use({ ...throughLocalService(model), "cutaway.localService.video.shape": "9:16" }),
	});

	test("a video of the selection is asked for, with its shape and without a word of money where it is free, and its card is in the conversation", async ({
		workbench,
		editorServer,
		settings,
		model,
	}) => {
		const chat = await openWithSelection(workbench, 3);
		model.script({ calls: [["generate_video", { prompt: "export interface OrderLine {" }]] });
		await ask(chat, "Make a video of the selection");
		const video = card(chat, "Make a video");
		await expect(video.getByRole("button", { name: "Allow", exact: true })).toBeVisible();
		await expect(video).not.toContainText("money");
		await expect(video.getByText("9:16", { exact: true })).toBeVisible();
		await allow(video);
		await answered(chat);
		const clip = chat.locator(".turn .video-card");
		await expect(clip).toBeVisible();
		await expect(clip).toContainText("Ready", { timeout: renderTimeout });
		await takePictures(workbench, editorServer, "tools-video", settings);
	});
});

const block = `\`\`\`ts src/pricing.ts
function roundToCents(amount: number): number {
	return Math.round(amount * 1000) / 1000;
}
\`\`\``;

test.describe("a code block", () => {
	test("is applied where it belongs, after a diff, and taken back in one step", async ({
		workbench,
		editorServer,
		settings,
		model,
	}) => {
		const { page } = workbench;
		await workbench.openFile(pricing);
		const before = await textOf(workbench);
		const chat = await workbench.openChat();
		model.script({ text: block });
		await ask(chat, "Round finer");
		await answered(chat);
		await answers(chat).last().getByRole("button", { name: "Apply" }).click();
		const apply = card(chat, "Apply the code");
		await expect(apply.getByRole("button", { name: "Allow", exact: true })).toBeEnabled();
		await expect(apply.getByRole("button", { name: "Allow in this chat" })).toHaveCount(0);
		await expect(page.locator(".tab.active", { hasText: "pricing.ts" })).toContainText("proposed");
		await takePictures(workbench, editorServer, "tools-apply", settings);
		await allow(apply);
		await expect(apply).toContainText("Done");
		const expected = before.replace(
			"Math.round(amount * 100) / 100",
			"Math.round(amount * 1000) / 1000",
		);
		expect(expected).not.toBe(before);
		await expect.poll(() => textOf(workbench)).toBe(expected);
		await pressInEditor(workbench, "ControlOrMeta+Z", "ControlOrMeta+S");
		await expect.poll(() => textOf(workbench)).toBe(before);
	});

	test("whose place is not clear is asked about, and goes where the user says", async ({
		workbench,
		editorServer,
		settings,
		model,
	}) => {
		const { page } = workbench;
		await workbench.openFile(pricing);
		const before = await textOf(workbench);
		const chat = await workbench.openChat();
		model.script({ text: "```ts src/pricing.ts\nconsole.log(roundToCents(1.005));\n```" });
		await ask(chat, "Try it");
		await answered(chat);
		await answers(chat).last().getByRole("button", { name: "Apply" }).click();
		const question = page.locator(".quick-input-widget:visible");
		await expect(question).toContainText("Where does this code go in src/pricing.ts?");
		await expect(question).toContainText("Compare with the whole file");
		await takePictures(workbench, editorServer, "tools-apply-where", settings);
		await question.getByText("At the end of the file").click();
		const apply = card(chat, "Apply the code");
		await expect(page.locator(".tab.active", { hasText: "pricing.ts" })).toContainText("proposed");
		expect(await textOf(workbench)).toBe(before);
		await allow(apply);
		await expect.poll(() => textOf(workbench)).toBe(`${before}console.log(roundToCents(1.005));\n`);
		await pressInEditor(workbench, "ControlOrMeta+Z", "ControlOrMeta+S");
		await expect.poll(() => textOf(workbench)).toBe(before);
	});

	test("changes its function alone, in a file with others", async ({ workbench, model }) => {
		await workbench.openFile(pricing);
		const before = await textOf(workbench);
		const chat = await workbench.openChat();
		const text =
			"```ts src/pricing.ts\n// ... existing code ...\n\nexport function halved(amount: number): number {\n    return amount / 2;\n}\n```";
		model.script({ text });
		await ask(chat, "Halve it");
		await answered(chat);
		await answers(chat).last().getByRole("button", { name: "Apply" }).click();
		await allow(card(chat, "Apply the code"));
		await expect.poll(() => textOf(workbench)).toContain("halved");
		const kept = (await textOf(workbench)).split("\n");
		expect(before.split("\n").filter(line => !kept.includes(line))).toEqual([]);
		expect(kept).not.toContain("// ... existing code ...");
		await pressInEditor(workbench, "ControlOrMeta+Z", "ControlOrMeta+S");
		await expect.poll(() => textOf(workbench)).toBe(before);
	});

	test("becomes a file at a path that is asked for and must be free", async ({
		workbench,
		model,
	}) => {
		const { page } = workbench;
		const chat = await workbench.openChat();
		model.script({ text: "```python\nclass Greeting:\n    pass\n```" });
		await ask(chat, "A greeting in Python");
		await answered(chat);
		await answers(chat).last().getByRole("button", { name: "More actions" }).click();
		await chat.getByRole("menuitem", { name: "New file" }).click();
		const input = page.locator(".quick-input-widget:visible input");
		await expect(input).toHaveValue("untitled.py");
		await input.fill("../outside.py");
		await expect(page.locator(".quick-input-widget")).toContainText("leads out of the workspace");
		await input.fill("scripts/sales_report.py");
		await expect(page.locator(".quick-input-widget")).toContainText("already");
		await input.fill("lib/greeting.py");
		await input.press("Enter");
		const create = card(chat, "Create a file");
		await allow(create);
		await expect(create).toContainText("Done");
		expect(await textOf(workbench, "lib/greeting.py")).toContain("class Greeting:");
	});
});
