import { expect, type Frame, type Locator } from "@playwright/test";
import { hostTimeout, untilDone } from "./patience.ts";

/** Types a question into the chat and sends it with Enter; resolves once the chat shows it as asked. */
export async function ask(chat: Frame, text: string): Promise<void> {
	const message = chat.getByRole("textbox", { name: "Message" });
	const questions = chat.getByRole("article", { name: "You" });
	const before = await questions.count();
	// While a command still moves the focus, what is typed may go elsewhere; a message that is sent is gone from its box at once.
	await untilDone(async timeout => {
		await message.fill(text, { timeout });
		await expect(message).toHaveValue(text, { timeout });
		await message.press("Enter", { timeout });
		await expect(message).not.toHaveValue(text, { timeout });
	}, 10_000);
	await expect(questions).toHaveCount(before + 1);
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
