import { expect, type Frame, type Page, test } from "@playwright/test";
import { answered, answers, ask } from "./chatView.ts";
import type { Workbench } from "./workbench.ts";

/** Settings with which an answer flows for some ten seconds. */
export const slowAnswers = { "cutaway.localService.charactersPerSecond": 300 };

/**
 * A new frame of a webview asks whether its service worker is the newest. The first time after it was installed that takes two
 * seconds, later a few milliseconds; an editor that was used before has it behind it.
 */
async function settleWorker(chat: Frame): Promise<void> {
	await chat.parentFrame()?.evaluate(async () => {
		const registration = await navigator.serviceWorker.getRegistration();
		await registration?.update();
	});
}

/** The chat's frame in mid-answer, marked, so that the one that takes its place is told from it. */
export async function streamingChat(workbench: Workbench): Promise<Frame> {
	const chat = await workbench.openChat();
	await settleWorker(chat);
	await ask(chat, "/markdown");
	await expect(answers(chat).first()).toContainText(/\w{3}/);
	await chat.evaluate(() => document.documentElement.setAttribute("data-dead", ""));
	return chat;
}

/** Does something deadly to the page; resolves with how long it took until an answer shows in another document, in ms. */
export async function timeToRevival(page: Page, kill: () => unknown): Promise<number> {
	const start = Date.now();
	await kill();
	const hasAnswer = (frame: Frame): Promise<boolean> =>
		frame
			.evaluate(
				() =>
					!document.documentElement.hasAttribute("data-dead") &&
					(document.querySelector("[aria-label=Assistant]")?.textContent ?? "").length > 20,
			)
			.catch(() => false);
	await expect
		.poll(async () => (await Promise.all(page.frames().map(hasAnswer))).includes(true), {
			intervals: [10],
			timeout: 30_000,
		})
		.toBe(true);
	return Date.now() - start;
}

/**
 * Kills the page in mid-stream and looks for what must be there afterwards, once an answer shows again; says how long it was
 * missed.
 */
export async function diesAndIsMadeGood(
	workbench: Workbench,
	name: string,
	kill: (chat: Frame) => unknown,
): Promise<void> {
	// On a machine with nothing idle a silent page is waited for ten seconds.
	test.setTimeout(120_000);
	const dying = await streamingChat(workbench);
	await dying.getByRole("textbox", { name: "Message" }).fill("Not sent yet");
	const ms = await timeToRevival(workbench.page, () => kill(dying));
	console.log(`${name}: repainted after ${ms} ms`);
	const chat = await workbench.chatFrame();
	const message = chat.getByRole("textbox", { name: "Message" });
	await expect(message).toHaveValue("Not sent yet");
	await expect(message).toBeFocused();
	await answered(chat);
	await expect(chat.getByText(/Interrupted/)).toHaveCount(0);
	await expect(chat.getByRole("article", { name: "You" })).toHaveCount(1);
}
