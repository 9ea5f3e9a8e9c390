import type { Locator, Page } from "@playwright/test";
import type { ChatSettingsView } from "../../src/shared/slash.ts";
import { expect, test } from "./fixtures.ts";
import { chatSettings, emptyChat, messageOf, turnOf } from "./states.ts";

const view: ChatSettingsView = {
	...chatSettings,
	library: [...chatSettings.library, { name: "Poet", text: "Answer in verse." }],
};
const chosen = {
	...emptyChat,
	composer: { ...emptyChat.composer, choices: ["System prompt: Reviewer", "Temperature 0.2"] },
};

test("what a chat is asked with besides the model is shown above the switches, and opens the form", async ({
	chat,
}) => {
	await chat.open(chosen);
	await chat.answer("chatSettings", view);
	const { page } = chat;
	const button = page.getByRole("button", { name: "Chat settings", exact: true });
	await expect(button).toHaveAttribute(
		"aria-description",
		"System prompt: Reviewer · Temperature 0.2",
	);
	await page.getByText("Temperature 0.2").click();
	await expect(page.getByRole("dialog", { name: "Chat settings" })).toBeVisible();
	await expect(page.getByRole("textbox", { name: "System prompt" })).toBeFocused();
});

test("in a narrow view the choices take another line rather than end in the middle of one", async ({
	chat,
}) => {
	await chat.page.setViewportSize({ width: 300, height: 600 });
	await chat.open(chosen);
	const choices = chat.page.locator(".choices span");
	await expect(choices).toHaveCount(2);
	for (const choice of await choices.all()) {
		expect(await choice.evaluate(span => span.scrollWidth - span.clientWidth)).toBe(0);
		await expect(choice).toBeInViewport({ ratio: 1 });
	}
});

test("the form is as wide as the composer below it, and its numbers fill a wide one", async ({
	chat,
}) => {
	const { page } = chat;
	await page.setViewportSize({ width: 600, height: 900 });
	await chat.open(emptyChat);
	await chat.answer("chatSettings", view);
	await page.getByRole("button", { name: "Chat settings", exact: true }).click();
	const edges = async (place: Locator): Promise<readonly number[]> => {
		const box = await place.boundingBox();
		return box ? [Math.round(box.x), Math.round(box.x + box.width)] : [];
	};
	const form = page.getByRole("dialog", { name: "Chat settings" });
	expect(await edges(form)).toEqual(await edges(page.locator(".composer")));
	const [, end] = await edges(page.getByRole("textbox", { name: "System prompt" }));
	expect((await edges(page.getByRole("textbox", { name: "Max tokens" })))[1]).toBe(end);
});

test("the form is worked by keyboard: a library's prompt, a value, one put back, saved with Enter", async ({
	chat,
}) => {
	await chat.open(emptyChat);
	await chat.answer("chatSettings", view);
	await chat.answer("saveChatSettings", { faults: [] });
	const { page } = chat;
	const button = page.getByRole("button", { name: "Chat settings", exact: true });
	await button.press("Enter");
	const prompt = page.getByRole("textbox", { name: "System prompt" });
	await expect(prompt).toBeFocused();
	await page
		.getByRole("combobox", { name: "System prompts of your library" })
		.selectOption("Reviewer");
	await expect(prompt).toHaveValue("Answer as a strict reviewer.");
	await page.getByRole("button", { name: "Reset Temperature to its default" }).press("Enter");
	await page.getByRole("textbox", { name: "Top P" }).fill("0.9");
	await page.getByRole("textbox", { name: "Top P" }).press("Enter");
	await expect(page.getByRole("dialog")).toHaveCount(0);
	await expect(button).toBeFocused();
	expect(await chat.requests("saveChatSettings")).toEqual([
		{
			chatId: "chat",
			values: {
				...chatSettings.defaults,
				systemPrompt: "Answer as a strict reviewer.",
				topP: "0.9",
			},
		},
	]);
});

