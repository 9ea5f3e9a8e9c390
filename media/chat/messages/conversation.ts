import type {
	ChatChange,
	ChatPushes,
	ChatRequests,
	ChatViewState,
} from "../../../src/shared/index.ts";
import type { Host } from "../../shared/host.ts";
import type { Answers } from "./answers.ts";
import { applyPush, type NumberedChanges } from "./state.ts";

/** Who is told what happened to the conversation. */
export interface ConversationListener {
	/** Everything was loaded again. */
	onLoaded(state: ChatViewState): void;
	/** The state changed in more than the text of messages already shown. */
	onChanged(state: ChatViewState, changes: readonly ChatChange[]): void;
	onLoadFailed(): void;
}

/** The view's copy of the conversation; the host has the original. */
export interface ConversationCopy {
	/** Nothing before the first load. */
	readonly state: ChatViewState | undefined;
	/** Asks the host for everything: the one way for the first load, a view shown again and a missed change. */
	load(): void;
}

/** Follows the conversation of `host`; text goes straight to the message it belongs to. */
export function createConversation(
	host: Host<ChatRequests, ChatPushes>,
	answers: Answers,
	listener: ConversationListener,
	/** The turn the reader is at; nothing for the end. */
	readerAt: () => string | undefined,
): ConversationCopy {
	let state: ChatViewState | undefined;
	let isLoading = false;

	const load = (): void => {
		if (isLoading) {
			return;
		}
		isLoading = true;
		const at = readerAt();
		host.call("ready", at === undefined ? {} : { at }).then(
			loaded => {
				isLoading = false;
				state = loaded;
				answers.clearAll();
				listener.onLoaded(loaded);
			},
			() => {
				isLoading = false;
				listener.onLoadFailed();
			},
		);
	};
	const take = (push: NumberedChanges): void => {
		if (!state || isLoading) {
			// What this push says is part of the reply that is under way.
			return;
		}
		const next = applyPush(state, push);
		if (!next) {
			load();
		} else if (next !== state) {
			state = next;
			const shown = push.changes.map(change => forward(answers, change));
			if (shown.includes(false)) {
				listener.onChanged(next, push.changes);
			}
		}
	};
	host.on("changes", take);
	return {
		get state() {
			return state;
		},
		load,
	};
}

/** Says whether the change shows already. */
function forward(answers: Answers, change: ChatChange): boolean {
	if (change.type === "text") {
		answers.append(change.turnId, change.index, change.text);
		return true;
	}
	if (change.type === "thought") {
		return answers.thoughts.add(change.turnId, change.thought);
	}
	if (change.type === "answer-cleared") {
		answers.clear(change.turnId);
	} else if (change.type === "reset") {
		answers.clearAll();
	}
	return false;
}
