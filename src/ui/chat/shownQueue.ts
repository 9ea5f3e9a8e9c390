import * as l10n from "@vscode/l10n";
import type { ChatSession } from "../../chat/index.ts";
import { emptyQueue, type MessageQueue, type QueueChange } from "../../chat/queue/index.ts";
import { createSerialQueue, type SerialQueue, toStoreError } from "../../storage/index.ts";
import { refusalSentence } from "./queueSentences.ts";
import { storeSentence } from "../base/storeSentence.ts";

/** The queue of one chat, while that is shown. */
export interface ShownQueue {
	readonly session: ChatSession;
	/** Changes that are kept on disk, one after the other. */
	readonly inTurn: SerialQueue;
	/** Messages in the order they were written, although some wait for uploads. */
	readonly adding: SerialQueue;
	/** Ends the uploads of messages that are not in the queue yet. */
	abort: AbortController;
	/** Resolves once what was kept is there; rejects when the disk did not say. */
	loaded: Promise<void>;
	state: MessageQueue;
}

/** A chat's queue before anything is known of it. */
export function createShownQueue(session: ChatSession): ShownQueue {
	return {
		session,
		inTurn: createSerialQueue(),
		adding: createSerialQueue(),
		abort: new AbortController(),
		loaded: Promise.resolve(),
		state: emptyQueue,
	};
}

/** Keeps a change on disk, and then shows it. Throws the sentence when that failed; then nothing changed. */
export function keepChange(
	shown: ShownQueue,
	change: QueueChange,
	show: (state: MessageQueue) => void,
): Promise<void> {
	return shown.inTurn(async () => {
		try {
			await shown.loaded;
			await shown.session.queueFile.write(changedBy(change, shown.state).items);
		} catch (error) {
			throw error instanceof RefusedError ? error : new Error(notKeptSentence(error));
		}
		// Meanwhile the queue may have been paused, or its first message be on its way.
		show(changedBy(change, shown.state));
	});
}

/** What a change makes of a queue. Throws the sentence for one that the queue as it is does not allow. */
export function changedBy(change: QueueChange, state: MessageQueue): MessageQueue {
	const next = change(state);
	if (typeof next === "string") {
		throw new RefusedError(refusalSentence(next));
	}
	return next;
}

class RefusedError extends Error {}

function notKeptSentence(error: unknown): string {
	return `${storeSentence(toStoreError(error, ""))} ${l10n.t("The queue is unchanged.")}`;
}