test("an error is shown at its field, which gets the cursor; nothing entered is lost", async ({
	chat,
}) => {
	await chat.open(emptyChat);
	await chat.answer("chatSettings", view);
	const sentence = "This is not JSON: look at line 1, column 3.";
	await chat.answer("saveChatSettings", { faults: [{ name: "extraParameters", sentence }] });
	const { page } = chat;
	await page.getByRole("button", { name: "Chat settings", exact: true }).click();
	const extra = page.getByRole("textbox", { name: "Extra parameters" });
	await extra.fill("{ seed: 7 }");
	await page.getByRole("button", { name: "Save", exact: true }).click();
	await expect(extra).toBeFocused();
	await expect(extra).toHaveAttribute("aria-invalid", "true");
	await expect(extra).toHaveAccessibleDescription(/line 1, column 3/);
	await page.keyboard.press("Escape");
	await expect(page.getByRole("dialog")).toHaveCount(0);
	await page.getByRole("button", { name: "Chat settings", exact: true }).click();
	await expect(extra).toHaveValue("{ seed: 7 }");
	await page.getByRole("button", { name: "Cancel", exact: true }).click();
	await page.getByRole("button", { name: "Chat settings", exact: true }).click();
	await expect(extra).toHaveValue("");
});

test("what is wrong with a field is in sight below it, in a narrow and low view too", async ({
	chat,
}) => {
	const sentence = 'Extra parameters are a JSON object, such as { "seed": 7 }. This is none.';
	const { page } = chat;
	await page.setViewportSize({ width: 300, height: 480 });
	await chat.open(emptyChat);
	await chat.answer("chatSettings", view);
	await chat.answer("saveChatSettings", { faults: [{ name: "extraParameters", sentence }] });
	await page.getByRole("button", { name: "Chat settings", exact: true }).click();
	const field = page.getByRole("textbox", { name: "Extra parameters" });
	await field.fill("[");
	await page.getByRole("textbox", { name: "System prompt" }).focus();
	await page.keyboard.press("ControlOrMeta+Enter");
	await expect(field).toBeFocused();
	await expect(page.getByText(sentence)).toBeInViewport({ ratio: 0.95 });
});

test("what was entered and not saved is there again after a reload, until it is dropped", async ({
	chat,
}) => {
	const { page } = chat;
	const openForm = async (): Promise<void> => {
		await chat.answer("chatSettings", view);
		await page.getByRole("button", { name: "Chat settings", exact: true }).click();
	};
	const prompt = page.getByRole("textbox", { name: "System prompt" });
	await chat.open(emptyChat);
	await openForm();
	await prompt.fill("Answer as a pirate.");
	await chat.open(emptyChat);
	await openForm();
	await expect(prompt).toHaveValue("Answer as a pirate.");
	await page.getByRole("button", { name: "Cancel", exact: true }).click();
	await chat.open(emptyChat);
	await openForm();
	await expect(prompt).toHaveValue("");
});

/** Opens the form by its button, or from the menu that holds the button where the view is narrow. */
async function openForm(page: Page): Promise<void> {
	const more = page.getByRole("button", { name: "More options" });
	const settings = page.getByRole("button", { name: "Chat settings" });
	await expect(more.or(settings)).toBeVisible();
	if (await more.isVisible()) {
		await more.click();
		await page.getByRole("menuitem", { name: "Chat settings" }).click();
	} else {
		await settings.click();
	}
}

test("the form takes most of a narrow view, and the message box stays in sight", async ({
	chat,
}) => {
	for (const [width, height] of [
		[300, 760],
		[150, 600],
	] as const) {
		await chat.page.setViewportSize({ width, height });
		await chat.open(emptyChat);
		await chat.answer("chatSettings", view);
		await openForm(chat.page);
		const form = await chat.page.getByRole("dialog", { name: "Chat settings" }).boundingBox();
		const composer = await chat.page.locator(".composer").boundingBox();
		expect(form?.height).toBeGreaterThan(height * 0.6);
		expect((composer?.y ?? height) + (composer?.height ?? height)).toBeLessThanOrEqual(height);
	}
});

test("every field and button of the form can be reached and seen in a low view, at 200 % zoom and in the panel", async ({
	chat,
}) => {
	for (const [width, height] of [
		[160, 294],
		[730, 256],
	] as const) {
		await chat.page.setViewportSize({ width, height });
		await chat.open(emptyChat);
		await chat.answer("chatSettings", view);
		await openForm(chat.page);
		const form = chat.page.getByRole("dialog", { name: "Chat settings" });
		await expect(form).toBeVisible();
		const parts = form.locator("input, textarea, select, button");
		expect(await parts.count()).toBeGreaterThan(8);
		for (const part of await parts.all()) {
			// What is still laid out may move a part that has the focus.
			await expect(async () => {
				await part.blur();
				await part.focus();
				await expect(part).toBeInViewport({ ratio: 0.75, timeout: 1_000 });
			}).toPass();
		}
	}
});

