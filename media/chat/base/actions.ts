import type * as z from "zod/mini";
import type { ChatRequests } from "../../../src/shared/chat.ts";

/** Actions of a user in the chat view. Templates report intent through these and decide nothing. */
export interface ChatActions {
	/** Asks the host for something that changes nothing on the page itself; that it failed is shown below the composer. */
	ask<Method extends keyof ChatRequests>(
		method: Method,
		params: z.infer<ChatRequests[Method]["params"]>,
	): void;
	/** Sends what is in the composer, or puts it behind the messages that wait while an answer runs. */
	send(): void;
	/** Shows the question before (-1) or after the one shown in the composer; says whether there was one to show. */
	recallQuestion(step: 1 | -1, cursor: number): boolean;
	/** Offers the models to ask a question again with, in a menu at a button. */
	openRetryMenu(turnId: string, anchor: HTMLElement): void;
	/** Opens a question for changing, in its own place. */
	beginEdit(turnId: string): void;
	changeEdit(turnId: string, text: string): void;
	/** Has what tools changed from the question on undone before it is asked again, or not. */
	setEditUndo(turnId: string, isOn: boolean): void;
	cancelEdit(turnId: string): void;
	sendEdit(turnId: string): void;
	/** Takes off an attachment of a question that is being changed, counted from 0. */
	leaveOutAttachment(turnId: string, index: number): void;
	showVersion(turnId: string, step: 1 | -1): void;
	/** Text, and the position of the cursor in it. */
	draftChanged(text: string, cursor: number): void;
	/** Moves through what `@` offers. */
	moveCompletion(step: 1 | -1): void;
	/**
	 * Takes an offer, the one that is active or the one that was clicked: attaches what `@` offers, runs a command unless it is
	 * only to be written.
	 */
	acceptCompletion(index?: number, isOnlyCompleted?: boolean): void;
	dismissCompletion(): void;
	jumpToLatest(): void;
	/** Goes to a turn, on the page or not, and gives its question the focus. */
	showMessages(turnId: string): void;
}
