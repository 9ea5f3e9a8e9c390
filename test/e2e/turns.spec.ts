import type { Frame, Locator } from "@playwright/test";
import { answered, answers, ask, conversation } from "./chatView.ts";
import { expect, modelTest as test } from "./fixtures.ts";
import { logsOf, untilChatKept, untilKept } from "./keptState.ts";
import { untilDone } from "./patience.ts";
import { takeOpenedPictures, takePictures } from "./pictures.ts";

const beginning = "An answer that begins with these words and goes on for a while. ";

const questions = (chat: Frame): Locator => chat.getByRole("article", { name: "You", exact: true });

const message = (chat: Frame): Locator =>
	chat.getByRole("textbox", { name: "Message", exact: true });

/** Resolves once the answer that is under way shows its beginning. */
async function untilBegun(chat: Frame): Promise<void> {
	await expect(answers(chat).last().locator(".markdown")).toContainText("begins with these words");
}

/** Puts other words in place of a question, by keyboard alone. */
async function editFirst(chat: Frame, text: string): Promise<void> {
	await questions(chat).first().getByRole("button", { name: "Edit", exact: true }).press("Enter");
	const editor = chat.getByRole("textbox", { name: "Edit message", exact: true });
	await expect(editor).toBeFocused();
	await editor.fill(text);
	await editor.press("Enter");
	await expect(questions(chat)).toHaveCount(1);
	await expect(questions(chat).first()).toContainText(text);
	await answered(chat);
}

test.describe("One's own words", () => {
	test("an earlier question in other words and with another model is another version each, and all are there after a reload", async ({
		workbench,
		editorServer,
		settings,
		model,
	}) => {
		model.script(...["4", "6", "It is 10", "It is 14"].map(text => ({ text })));
		const chat = await workbench.openChat();
		for (const question of ["2 + 2", "3 + 3"]) {
			await ask(chat, question);
			await answered(chat);
		}
		await questions(chat).first().getByRole("button", { name: "Edit", exact: true }).press("Enter");
		const editor = chat.getByRole("textbox", { name: "Edit message", exact: true });
		await expect(editor).toBeFocused();
		await takePictures(workbench, editorServer, "words-editing", settings);
		await editor.press("Escape");
		await expect(editor).toHaveCount(0);
		await expect(questions(chat)).toHaveCount(2);

		await editFirst(chat, "5 + 5");
		await editFirst(chat, "7 + 7");
		await expect(answers(chat).first()).toContainText("It is 14");
		const versions = (frame: Frame): Locator =>
			questions(frame).first().getByRole("group", { name: "Versions", exact: true });
		await expect(versions(chat)).toHaveText(/3\/3/);
		await chat.getByRole("button", { name: "Previous version", exact: true }).press("Enter");
		await expect(versions(chat)).toHaveText(/2\/3/);
		await expect(answers(chat).first()).toContainText("It is 10");
		await takePictures(workbench, editorServer, "words-versions", settings);

		const retry = chat.getByRole("button", { name: "Retry with another model", exact: true });
		const menu = chat.getByRole("menu", { name: "Models", exact: true });
		await takeOpenedPictures(workbench, editorServer, "words-retry-menu", settings, {
			open: async () => {
				await retry.press("Enter");
				await expect(menu.getByRole("menuitem").first()).toBeFocused();
			},
			close: async () => {
				await menu.press("Escape");
				await expect(menu).toHaveCount(0);
			},
		});
		await chat.getByRole("button", { name: "Retry", exact: true }).press("Enter");
		await expect(versions(chat)).toHaveText(/4\/4/);
		await answered(chat);

		await workbench.reload();
		const later = await workbench.chatFrame();
		await expect(versions(later)).toHaveText(/4\/4/);
		const back = later.getByRole("button", { name: "Previous version", exact: true });
		for (const place of [/3\/4/, /2\/4/, /1\/4/]) {
			await back.press("Enter");
			await expect(versions(later)).toHaveText(place);
		}
		await expect(questions(later)).toHaveCount(2);
		await expect(questions(later).last()).toContainText("3 + 3");
		await expect(answers(later).last()).toContainText("6");
	});

	test("every chat keeps its draft, and the arrow up brings the questions back, also after a reload", async ({
		workbench,
		editorServer,
		settings,
		testFolder,
	}) => {
		const before = await workbench.openChat();
		for (const question of ["2 + 2", "3 + 3"]) {
			await ask(before, question);
			await answered(before);
		}
		await message(before).fill("Half a thought");
		await workbench.titleButton("New chat").click();
		await expect(questions(before)).toHaveCount(0);
		await expect(message(before)).toHaveValue("");
		await message(before).fill("Another one");
		await untilKept(testFolder, "Another one");
		await workbench.reload();
		const chat = await workbench.chatFrame();
		await expect(message(chat)).toHaveValue("Another one");
		await untilDone(async timeout => {
			await workbench.titleButton("History").click({ timeout });
			await workbench.pickQuickInput("2 + 2", timeout);
			await expect(questions(chat)).toHaveCount(2, { timeout });
		});
		await expect(message(chat)).toHaveValue("Half a thought");
		// The view gets the focus after it shows the chat; a key that is pressed meanwhile is lost.
		await expect(message(chat)).toBeFocused();
		await takePictures(workbench, editorServer, "words-draft", settings);
		await message(chat).press("Home");
		await message(chat).press("ArrowUp");
		await expect(message(chat)).toHaveValue("3 + 3");
		await message(chat).press("ArrowUp");
		await expect(message(chat)).toHaveValue("2 + 2");
		await message(chat).press("ArrowDown");
		await message(chat).press("ArrowDown");
		await expect(message(chat)).toHaveValue("Half a thought");
	});

	test("a stopped answer goes on where it ends, after a reload as well", async ({
		workbench,
		editorServer,
		settings,
		model,
		testFolder,
	}) => {
		model.script(
			{ text: beginning, until: new Promise(() => undefined) },
			{ text: "And here is its end." },
		);
		const before = await workbench.openChat();
		await ask(before, "Take your time");
		await untilBegun(before);
		await before.getByRole("button", { name: "Stop", exact: true }).click();
		await answered(before);
		const kept = (await answers(before).first().locator(".markdown").textContent()) ?? "";
		await takePictures(workbench, editorServer, "words-stopped", settings);
		await untilChatKept(workbench, testFolder);
		await workbench.reload();
		const chat = await workbench.chatFrame();
		await chat.getByRole("button", { name: "Continue", exact: true }).click();
		await expect(answers(chat)).toHaveCount(2);
		await expect(answers(chat).first().locator(".markdown")).toHaveText(kept);
		await expect(answers(chat).last()).toContainText("And here is its end.");
		await answered(chat);
		await expect(conversation(chat).getByText(/Stopped\. The text so far is kept/)).toHaveCount(0);
		await expect(questions(chat)).toHaveCount(1);
		await workbench.reload();
		const later = await workbench.chatFrame();
		await expect(answers(later)).toHaveCount(2);
		await expect(answers(later).first().locator(".markdown")).toHaveText(kept);
	});
});

