import { expect, type Frame, type Locator } from "@playwright/test";
import { hostTimeout, untilDone } from "./patience.ts";
import type { Workbench } from "./workbench.ts";

/** Types a question into the chat and sends it with Enter; resolves once the chat shows it as asked. */
export async function ask(chat: Frame, text: string): Promise<void> {
	const message = chat.getByRole("textbox", { name: "Message" });
	const questions = chat.getByRole("article", { name: "You" });
	const before = await questions.count();
	await message.fill(text);
	// A command that moves the focus at this moment takes the key; sent words leave the box at once.
	await untilDone(async timeout => {
		if ((await message.inputValue()) === text) {
			await message.press("Enter");
		}
		await expect(questions).toHaveCount(before + 1, { timeout });
	});
}

/** Asks questions in a chat that holds no others: the one that is shown while it is empty, or else another one. */
export async function askInOwnChat(
	workbench: Workbench,
	...questions: readonly string[]
): Promise<void> {
	const chat = await workbench.chatFrame();
	const messages = chat.getByRole("article");
	// In an empty chat New Chat changes nothing that a test could wait for before it goes on.
	if ((await messages.count()) > 0) {
		await workbench.titleButton("New chat").click();
		await expect(messages).toHaveCount(0);
	}
	for (const question of questions) {
		await ask(chat, question);
		await answered(chat);
	}
}

/** What was asked and answered, without what only a screen reader is told. */
export function conversation(chat: Frame): Locator {
	return chat.getByRole("log", { name: "Conversation" });
}

/** The answers' messages. */
export function answers(chat: Frame): Locator {
	return chat.getByRole("article", { name: "Assistant" });
}

/** Resolves once no answer is running. */
export async function answered(chat: Frame): Promise<void> {
	await expect(chat.getByRole("button", { name: "Send", exact: true })).toBeVisible({
		timeout: hostTimeout,
	});
	await expect(chat.getByRole("button", { name: "Stop", exact: true })).toHaveCount(0);
}
