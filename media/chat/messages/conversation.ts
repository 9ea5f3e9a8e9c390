import type {
	ChatChange,
	ChatPushes,
	ChatRequests,
	ChatViewState,
} from "../../../src/shared/chat.ts";
import type { Host } from "../../shared/host.ts";
import type { Answers } from "./answers.ts";
import { applyPush, type NumberedChanges } from "./state.ts";

/** Callbacks for changes of the conversation. */
export interface ConversationListener {
	/** Everything was loaded again. */
	onLoaded(state: ChatViewState): void;
	/** The state changed, except for more text of shown messages. */
	onChanged(state: ChatViewState, changes: readonly ChatChange[]): void;
	onLoadFailed(): void;
}

/** The view's copy of the conversation. Text goes directly to its message. */
export class ConversationCopy {
	private readonly host: Host<ChatRequests, ChatPushes>;
	private readonly answers: Answers;
	private readonly listener: ConversationListener;
	private readonly readerAt: () => string | undefined;
	private shown: ChatViewState | undefined;
	private isLoading = false;

	/** Follows the conversation of `host`. `readerAt` returns the turn at the scroll position, or undefined for the end. */
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

	/** Undefined before the first load. */
	get state(): ChatViewState | undefined {
		return this.shown;
	}

	/** Requests the whole state: for the first load, a view shown again and a missed change. */
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
			// The pending reply includes this push.
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

/** Returns whether the change is already shown. */
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