test("Stop in mid-answer keeps the text and says so, with its button and with Escape, and Retry asks again @core", async ({
	workbench,
	editorServer,
	settings,
	model,
}) => {
	const forever = new Promise(() => undefined);
	model.script(
		{ text: beginning, until: forever },
		{ text: beginning, until: forever },
		{ text: "This one is whole." },
	);
	const chat = await workbench.openChat();
	const stopped = conversation(chat).getByText(/^Stopped\. The text so far is kept/);
	await ask(chat, "Take your time");
	await untilBegun(chat);
	await chat.getByRole("button", { name: "Stop" }).click();
	await answered(chat);
	await expect(stopped).toBeVisible();
	await expect(answers(chat).last()).toContainText("begins with these words");
	await takePictures(workbench, editorServer, "stopped", settings);
	await ask(chat, "And once more");
	// Until the second answer is there, the last one is the first.
	await expect(answers(chat)).toHaveCount(2);
	await untilBegun(chat);
	await workbench.page.keyboard.press("Escape");
	await answered(chat);
	await expect(stopped).toHaveCount(2);
	await chat.getByRole("button", { name: "Retry", exact: true }).last().click();
	await expect(answers(chat).last()).toContainText("This one is whole.");
	await answered(chat);
	await expect(stopped).toHaveCount(1);
	expect(model.questions).toHaveLength(3);
});

test("L1: after a reload in mid-answer the chat is there, marked as interrupted, with its text @core", async ({
	workbench,
	editorServer,
	settings,
	model,
	testFolder,
}) => {
	model.script({ text: beginning.repeat(8), until: new Promise(() => undefined) });
	const before = await workbench.openChat();
	await ask(before, "Take your time");
	await untilBegun(before);
	await untilChatKept(workbench, testFolder);
	await expect.poll(() => logsOf(testFolder)).toContain("begins with these words");
	await workbench.reload();
	const chat = await workbench.chatFrame();
	await expect(
		conversation(chat).getByText(/Interrupted: the chat was closed, or its window reloaded/),
	).toBeVisible();
	await expect(answers(chat).first()).toContainText("begins with these words");
	await expect(chat.getByRole("button", { name: "Try again" }).first()).toBeVisible();
	await takePictures(workbench, editorServer, "reloaded", settings);
});

test("L3: a view hidden and shown in mid-answer shows everything that came meanwhile", async ({
	workbench,
	model,
	testFolder,
}) => {
	const { promise, resolve } = Promise.withResolvers<void>();
	model.script({ text: beginning, until: promise, rest: "This came meanwhile." });
	const before = await workbench.openChat();
	await ask(before, "Take your time");
	await untilBegun(before);
	const sideBar = workbench.page.locator(".part.auxiliarybar");
	await workbench.runCommand("View: Toggle Secondary Side Bar Visibility");
	await expect(sideBar).toBeHidden();
	resolve();
	await expect.poll(() => logsOf(testFolder)).toContain('"turn-ended"');
	await workbench.runCommand("View: Toggle Secondary Side Bar Visibility");
	const chat = await workbench.chatFrame();
	await answered(chat);
	await expect(answers(chat).last()).toContainText("This came meanwhile.");
	await expect(conversation(chat).getByText(/Interrupted/)).toHaveCount(0);
});
