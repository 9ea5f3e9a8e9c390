import { type Frame, type Page, expect } from "@playwright/test";
import { answered, answers, conversation } from "./chatView.ts";
import { modelTest as test } from "./fixtures.ts";
import { takePictures } from "./pictures.ts";
import { lastStep, renderTimeout } from "./videoSteps.ts";
import type { Workbench } from "./workbench.ts";
import { untilDone } from "./patience.ts";

// Every step below is a key: no locator is clicked, filled, hovered or focused.

/** An answer with a block of code. */
const code = (text: string) => ({ text: `A greeting:\n\n\`\`\`ts\n${text}\n\`\`\`` });

/** Runs a command from the palette. */
async function command({ page }: Workbench, title: string): Promise<void> {
	const first = page.locator(".quick-input-list .monaco-list-row").first();
	// A key pressed while the window still wires itself up is lost.
	await untilDone(async timeout => {
		await page.keyboard.press("Escape");
		await page.keyboard.press("F1");
		await expect(page.locator(".quick-input-widget:visible input")).toBeFocused({ timeout });
		await page.keyboard.type(title);
		await expect(first).toContainText(title, { timeout });
	});
	await page.keyboard.press("Enter");
}

/** The name of what has the focus in the chat. */
function focusedName(chat: Frame): Promise<string> {
	return chat.evaluate(() => {
		const { activeElement: active } = document;
		// A page remembers its element also while the keys go elsewhere in the window.
		return active === document.body || !document.hasFocus()
			? ""
			: (active?.ariaLabel ?? active?.textContent.trim() ?? "");
	});
}

/** Presses a key until a control has the focus. */
async function goTo(
	page: Page,
	chat: Frame,
	name: string,
	key: "Tab" | "Shift+Tab" = "Shift+Tab",
): Promise<void> {
	const passed: string[] = [];
	for (let presses = 0; presses < 60; presses++) {
		const before = await focusedName(chat);
		if (before === name) {
			return;
		}
		passed.push(before);
		await page.keyboard.press(key);
	}
	throw new Error(`${key} does not reach ${name}, only ${passed.join(", ")}.`);
}

async function press(page: Page, chat: Frame, name: string): Promise<void> {
	await goTo(page, chat, name);
	await page.keyboard.press("Enter");
}

/** Types a question where the cursor is, which is the message's box, and sends it; resolves once the chat shows it. */
async function askByKeys(page: Page, chat: Frame, text: string): Promise<void> {
	const questions = chat.getByRole("article", { name: "You" });
	const before = await questions.count();
	await expect.poll(() => focusedName(chat)).toBe("Message");
	await page.keyboard.type(text);
	await expect
		.poll(() => chat.getByRole("textbox", { name: "Message" }).inputValue())
		.toContain(text);
	await page.keyboard.press("Enter");
	await expect(questions).toHaveCount(before + 1);
}

/** Empties the message's box, where the cursor is: VS Code selects everything in a webview a moment after the key. */
async function emptyMessage(page: Page, chat: Frame): Promise<void> {
	const message = chat.getByRole("textbox", { name: "Message" });
	await untilDone(async timeout => {
		if ((await message.inputValue()) !== "") {
			await page.keyboard.press("ControlOrMeta+A");
			await page.keyboard.press("Delete");
		}
		await expect(message).toHaveValue("", { timeout });
	}, 500);
}

