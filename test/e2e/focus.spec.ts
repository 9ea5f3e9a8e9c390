import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Locator, Page } from "@playwright/test";
import { answered, ask } from "./chatView.ts";
import { clickEntry, contextMenu } from "./contextMenu.ts";
import { expect, test } from "./fixtures.ts";
import { quickInput } from "./workbench.ts";

test("what is typed after a list that the chat opened, chosen or left, is in the message and never in the source file", async ({
	workbench,
}) => {
	const { page, folder } = workbench;
	const source = await readFile(join(folder, "src/pricing.ts"), "utf8");
	await workbench.openFile("src/pricing.ts");
	const chat = await workbench.openChat();
	const message = chat.getByRole("textbox", { name: "Message" });
	const paperclip = (): Promise<void> => chat.getByRole("button", { name: "Attach files" }).click();
	const history = (): Promise<void> => workbench.titleButton("History").click();
	const model = async (): Promise<void> => {
		await chat.getByRole("combobox", { name: "Model" }).selectOption("");
	};
	const leave = (): Promise<void> => page.keyboard.press("Escape");
	const attach = (): Promise<void> => workbench.answerQuickInput("orders.csv");
	let written = "";
	for (const [open, close] of [
		[paperclip, leave],
		[paperclip, attach],
		[history, leave],
		[model, leave],
		// The rows come once the servers on this machine have been asked.
		[model, () => workbench.pickQuickInput("Demo")],
	] as const) {
		await open();
		await quickInput(page).waitFor();
		await close();
		await expect(quickInput(page)).toBeHidden();
		await expect(message).toBeFocused();
		await page.keyboard.type("words ");
		written += "words ";
		await expect(message).toHaveValue(written);
	}
	await message.fill("/video a wave");
	await page.keyboard.press("Enter");
	await quickInput(page).waitFor();
	await leave();
	await expect(quickInput(page)).toBeHidden();
	await expect(message).toBeFocused();
	await page.keyboard.type("words ");
	await expect(message).toHaveValue(/words $/u);
	await expect(page.locator(".monaco-editor .view-lines").first()).not.toContainText("words");
	expect(await readFile(join(folder, "src/pricing.ts"), "utf8")).toBe(source);
});

/** Chooses a command of the chat's title bar. */
async function choose(page: Page, command: string): Promise<void> {
	await page
		.locator(".part.auxiliarybar")
		.getByRole("button", { name: /More Actions/ })
		.click();
	await clickEntry(contextMenu(page), command);
}

test("what is typed after a command of the chat's menu is in the message, and after one of the palette in the editor", async ({
	workbench,
}) => {
	const { page, folder } = workbench;
	await workbench.openFile("src/pricing.ts");
	const chat = await workbench.openChat();
	await ask(chat, "Hello");
	await answered(chat);
	// A reload replaces the page.
	const box = async (): Promise<Locator> =>
		(await workbench.chatFrame()).getByRole("textbox", { name: "Message" });
	const leave = async (): Promise<void> => {
		await quickInput(page).waitFor();
		await page.keyboard.press("Escape");
	};
	const told = (text: RegExp) => (): Promise<void> =>
		expect(page.locator(".statusbar")).toContainText(text);
	const noted = (text: string) => (): Promise<void> =>
		expect(workbench.notifications().filter({ hasText: text }).first()).toBeVisible();
	const save = async (): Promise<void> => {
		await workbench.pickQuickInput("JSON");
		await workbench.answerFileDialog(/Hello\.json$/, join(folder, "kept.json"));
		await noted("kept.json")();
	};
	const read = async (): Promise<void> => {
		await workbench.answerFileDialog(/\/$/, join(folder, "kept.json"));
		await expect((await workbench.chatFrame()).getByRole("article")).toHaveCount(2);
	};
	for (const [command, close] of [
		["Search Chats…", leave],
		["Rename Chat…", leave],
		["Toggle Chat Pin", told(/is pinned/)],
		["Archive or Unarchive Chat", noted("Archived")],
		["Archive or Unarchive Chat", noted("no longer archived")],
		["Copy Chat as Markdown", told(/copied/)],
		["Export Chat…", leave],
		["Export Chat…", save],
		["Duplicate Chat", told(/a copy of/)],
		["Reload Chat View", () => expect.poll(() => chat.isDetached()).toBe(true)],
		["Delete Chat", noted("Deleted")],
		["Import Chat…", leave],
		["Import Chat…", read],
	] as const) {
		await choose(page, command);
		await close();
		await expect(quickInput(page)).toBeHidden();
		await expect(async () => {
			await expect(await box(), command).toBeFocused({ timeout: 1000 });
		}).toPass();
		await page.keyboard.type("words");
		await expect(await box(), command).toHaveValue("words");
		await page.keyboard.press("ControlOrMeta+A");
		await page.keyboard.press("Delete");
	}
	const message = await box();
	await message.press("ControlOrMeta+Shift+O");
	await leave();
	await expect(message).toBeFocused();
	await page.keyboard.type("@chat");
	await (await workbench.chatFrame()).getByRole("option", { name: /An earlier chat/ }).click();
	await leave();
	await expect(message).toBeFocused();
	await message.fill("");
	const editor = page.locator(".editor-instance .monaco-editor.focused");
	await workbench.openFile("src/pricing.ts");
	await workbench.runCommand("Cutaway: Search Chats…");
	// Until it opens, the list of commands may still be there.
	await expect(page.locator(".quick-input-title:visible")).toHaveText("History");
	await leave();
	await expect(editor).toBeVisible();
	await page.keyboard.type("words");
	await expect(editor).toContainText("words");
	await expect(message).toHaveValue("");
});
