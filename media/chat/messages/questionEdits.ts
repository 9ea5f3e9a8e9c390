import * as l10n from "@vscode/l10n";
import type { ChatPushes, ChatRequests } from "../../../src/shared/chat.ts";
import type { Host } from "../../shared/host.ts";
import { describeFailure } from "../draft/draft.ts";
import type { KeptEdit, ViewMemory } from "../base/viewMemory.ts";

/** An earlier question being edited in place. */
export interface QuestionEdit extends KeptEdit {
	/** Whether it is being sent. */
	readonly isSending: boolean;
	/** Whether changes of tools from the question on are undone first. */
	readonly isUndoing: boolean;
	/** Why sending failed, as a sentence; empty if it didn't. */
	readonly hint: string;
}

/** The most edits to keep; the oldest is dropped first. */
const maxEdits = 20;

const idle = { isSending: false, isUndoing: false, hint: "" };

/** The questions being edited. A changed edit is a new object. */
export class QuestionEdits {
	private readonly host: Pick<Host<ChatRequests, ChatPushes>, "call">;
	private readonly memory: ViewMemory;
	private readonly onChange: () => void;
	private edits: readonly QuestionEdit[];

	/** Restores the edits from the page's memory. */
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

	/** Starts or resumes editing a question. */
	begin(turnId: string, prompt: string): void {
		if (!this.of(turnId)) {
			this.set([...this.edits, { turnId, text: prompt, without: [], ...idle }]);
		}
	}

	change(turnId: string, text: string): void {
		this.update(turnId, { text, hint: "" });
	}

	/** Sets whether changes of tools from the question on are undone before it is asked. */
	setUndo(turnId: string, isUndoing: boolean): void {
		this.update(turnId, { isUndoing });
	}

	/** Removes one of the question's attachments, counted from 0. */
	leaveOut(turnId: string, attachment: number): void {
		this.update(turnId, { without: [...(this.of(turnId)?.without ?? []), attachment] });
	}

	cancel(turnId: string): void {
		this.set(this.edits.filter(edit => edit.turnId !== turnId));
	}

	/** Asks the edited question as another version. Resolves to whether the host accepted it; until then keeps the edit. */
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
				// Already undone changes must not be undone again if sending fails.
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
