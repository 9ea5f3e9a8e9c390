import * as l10n from "@vscode/l10n";
import type { ChatPushes, ChatRequests } from "../../../src/shared/chat.ts";
import type { Host } from "../../shared/host.ts";
import { describeFailure } from "../draft/draft.ts";
import type { KeptEdit, ViewMemory } from "../base/viewMemory.ts";

/** An earlier question that is being changed, in its own place. */
export interface QuestionEdit extends KeptEdit {
	/** Whether it is on its way to the host. */
	readonly isSending: boolean;
	/** Whether what tools changed from the question on is undone first. */
	readonly isUndoing: boolean;
	/** Why it was not sent, as a sentence; empty when nothing is wrong. */
	readonly hint: string;
}

/** How many started edits are kept; the one that has waited longest goes first. */
const maxEdits = 20;

const idle = { isSending: false, isUndoing: false, hint: "" };

/** The questions that are being changed; each is a new object whenever something of it changed. */
export class QuestionEdits {
	private readonly host: Pick<Host<ChatRequests, ChatPushes>, "call">;
	private readonly memory: ViewMemory;
	private readonly onChange: () => void;
	private edits: readonly QuestionEdit[];

	/** Makes the edits from what the page remembers. */
	constructor(
		host: Pick<Host<ChatRequests, ChatPushes>, "call">,
		memory: ViewMemory,
		onChange: () => void,
	) {
		this.host = host;
		this.memory = memory;
		this.onChange = onChange;
		this.edits = memory.current.edits.map(edit => ({ ...edit, ...idle }));
	}

	of(turnId: string): QuestionEdit | undefined {
		return this.edits.find(edit => edit.turnId === turnId);
	}

	/** Begins to change a question; goes on with it when that has started before. */
	begin(turnId: string, prompt: string): void {
		if (!this.of(turnId)) {
			this.set([...this.edits, { turnId, text: prompt, without: [], ...idle }]);
		}
	}

	change(turnId: string, text: string): void {
		this.update(turnId, { text, hint: "" });
	}

	/** Has what tools changed from the question on undone before it is asked, or not. */
	setUndo(turnId: string, isUndoing: boolean): void {
		this.update(turnId, { isUndoing });
	}

	/** Leaves out one of the attachments the question came with, counted from 0. */
	leaveOut(turnId: string, attachment: number): void {
		this.update(turnId, { without: [...(this.of(turnId)?.without ?? []), attachment] });
	}

	cancel(turnId: string): void {
		this.set(this.edits.filter(edit => edit.turnId !== turnId));
	}

	/**
	 * Asks the question in its new words, as another version; resolves with whether the host took it. Until then the words
	 * stay where they are.
	 */
	async send(turnId: string): Promise<boolean> {
		const edit = this.of(turnId);
		if (!edit || edit.isSending || edit.text.trim() === "") {
			return false;
		}
		this.update(turnId, { isSending: true, hint: "" });
		try {
			const { text, without } = edit;
			if (edit.isUndoing) {
				const { isDone } = await this.host.call("undoAnswer", { turnId, isOnwards: true });
				const hint = l10n.t("The changes weren't undone, so your message wasn't sent.");
				if (!isDone) {
					this.update(turnId, { isSending: false, hint });
					return false;
				}
				// What was undone is not undone once more where the message cannot be sent now.
				this.update(turnId, { isUndoing: false });
			}
			await this.host.call("editQuestion", { turnId, text, without: [...without] });
			this.cancel(turnId);
			return true;
		} catch (error) {
			this.update(turnId, { isSending: false, hint: describeFailure(error) });
			return false;
		}
	}

	private update(turnId: string, change: Partial<QuestionEdit>): void {
		this.set(this.edits.map(edit => (edit.turnId === turnId ? { ...edit, ...change } : edit)));
	}

	private set(edits: readonly QuestionEdit[]): void {
		this.edits = edits.slice(-maxEdits);
		this.memory.update({
			edits: this.edits.map(({ turnId, text, without }) => ({ turnId, text, without })),
		});
		this.onChange();
	}
}
