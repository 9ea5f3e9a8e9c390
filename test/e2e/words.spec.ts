import type { Frame, Locator } from "@playwright/test";
import { answered, answers, ask, conversation } from "./chatView.ts";
import { expect, test } from "./fixtures.ts";
import { untilKept } from "./keptState.ts";
import { untilDone } from "./patience.ts";
import { takeOpenedPictures, takePictures } from "./pictures.ts";

const slow = { "cutaway.localService.charactersPerSecond": 150 };

const questions = (chat: Frame): Locator => chat.getByRole("article", { name: "You", exact: true });

const message = (chat: Frame): Locator =>
	chat.getByRole("textbox", { name: "Message", exact: true });

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
	}) => {
		const chat = await workbench.openChat();
		for (const question of ["/echo 2 + 2", "/echo 3 + 3"]) {
			await ask(chat, question);
			await answered(chat);
		}
		await questions(chat).first().getByRole("button", { name: "Edit", exact: true }).press("Enter");
		const editor = chat.getByRole("textbox", { name: "Edit message", exact: true });
		await expect(editor).toBeFocused();
		await takePictures(workbench, editorServer, "words-editing");
		await editor.press("Escape");
		await expect(editor).toHaveCount(0);
		await expect(questions(chat)).toHaveCount(2);

		await editFirst(chat, "/echo 5 + 5");
		await editFirst(chat, "/echo 7 + 7");
		await expect(answers(chat).first()).toContainText("7 + 7");
		const versions = (frame: Frame): Locator =>
			questions(frame).first().getByRole("group", { name: "Versions", exact: true });
		await expect(versions(chat)).toHaveText(/3\/3/);
		await chat.getByRole("button", { name: "Previous version", exact: true }).press("Enter");
		await expect(versions(chat)).toHaveText(/2\/3/);
		await expect(answers(chat).first()).toContainText("5 + 5");
		await takePictures(workbench, editorServer, "words-versions");

		const retry = chat.getByRole("button", { name: "Retry with another model", exact: true });
		const menu = chat.getByRole("menu", { name: "Models", exact: true });
		await takeOpenedPictures(
			workbench,
			editorServer,
			"words-retry-menu",
			{},
			{
				open: async () => {
					await retry.press("Enter");
					await expect(menu.getByRole("menuitem").first()).toBeFocused();
				},
				close: async () => {
					await menu.press("Escape");
					await expect(menu).toHaveCount(0);
				},
			},
		);
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
		await expect(answers(later).last()).toContainText("3 + 3");
	});

	test("every chat keeps its draft, and the arrow up brings the questions back, also after a reload", async ({
		workbench,
		editorServer,
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
		await takePictures(workbench, editorServer, "words-draft");
		await message(chat).press("Home");
		await message(chat).press("ArrowUp");
		await expect(message(chat)).toHaveValue("3 + 3");
		await message(chat).press("ArrowUp");
		await expect(message(chat)).toHaveValue("2 + 2");
		await message(chat).press("ArrowDown");
		await message(chat).press("ArrowDown");
		await expect(message(chat)).toHaveValue("Half a thought");
	});

	test.describe("that are answered slowly", () => {
		test.use({ settings: slow });

		test("a stopped answer goes on where it ends, after a reload as well", async ({
			workbench,
			editorServer,
		}) => {
			const before = await workbench.openChat();
			await ask(before, "/markdown");
			await expect(answers(before).first().locator(".markdown")).toContainText(/\w{3}/);
			await before.getByRole("button", { name: "Stop", exact: true }).click();
			await answered(before);
			const kept = (await answers(before).first().locator(".markdown").textContent()) ?? "";
			await takePictures(workbench, editorServer, "words-stopped", slow);
			await workbench.reload();
			const chat = await workbench.chatFrame();
			await chat.getByRole("button", { name: "Continue", exact: true }).click();
			await expect(answers(chat)).toHaveCount(2);
			await expect(answers(chat).first().locator(".markdown")).toHaveText(kept);
			await answered(chat);
			await expect(conversation(chat).getByText(/Stopped\. The text so far is kept/)).toHaveCount(
				0,
			);
			await expect(questions(chat)).toHaveCount(1);
			await workbench.reload();
			const later = await workbench.chatFrame();
			await expect(answers(later)).toHaveCount(2);
			await expect(answers(later).first().locator(".markdown")).toHaveText(kept);
		});
	});
});
