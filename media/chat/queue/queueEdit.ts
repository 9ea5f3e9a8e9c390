import type { ChatPushes, ChatRequests, ChatViewState } from "../../../src/shared/chat.ts";
import type { Host } from "../../shared/host.ts";
import { describeFailure } from "../draft/draft.ts";
import type { KeptQueueEdit, ViewMemory } from "../base/viewMemory.ts";

/** A queued message being edited in place. */
export interface QueueEdit extends KeptQueueEdit {
	/** Whether its text is being sent to the host. */
	readonly isKeeping: boolean;
	/** Why saving failed, as a sentence; empty if it didn't. */
	readonly hint: string;
}

/** The most edits to keep; the oldest is dropped first. */
const maxEdits = 20;

const idle = { isKeeping: false, hint: "" };

/** The queued messages being edited, at most one per chat. A changed edit is a new object. */
export class QueueEdits {
	private readonly host: Pick<Host<ChatRequests, ChatPushes>, "call">;
	private readonly memory: ViewMemory;
	private readonly onChange: () => void;
	private edits: readonly QueueEdit[];
	/** The last followed state. */
	private last: ChatViewState | undefined;

	/** Restores the edits from the page's memory. */
	constructor(
		host: Pick<Host<ChatRequests, ChatPushes>, "call">,
		memory: ViewMemory,
		onChange: () => void,
	) {
		this.host = host;
		this.memory = memory;
		this.onChange = onChange;
		this.edits = memory.current.queueEdits.map(edit => ({ ...edit, ...idle }));
	}

	/** Returns the edit of a message that is still queued in this chat. */
	of(state: ChatViewState): QueueEdit | undefined {
		const edit = this.in(state.chatId);
		return state.queue.items.some(({ id }) => id === edit?.id) ? edit : undefined;
	}

	/** Starts editing a message, or resumes an existing edit in this chat. Returns the id of the edited message. */
	begin(state: ChatViewState, id: string): string {
		const current = this.of(state);
		const text = state.queue.items.find(item => item.id === id)?.text ?? "";
		if (!current) {
			this.set(state.chatId, { chatId: state.chatId, id, was: text, text, ...idle });
			this.hold(state.chatId, id);
		}
		return current?.id ?? id;
	}

	change(chatId: string, text: string): void {
		this.update(chatId, { text, hint: "" });
	}

	/** Cancels editing. */
	leave(chatId: string): void {
		this.set(chatId, undefined);
		this.hold(chatId, null);
	}

	/** Saves the edited text. Resolves to whether the host accepted it; until then keeps the edit. */
	async keep(chatId: string): Promise<boolean> {
		const edit = this.in(chatId);
		if (!edit || edit.isKeeping || edit.text.trim() === "") {
			return false;
		}
		this.update(chatId, { isKeeping: true, hint: "" });
		try {
			await this.host.call("editQueued", { id: edit.id, text: edit.text });
			this.set(chatId, undefined);
			return true;
		} catch (error) {
			this.update(chatId, { isKeeping: false, hint: describeFailure(error) });
			return false;
		}
	}

	/** Updates the edit and makes the host hold back its message. If the message was sent anyway, returns the edited text for the composer. */
	follow(state: ChatViewState): string | undefined {
		const { chatId, queue } = state;
		const before = this.last;
		this.last = state;
		const edit = this.of(state);
		const lost = before?.chatId === chatId && !edit ? this.of(before) : undefined;
		if (lost && !lost.isKeeping) {
			this.set(chatId, undefined);
		}
		// A refused request isn't repeated, and saving ends the hold itself.
		const isSettled = edit === undefined || (!edit.isKeeping && edit.hint === "");
		if ((edit?.id ?? null) !== queue.held && isSettled && !this.in(chatId)?.isKeeping) {
			this.hold(chatId, edit?.id ?? null);
		}
		return lost && !lost.isKeeping && lost.text !== lost.was ? lost.text : undefined;
	}

	private hold(chatId: string, id: string | null): void {
		this.host.call("holdQueued", { id }).catch((error: unknown) => {
			if (id !== null && this.in(chatId)?.id === id) {
				this.update(chatId, { hint: describeFailure(error) });
			}
		});
	}

	private in(chatId: string): QueueEdit | undefined {
		return this.edits.find(edit => edit.chatId === chatId);
	}

	private update(chatId: string, change: Partial<QueueEdit>): void {
		const edit = this.in(chatId);
		if (edit) {
			this.set(chatId, { ...edit, ...change });
		}
	}

	private set(chatId: string, edit: QueueEdit | undefined): void {
		const others = this.edits.filter(other => other.chatId !== chatId);
		this.edits = edit ? [...others, edit].slice(-maxEdits) : others;
		this.memory.update({
			queueEdits: this.edits.map(({ id, was, text, chatId: of }) => ({
				chatId: of,
				id,
				was,
				text,
			})),
		});
		this.onChange();
	}
}
