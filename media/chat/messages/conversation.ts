import type {
	ChatChange,
	ChatPushes,
	ChatRequests,
	ChatViewState,
} from "../../../src/shared/chat.ts";
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

/** The view's copy of the conversation; the host has the original. Text goes straight to the message it belongs to. */
export class ConversationCopy {
	private readonly host: Host<ChatRequests, ChatPushes>;
	private readonly answers: Answers;
	private readonly listener: ConversationListener;
	private readonly readerAt: () => string | undefined;
	private shown: ChatViewState | undefined;
	private isLoading = false;

	/** Follows the conversation of `host`; `readerAt` is the turn the reader is at, nothing for the end. */
	constructor(
		host: Host<ChatRequests, ChatPushes>,
		answers: Answers,
		listener: ConversationListener,
		readerAt: () => string | undefined,
	) {
		this.host = host;
		this.answers = answers;
		this.listener = listener;
		this.readerAt = readerAt;
		host.on("changes", push => this.take(push));
	}

	/** Nothing before the first load. */
	get state(): ChatViewState | undefined {
		return this.shown;
	}

	/** Asks the host for everything: the one way for the first load, a view shown again and a missed change. */
	load(): void {
		if (this.isLoading) {
			return;
		}
		this.isLoading = true;
		const at = this.readerAt();
		this.host.call("ready", at === undefined ? {} : { at }).then(
			loaded => {
				this.isLoading = false;
				this.shown = loaded;
				this.answers.clearAll();
				this.listener.onLoaded(loaded);
			},
			() => {
				this.isLoading = false;
				this.listener.onLoadFailed();
			},
		);
	}

	private take(push: NumberedChanges): void {
		if (!this.shown || this.isLoading) {
			// What this push says is part of the reply that is under way.
			return;
		}
		const next = applyPush(this.shown, push);
		if (!next) {
			this.load();
		} else if (next !== this.shown) {
			this.shown = next;
			const shown = push.changes.map(change => forward(this.answers, change));
			if (shown.includes(false)) {
				this.listener.onChanged(next, push.changes);
			}
		}
	}
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