test("a chat is led, an answer stopped and asked for again, code copied and a question changed, by keys alone", async ({
	workbench,
	editorServer,
	settings,
	model,
}) => {
	model.script(
		{ text: "It runs until it is stopped.", until: new Promise(() => undefined) },
		code('const greeting = "Hello";'),
	);
	const { page } = workbench;
	await command(workbench, "Cutaway: Open Chat");
	const chat = await workbench.chatFrame();

	await askByKeys(page, chat, "Take your time");
	await expect(answers(chat).first()).toContainText(/\w{3}/);
	await page.keyboard.press("Escape");
	await expect(conversation(chat).getByText(/^Stopped/)).toBeVisible();
	await answered(chat);
	await workbench.screenshot("keyboard-stopped");

	await askByKeys(page, chat, "A greeting");
	await answered(chat);
	await press(page, chat, "Copy code");
	await workbench.screenshot("keyboard-copy");
	const copied = (await chat.locator("pre code").last().textContent()) ?? "";
	await goTo(page, chat, "Message", "Tab");
	// The code reaches the clipboard by way of the extension; nothing in sight says when it is there.
	await untilDone(async timeout => {
		await emptyMessage(page, chat);
		await page.keyboard.press("ControlOrMeta+V");
		await expect(chat.getByRole("textbox", { name: "Message" })).toHaveValue(copied, { timeout });
	});
	await emptyMessage(page, chat);

	await press(page, chat, "Retry");
	// Not Stop, which shows for a second only: the answer is short.
	await expect(chat.getByLabel("Version 2 of 2", { exact: true })).toBeVisible();
	await answered(chat);
	await goTo(page, chat, "Message", "Tab");

	await press(page, chat, "Edit");
	await expect.poll(() => focusedName(chat)).toBe("Edit message");
	// Not Ctrl+A: VS Code selects everything in a webview a moment after the key, by then some of the words are written.
	await page.keyboard.press("Shift+Home");
	await page.keyboard.type("In Python");
	await page.keyboard.press("Enter");
	await expect(chat.getByRole("article", { name: "You" }).last()).toContainText("In Python");
	await answered(chat);
	await workbench.screenshot("keyboard-edited");

	await command(workbench, "Cutaway: Show Accessibility Help");
	// The editor draws its spaces as unbreakable ones.
	const help = page.locator(".editor-instance .view-lines");
	await expect(help).toContainText(/This.is.the.Cutaway.chat/);
	await expect(help).toContainText(/Next.Code.Block.\(Ctrl\+Alt\+PageDown/);
	await takePictures(workbench, editorServer, "accessibility-help", settings);
});

test("a file is attached, the model changed, a video made and an older chat opened, by keys alone", async ({
	workbench,
	model,
}) => {
	model.script(code("interface Greeting {}"));
	const { page } = workbench;
	await command(workbench, "Cutaway: Open Chat");
	const chat = await workbench.chatFrame();

	await expect.poll(() => focusedName(chat)).toBe("Message");
	await page.keyboard.type("@orders.csv");
	await expect(chat.getByRole("option").first()).toContainText("orders.csv");
	await page.keyboard.press("Enter");
	await expect(chat.getByRole("list", { name: "Attachments" })).toContainText("orders.csv");
	await workbench.screenshot("keyboard-attached");

	await goTo(page, chat, "Model", "Tab");
	await page.keyboard.press("Space");
	await page.keyboard.press("End");
	await page.keyboard.press("Enter");
	const another = page.locator(".quick-input-list .monaco-list-row").filter({ hasText: "another" });
	await expect(another).toHaveCount(1);
	await page.keyboard.type("another");
	await expect(page.locator(".quick-input-list .monaco-list-row").first()).toContainText("another");
	await page.keyboard.press("Enter");
	await expect(chat.getByRole("combobox", { name: "Model" })).toHaveValue("lm/another");

	await goTo(page, chat, "Message");
	await askByKeys(page, chat, "Its type?");
	await answered(chat);
	await press(page, chat, "Make clip");
	await lastStep(workbench);
	await page.keyboard.press("Enter");
	const card = chat.locator(".turn .video-card");
	await expect(card).toContainText("Ready", { timeout: renderTimeout });
	await workbench.screenshot("keyboard-video");

	await command(workbench, "Cutaway: New Chat");
	await expect(chat.getByRole("heading", { name: "Ask Cutaway" })).toBeVisible();
	await expect.poll(() => focusedName(chat)).toBe("Message");
	// A title bar that is drawn again between the button's focus and the key takes the key.
	await untilDone(async timeout => {
		await workbench.titleButton("History").press("Enter", { timeout });
		await expect(page.locator(".quick-input-widget:visible input")).toBeFocused({ timeout });
	});
	await expect(page.locator(".quick-input-list .label-name").first()).toContainText("Its type?");
	await workbench.screenshot("keyboard-history");
	await page.keyboard.type("its type");
	await page.keyboard.press("Enter");
	await expect(chat.getByRole("article", { name: "You" })).toContainText("Its type?");
});
