import * as l10n from "@vscode/l10n";
import type { ChatPushes, ChatRequests } from "../../src/protocol/chat.ts";
import type { Host } from "../shared/host.ts";
import { asSent } from "./slashText.ts";
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
	/**
	 * Puts back words that a page before this one sent, when the host neither has them nor is still preparing to ask: a page
	 * that went away while their files were uploaded could not put them back itself.
	 */
	recover(isPreparing: boolean, lastPrompt: string | undefined): void;
}

/** Makes the draft from what the page remembers. */
export function createDraft(
	host: Pick<Host<ChatRequests, ChatPushes>, "call">,
	memory: ViewMemory,
	onChange: () => void,
): Draft {
	return new RememberedDraft(host, memory, onChange);
}

class RememberedDraft implements Draft {
	private readonly host: Pick<Host<ChatRequests, ChatPushes>, "call">;
	private readonly memory: ViewMemory;
	private readonly onChange: () => void;
	private isSending = false;
	hint = "";

	constructor(
		host: Pick<Host<ChatRequests, ChatPushes>, "call">,
		memory: ViewMemory,
		onChange: () => void,
	) {
		this.host = host;
		this.memory = memory;
		this.onChange = onChange;
	}

	get text(): string {
		return this.memory.current.draft;
	}

	set(text: string): void {
		this.update(text, "");
	}

	prepend(text: string): void {
		this.putBack(text, "");
	}

	say(hint: string): void {
		this.update(this.text, hint);
	}

	async send(isAnswering: boolean): Promise<void> {
		const { text, memory } = this;
		if (this.isSending || text.trim() === "") {
			return;
		}
		if (isAnswering) {
			this.say(
				l10n.t("An answer is still being written. Stop it, or send this when it has ended."),
			);
			return;
		}
		this.isSending = true;
		memory.update({ sending: text });
		this.update("", "");
		try {
			await this.host.call("sendPrompt", { text: asSent(text) });
			memory.update({ sending: "" });
		} catch (error) {
			memory.update({ sending: "" });
			this.putBack(text, describeFailure(error));
		} finally {
			this.isSending = false;
		}
	}

	recover(isPreparing: boolean, lastPrompt: string | undefined): void {
		const { sending } = this.memory.current;
		if (sending === "" || this.isSending || isPreparing) {
			return;
		}
		this.memory.update({ sending: "" });
		if (asSent(sending) !== lastPrompt) {
			this.putBack(
				sending,
				l10n.t(
					"Put back because the view went away while this was on its way; it is not in this chat.",
				),
			);
		}
	}

	private update(text: string, hint: string): void {
		this.hint = hint;
		this.memory.update({ draft: text });
		this.onChange();
	}

	private putBack(text: string, hint: string): void {
		this.update(this.text === "" ? text : `${text}\n${this.text}`, hint);
	}
}

/** A failed call to the host as a sentence. */
export function describeFailure(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}
