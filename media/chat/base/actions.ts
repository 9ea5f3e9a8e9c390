import type * as z from "zod/mini";
import type { ChatRequests } from "../../../src/shared/chat.ts";

/** The user's actions in the chat view. Templates call them and contain no logic. */
export interface ChatActions {
	/** Calls a method of the host that doesn't change the page. Shows a failure below the composer. */
	ask<Method extends keyof ChatRequests>(
		method: Method,
		params: z.infer<ChatRequests[Method]["params"]>,
	): void;
	/** Sends the draft, or queues it while an answer is running. */
	send(): void;
	/** Shows the previous (-1) or next question in the composer. Returns whether there was one. */
	recallQuestion(step: 1 | -1, cursor: number): boolean;
	/** Opens a menu at a button, with models for asking a question again. */
	openRetryMenu(turnId: string, anchor: HTMLElement): void;
	/** Opens a question for editing in place. */
	beginEdit(turnId: string): void;
	changeEdit(turnId: string, text: string): void;
	/** Sets whether changes that tools made from this question on are undone before it is asked again. */
	setEditUndo(turnId: string, isOn: boolean): void;
	cancelEdit(turnId: string): void;
	sendEdit(turnId: string): void;
	/** Removes an attachment, counted from 0, from a question being edited. */
	leaveOutAttachment(turnId: string, index: number): void;
	showVersion(turnId: string, step: 1 | -1): void;
	/** `cursor` is the position in the text. */
	draftChanged(text: string, cursor: number): void;
	/** Moves the selection in the completion list. */
	moveCompletion(step: 1 | -1): void;
	/** Accepts the active or given completion: attaches items of `@`, and runs commands unless `isOnlyCompleted`. */
	acceptCompletion(index?: number, isOnlyCompleted?: boolean): void;
	dismissCompletion(): void;
	jumpToLatest(): void;
	/** Scrolls to a turn, in the page or not, and focuses its question. */
	showMessages(turnId: string): void;
}
