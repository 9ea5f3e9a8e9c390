import type { Frame, Locator } from "@playwright/test";
import { answered, answers, ask } from "./chatView.ts";
import { expect, serviceTest as test } from "./fixtures.ts";
import { takePictures } from "./pictures.ts";

const questions = (chat: Frame): Locator => chat.getByRole("article", { name: "You" });
const rows = (chat: Frame): Locator =>
	chat.getByRole("list", { name: "Queued messages", exact: true }).getByRole("listitem");

/** Writes a message while an answer runs, and presses Enter; resolves once it waits. */
async function queue(chat: Frame, text: string): Promise<void> {
	const message = chat.getByRole("textbox", { name: "Message" });
	const before = await rows(chat).count();
	await message.fill(text);
	await message.press("Enter");
	await expect(rows(chat)).toHaveCount(before + 1);
	await expect(message).toHaveValue("");
}

test("messages written while an answer runs are sent one after the other when it is complete", async ({
	workbench,
	model,
}) => {
	const first = Promise.withResolvers<void>();
	model.script(
		{ text: "More to come. ", until: first.promise },
		{ text: ["1 + 1 is 2", "That was all."] },
		{ text: ["2 + 2 is 4", "That was all."] },
	);
	const chat = await workbench.openChat();
	await ask(chat, "Take your time");
	await queue(chat, "1 + 1");
	await queue(chat, "2 + 2");
	await expect(questions(chat)).toHaveCount(1);
	expect(model.questions).toHaveLength(1);
	first.resolve();
	await expect(questions(chat)).toHaveCount(3);
	await answered(chat);
	await expect(questions(chat).nth(1)).toContainText("1 + 1");
	await expect(questions(chat).nth(2)).toContainText("2 + 2");
	await expect(answers(chat)).toHaveText([/More to come/, /1 \+ 1/, /all/, /2 \+ 2/, /all/]);
	await expect(rows(chat)).toHaveCount(0);
	await expect(questions(chat)).toHaveCount(3);
});

test("a stopped answer holds them back, over a reload of the window as well, until they are sent by hand", async ({
	workbench,
	editorServer,
	settings,
	model,
}) => {
	model.script({ text: "More to come. ", until: new Promise(() => undefined) });
	const before = await workbench.openChat();
	await ask(before, "Take your time");
	for (const text of ["2 + 2", "3 + 3", "What is a cutaway, and why is it called that?"]) {
		await queue(before, text);
	}
	await before.getByRole("textbox", { name: "Message" }).press("Escape");
	await expect(before.getByText("Paused: the answer was stopped.").first()).toBeVisible();
	await takePictures(workbench, editorServer, "queue", settings);

	// By keyboard alone: other words, another place, taken out and put back.
	await rows(before).first().press("Enter");
	const editor = before.getByRole("textbox", { name: "Edit queued message", exact: true });
	await expect(editor).toBeFocused();
	await editor.fill("5 + 5");
	await editor.press("Enter");
	await expect(rows(before).first()).toContainText("5 + 5");
	await expect(rows(before).first()).toBeFocused();
	await workbench.page.keyboard.press("Alt+ArrowDown");
	await expect(rows(before).nth(1)).toContainText("5 + 5");
	await expect(rows(before).nth(1)).toBeFocused();
	await rows(before).last().press("Delete");
	await expect(rows(before)).toHaveCount(2);
	await before.getByRole("button", { name: "Undo", exact: true }).click();
	await expect(rows(before)).toHaveCount(3);

	await workbench.reload();
	const chat = await workbench.chatFrame();
	await expect(rows(chat)).toHaveCount(3);
	await expect(
		chat.getByText("Paused. These messages are from an earlier session.", { exact: true }),
	).toBeVisible();
	await takePictures(workbench, editorServer, "queue-reloaded", settings);
	await expect(questions(chat)).toHaveCount(1);
	await chat.getByRole("button", { name: "Send next", exact: true }).click();
	await expect(questions(chat)).toHaveCount(4);
	await answered(chat);
	await expect(questions(chat).nth(1)).toContainText("3 + 3");
	await expect(questions(chat).nth(2)).toContainText("5 + 5");
	await expect(questions(chat).nth(3)).toContainText("What is a cutaway");
	await expect(rows(chat)).toHaveCount(0);
});
