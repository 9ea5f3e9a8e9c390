import type { ChatPushes, ChatRequests } from "../../src/protocol/chat.ts";
import type { Host } from "../shared/host.ts";
import type { ViewMemory } from "./viewMemory.ts";

/** What is being written and what became of sending it. */
export interface Draft {
	readonly text: string;
	/** Why something did not happen, as a sentence; empty when all is well. */
	readonly hint: string;
	set(text: string): void;
	/** Puts words before what is there. */
	prepend(text: string): void;
	say(hint: string): void;
	/**
	 * Sends the text and empties the draft; when the host does not take it, the words come back. Nothing is sent when
	 * there are none, while another send is under way, or while an answer is being written.
	 */
	send(isAnswering: boolean): Promise<void>;
}

/** Makes the draft from what the page remembers. */
export function createDraft(
	host: Pick<Host<ChatRequests, ChatPushes>, "call">,
	memory: ViewMemory,
	onChange: () => void,
): Draft {
	let hint = "";
	let isSending = false;

	const update = (text: string, nextHint: string): void => {
		hint = nextHint;
		memory.update({ draft: text });
		onChange();
	};
	const prepend = (text: string, nextHint: string): void => {
		const later = memory.current.draft;
		update(later === "" ? text : `${text}\n${later}`, nextHint);
	};
	return {
		get text() {
			return memory.current.draft;
		},
		get hint() {
			return hint;
		},
		set: text => update(text, ""),
		prepend: text => prepend(text, ""),
		say: sentence => update(memory.current.draft, sentence),
		send: async isAnswering => {
			const text = memory.current.draft;
			if (isSending || text.trim() === "") {
				return;
			}
			if (isAnswering) {
				update(text, "An answer is still being written. Stop it, or send this when it has ended.");
				return;
			}
			isSending = true;
			update("", "");
			try {
				await host.call("sendPrompt", { text });
			} catch (error) {
				prepend(text, describeFailure(error));
			} finally {
				isSending = false;
			}
		},
	};
}

/** A failed call to the host as a sentence. */
export function describeFailure(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}
