import { expect, type Frame, type Page } from "@playwright/test";
import { answers, ask } from "./chatView.ts";
import { hostTimeout } from "./patience.ts";
import type { ScriptedModel } from "../helpers/scriptedModel.ts";
import type { Workbench } from "./workbench.ts";

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

/** A chat in mid-answer, its frame marked, so that the one that takes its place is told from it. */
export interface StreamingChat {
	readonly chat: Frame;
	/** Lets the answer come to its end. */
	finish(): void;
}

/** Asks in the chat that is shown; the answer has begun, and goes on until it is let go. */
export async function streamingChat(
	workbench: Workbench,
	model: ScriptedModel,
): Promise<StreamingChat> {
	const chat = await workbench.openChat();
	await settleWorker(chat);
	const { promise, resolve } = Promise.withResolvers<void>();
	const text = "It begins with some words of an answer. ".repeat(8);
	model.script({ text, until: promise, rest: "And that was all." });
	await ask(chat, "Take your time");
	await expect(answers(chat).last()).toContainText("It begins");
	await chat.evaluate(() => document.documentElement.setAttribute("data-dead", ""));
	return { chat, finish: resolve };
}

/** Has the documents to come note when they first showed an answer; looking again and again from outside would slow them down. */
function noteFirstAnswers(page: Page): void {
	const lookFor = (): void => {
		const look = (): void => {
			if ((document.querySelector("[aria-label=Assistant]")?.textContent ?? "").length > 20) {
				document.documentElement.setAttribute("data-answer-shown-at", String(Date.now()));
			} else {
				requestAnimationFrame(look);
			}
		};
		look();
	};
	// A document that is gone again has shown nothing.
	page.on("framenavigated", frame => void frame.evaluate(lookFor).catch(() => undefined));
}

/** Does something deadly to the page; resolves with how long it took until an answer shows in another document, in ms. */
export async function timeToRevival(page: Page, kill: () => unknown): Promise<number> {
	noteFirstAnswers(page);
	const start = Date.now();
	await kill();
	const answerShownAt = (frame: Frame): Promise<number> =>
		frame
			.evaluate(() => Number(document.documentElement.getAttribute("data-answer-shown-at")))
			.catch(() => 0);
	const found = { at: 0 };
	await expect(async () => {
		found.at = Math.max(...(await Promise.all(page.frames().map(answerShownAt))));
		expect(found.at).toBeGreaterThan(start);
	}).toPass({ intervals: [200], timeout: hostTimeout });
	return found.at - start;
}

/**
 * Kills the page in mid-stream and looks for what must be there afterwards, once an answer shows again; says how long it was
 * missed.
 */
export async function diesAndIsReplaced(
	workbench: Workbench,
	model: ScriptedModel,
	name: string,
	kill: (chat: Frame) => unknown,
): Promise<void> {
	const { chat: dying, finish } = await streamingChat(workbench, model);
	await dying.getByRole("textbox", { name: "Message" }).fill("Not sent yet");
	const ms = await timeToRevival(workbench.page, () => kill(dying));
	console.log(`${name}: repainted after ${ms} ms`);
	await eventually(workbench, async chat => {
		const message = await chat.evaluate(() => {
			const box = document.querySelector("textarea");
			return { text: box?.value, hasKeys: document.hasFocus() && document.activeElement === box };
		});
		expect(message).toEqual({ text: "Not sent yet", hasKeys: true });
	});
	finish();
	await eventually(workbench, async chat => {
		expect(await chat.getByRole("button", { name: "Send", exact: true }).count()).toBe(1);
		expect(await chat.getByRole("button", { name: "Stop", exact: true }).count()).toBe(0);
		expect(await chat.getByText(/Interrupted/).count()).toBe(0);
		expect(await chat.getByRole("article", { name: "You" }).count()).toBe(1);
	});
}

/** Looks at the chat until what is found there is right. Playwright itself waits for nothing in a window that lost a process. */
async function eventually(
	workbench: Workbench,
	look: (chat: Frame) => Promise<void>,
): Promise<void> {
	await expect(async () => look(await workbench.chatFrame())).toPass({ timeout: hostTimeout });
}
