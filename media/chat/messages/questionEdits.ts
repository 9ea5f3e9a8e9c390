import type { ChatPushes, ChatRequests } from "../../../src/shared/index.ts";
import type { Host } from "../../shared/host.ts";
import { describeFailure } from "../draft/index.ts";
import type { KeptEdit, ViewMemory } from "../base/index.ts";

/** An earlier question that is being changed, in its own place. */
export interface QuestionEdit extends KeptEdit {
	/** Whether it is on its way to the host. */
	readonly isSending: boolean;
	/** Why it was not sent, as a sentence; empty when nothing is wrong. */
	readonly hint: string;
}

/** The questions that are being changed; each is a new object whenever something of it changed. */
export interface QuestionEdits {
	of(turnId: string): QuestionEdit | undefined;
	/** Begins to change a question; goes on with it when that has started before. */
	begin(turnId: string, prompt: string): void;
	change(turnId: string, text: string): void;
	/** Leaves out one of the attachments the question came with, counted from 0. */
	leaveOut(turnId: string, attachment: number): void;
	cancel(turnId: string): void;
	/**
	 * Asks the question in its new words, as another version; resolves with whether the host took it. Until then the words
	 * stay where they are.
	 */
	send(turnId: string): Promise<boolean>;
}

/** How many started edits are kept; the one that has waited longest goes first. */
const maxEdits = 20;

/** Makes the edits from what the page remembers. */
export function createQuestionEdits(
	host: Pick<Host<ChatRequests, ChatPushes>, "call">,
	memory: ViewMemory,
	onChange: () => void,
): QuestionEdits {
	const idle = { isSending: false, hint: "" };
	let edits: readonly QuestionEdit[] = memory.current.edits.map(edit => ({ ...edit, ...idle }));
	const keep = (next: readonly QuestionEdit[]): void => {
		edits = next.slice(-maxEdits);
		memory.update({
			edits: edits.map(({ turnId, text, without }) => ({ turnId, text, without })),
		});
		onChange();
	};
	const of = (turnId: string): QuestionEdit | undefined =>
		edits.find(edit => edit.turnId === turnId);
	const update = (turnId: string, change: Partial<QuestionEdit>): void =>
		keep(edits.map(edit => (edit.turnId === turnId ? { ...edit, ...change } : edit)));
	const cancel = (turnId: string): void => keep(edits.filter(edit => edit.turnId !== turnId));
	return {
		of,
		begin: (turnId, prompt) => {
			if (!of(turnId)) {
				keep([...edits, { turnId, text: prompt, without: [], ...idle }]);
			}
		},
		change: (turnId, text) => update(turnId, { text, hint: "" }),
		leaveOut: (turnId, attachment) =>
			update(turnId, { without: [...(of(turnId)?.without ?? []), attachment] }),
		cancel,
		send: async turnId => {
			const edit = of(turnId);
			if (!edit || edit.isSending || edit.text.trim() === "") {
				return false;
			}
			update(turnId, { isSending: true, hint: "" });
			try {
				const { text, without } = edit;
				await host.call("editQuestion", { turnId, text, without: [...without] });
				cancel(turnId);
				return true;
			} catch (error) {
				update(turnId, { isSending: false, hint: describeFailure(error) });
				return false;
			}
		},
	};
}
