import type { ChatPushes, ChatRequests, ChatViewState } from "../../../src/shared/chat.ts";
import type { Host } from "../../shared/host.ts";
import { describeFailure } from "../draft/draft.ts";
import type { KeptQueueEdit, ViewMemory } from "../base/viewMemory.ts";

/** A message that waits and is being changed, in its own place. */
export interface QueueEdit extends KeptQueueEdit {
	/** Whether its words are on their way to the host. */
	readonly isKeeping: boolean;
	/** Why they were not kept, as a sentence; empty when nothing is wrong. */
	readonly hint: string;
}

/** How many started changes are kept; the one that has waited longest goes first. */
const maxEdits = 20;

const idle = { isKeeping: false, hint: "" };

/** The messages that are being changed, at most one in each chat; each is a new object whenever something of it changed. */
export class QueueEdits {
	private readonly host: Pick<Host<ChatRequests, ChatPushes>, "call">;
	private readonly memory: ViewMemory;
	private readonly onChange: () => void;
	private edits: readonly QueueEdit[];
	/** The chat as it was followed last. */
	private last: ChatViewState | undefined;

	/** Makes them from what the page remembers. */
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

	/** The change of a message of this chat that still waits. */
	of(state: ChatViewState): QueueEdit | undefined {
		const edit = this.in(state.chatId);
		return state.queue.items.some(({ id }) => id === edit?.id) ? edit : undefined;
	}

	/** Begins to change a message; whoever changes one of this chat already goes on with that. Returns the id of the one. */
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

	/** Leaves the message as it was. */
	leave(chatId: string): void {
		this.set(chatId, undefined);
		this.hold(chatId, null);
	}

	/** Gives the message its new words; resolves with whether the host took them. Until then they stay where they are. */
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

	/**
	 * Follows the chat: the host does not ask a message that is being changed. Returns words whose message went anyway, for
	 * the composer.
	 */
	follow(state: ChatViewState): string | undefined {
		const { chatId, queue } = state;
		const before = this.last;
		this.last = state;
		const edit = this.of(state);
		const lost = before?.chatId === chatId && !edit ? this.of(before) : undefined;
		if (lost && !lost.isKeeping) {
			this.set(chatId, undefined);
		}
		// What the host has refused once it is not asked for again, and what is being kept is let go of by that.
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