test("many queued messages take the message box from nobody: they scroll while the form is open", async ({
	chat,
}) => {
	const { page } = chat;
	const items = Array.from({ length: 12 }, (_, index) => ({
		id: `q${index}`,
		text: "And then write tests for it, please.",
		model: "llm-4-turbo",
		files: [],
		isSending: false,
	}));
	const paused = "The answer failed. The queue waits for you.";
	await chat.open({ ...emptyChat, queue: { ...emptyChat.queue, items, paused } });
	await chat.answer("chatSettings", view);
	await page.getByRole("button", { name: "Chat settings", exact: true }).click();
	for (const [width, height] of [
		[300, 950],
		[300, 480],
		[600, 480],
	] as const) {
		await page.setViewportSize({ width, height });
		await expect(page.getByRole("textbox", { name: "Message" })).toBeInViewport({ ratio: 1 });
		const last = page.getByRole("textbox", { name: "Extra parameters" });
		await last.scrollIntoViewIfNeeded();
		await expect(last).toBeInViewport();
		await expect(page.getByRole("button", { name: "Save" })).toBeInViewport();
	}
});

test("the model is chosen by its name, and any other by its id", async ({ chat }) => {
	const { page } = chat;
	const ids = ["127.0.0.1-18744/qwen3-coder-30b", "127.0.0.1-18744/gpt-oss-20b"] as const;
	const values = { ...view.values, model: ids[0] };
	await chat.open(emptyChat);
	await chat.answer("chatSettings", { ...view, models: ids, values, defaults: values });
	await chat.answer("saveChatSettings", { faults: [] });
	const sheet = page.getByRole("dialog", { name: "Chat settings" });
	const saved = async (): Promise<unknown> => {
		await page.keyboard.press("ControlOrMeta+Enter");
		await expect(sheet).toHaveCount(0);
		return (await chat.requests("saveChatSettings")).at(-1);
	};
	const open = page.getByRole("button", { name: "Chat settings", exact: true });
	await open.click();
	const list = sheet.getByRole("combobox", { name: "Model" });
	await expect(list.locator("option")).toHaveText([
		"qwen3-coder-30b",
		"gpt-oss-20b",
		"Other model id…",
	]);
	await list.selectOption("gpt-oss-20b");
	expect(await saved()).toMatchObject({ values: { model: ids[1] } });
	await open.click();
	await list.selectOption("Other model id…");
	const typed = sheet.getByRole("textbox", { name: "Model" });
	await expect(typed).toBeFocused();
	// An id of the list is no reason to take the field away while more may follow.
	await typed.fill(ids[1]);
	await typed.press("End");
	await typed.pressSequentially(":free");
	expect(await saved()).toMatchObject({ values: { model: `${ids[1]}:free` } });
});

test("the sheet is over the conversation, which keeps its place, and Escape closes it from the message box", async ({
	chat,
}) => {
	const { page } = chat;
	for (const width of [300, 600]) {
		await page.setViewportSize({ width, height: 640 });
		await chat.open({
			...emptyChat,
			turns: [turnOf("Why?", [messageOf("Because. ".repeat(900))])],
		});
		await chat.answer("chatSettings", view);
		const boxes = async (): Promise<unknown> =>
			Promise.all([".scroller", ".composer"].map(part => page.locator(part).boundingBox()));
		const before = await boxes();
		await openForm(page);
		await expect(page.getByRole("dialog", { name: "Chat settings" })).toBeInViewport({ ratio: 1 });
		expect(await boxes()).toEqual(before);
		// What the sheet is over can't have the focus.
		await expect(page.locator(".scroller[inert]")).toHaveCount(1);
		await page.getByRole("textbox", { name: "Message", exact: true }).press("Escape");
		await expect(page.getByRole("dialog")).toHaveCount(0);
		await expect(page.locator(".scroller[inert]")).toHaveCount(0);
		const opener = page.getByRole("button", { name: /^(?:Chat settings|More options)$/ });
		await expect(opener.and(page.locator(":focus"))).toBeVisible();
	}
});
