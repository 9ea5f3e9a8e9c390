import * as l10n from "@vscode/l10n";
import type { ChatPushes, ChatRequests, TurnView } from "../../../src/shared/chat.ts";
import type { Host } from "../../shared/host.ts";
import { webAddressesIn } from "../../../src/shared/webAddresses.ts";
import { asSent } from "./slashText.ts";
import type { ViewMemory } from "../base/viewMemory.ts";

/** The draft in the composer, and sending it. */
export class Draft {
	private readonly host: Pick<Host<ChatRequests, ChatPushes>, "call">;
	private readonly memory: ViewMemory;
	private readonly onChange: () => void;
	/** The number of running commands. */
	private running = 0;
	/** Pending requests. */
	private readonly sends = new Set<"sending" | "queueing">();
	/** A hint for the next chat, also shown in this one. */
	private hintOfNext = "";
	/** Why something failed, as a sentence; empty if nothing did. */
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

	/** The draft's chat. Undefined before the first one is shown. */
	get chatId(): string | undefined {
		return this.memory.current.draftOf?.chatId;
	}

	set(text: string): void {
		this.update(text, "");
	}

	/** Sets the text after an edit. New URLs count as typed. */
	edit(text: string): void {
		const { draft, typed } = this.memory.current;
		const [before, now] = [webAddressesIn(draft), webAddressesIn(text)];
		if (before.length + now.length > 0) {
			const kept = typed.filter(address => !before.includes(address) && !now.includes(address));
			const still = now.filter(address => !before.includes(address) || typed.includes(address));
			this.memory.update({ typed: [...kept, ...still].slice(-maxTyped) });
		}
		this.set(text);
	}

	/** Switches to the draft of the shown chat. All chats without questions share one draft, because such a chat gets another id after every start. */
	follow({ chatId, isEmpty }: { readonly chatId: string; readonly isEmpty: boolean }): void {
		const { draft, draftOf: left, drafts } = this.memory.current;
		if (left?.chatId === chatId && left.isEmpty === isEmpty) {
			return;
		}
		const [from, to] = [left && keyOf(left), keyOf({ chatId, isEmpty })];
		const draftOf = { chatId, isEmpty };
		if (left === null || left.chatId === chatId || from === to) {
			// The first chat, the first question of a chat, or an empty chat under another id.
			this.memory.update({ draftOf });
			return;
		}
		const hint = this.hintOfNext;
		const others = drafts.filter(({ chat }) => chat !== from && chat !== to);
		const kept = draft === "" ? [] : [{ chat: keyOf(left), text: draft }];
		const waiting = drafts.find(({ chat }) => chat === to)?.text ?? "";
		this.memory.update({ draftOf, drafts: [...others, ...kept].slice(-maxDrafts) });
		this.update(waiting, hint);
	}

	/** Inserts text at the start. */
	prepend(text: string): void {
		this.putBack(text, "");
	}

	say(hint: string): void {
		this.update(this.text, hint);
	}

	/** Shows a hint now, and again once the chat `left` has been replaced. */
	sayInNext(hint: string, left: string | undefined): void {
		this.say(hint);
		this.hintOfNext = this.chatId === left ? hint : "";
	}

	/**
	 * Sends the text, or queues it if `hasToWait`, and clears the draft. Restores the text if the host fails. Does nothing if the text is blank or a
	 * request of the same kind is pending. `after` is the id of the chat's last turn.
	 */
	async send(hasToWait: boolean, after = ""): Promise<void> {
		const { text, memory, host, sends } = this;
		const way = hasToWait ? "queueing" : "sending";
		if (sends.has(way) || text.trim() === "") {
			return;
		}
		memory.update({ [way]: text, ...(sends.size === 0 ? { sentAfter: after } : {}) });
		sends.add(way);
		this.update("", "");
		try {
			const typed = webAddressesIn(text).filter(address => memory.current.typed.includes(address));
			const message = { text: asSent(text), ...(typed.length > 0 ? { typed } : {}) };
			await host.call(hasToWait ? "queueMessage" : "sendPrompt", message);
			memory.update({ [way]: "", asked: withQuestion(memory.current.asked, text) });
		} catch (error) {
			memory.update({ [way]: "" });
			this.putBack(text, describeFailure(error));
		} finally {
			sends.delete(way);
		}
	}

	/** Clears the draft and runs a command. If the page is replaced before the result arrives, the next page restores the command. */
	async run<Outcome>(command: (text: string) => Promise<Outcome>): Promise<Outcome> {
		const { text, memory } = this;
		this.running += 1;
		memory.update({ running: text });
		// Cleared at once, so that a second Enter doesn't run it again.
		this.update("", "");
		try {
			return await command(text);
		} finally {
			this.running -= 1;
			if (this.running === 0) {
				memory.update({ running: "" });
			}
		}
	}

	/**
	 * Restores text sent by a previous page, if the host neither has it nor is preparing it: a page that was closed during an upload couldn't restore
	 * it itself. `waiting` are the host's queued messages.
	 */
	recover(
		isPreparing: boolean,
		turns: readonly Pick<TurnView, "id" | "prompt">[],
		waiting: readonly string[],
	): void {
		const { running } = this.memory.current;
		if (running !== "" && this.running === 0) {
			this.memory.update({ running: "" });
			this.putBack(
				running,
				l10n.t("The chat view closed or reloaded. Your command is back; it may have run."),
			);
		}
		// A queued message may have been asked after it.
		const before = turns.findIndex(({ id }) => id === this.memory.current.sentAfter);
		const known = [...turns.slice(before + 1).map(({ prompt }) => prompt), ...waiting];
		this.recoverOne("sending", isPreparing, known);
		this.recoverOne("queueing", isPreparing, known);
	}

	private recoverOne(
		way: "sending" | "queueing",
		isPreparing: boolean,
		known: readonly string[],
	): void {
		const words = this.memory.current[way];
		if (words === "" || this.sends.has(way) || isPreparing) {
			return;
		}
		this.memory.update({ [way]: "" });
		if (!known.includes(asSent(words))) {
			this.putBack(words, l10n.t("Not sent: the chat view closed or reloaded. Your text is back."));
		}
	}

	private update(text: string, hint: string): void {
		this.hint = hint;
		this.hintOfNext = "";
		this.memory.update({ draft: text });
		this.onChange();
	}

	private putBack(text: string, hint: string): void {
		this.update(this.text === "" ? text : `${text}\n${this.text}`, hint);
	}
}

/** The most typed URLs to keep. A message rarely has more than one. */
const maxTyped = 500;
/** The most drafts, and the most questions to keep and characters in each. */
const maxDrafts = 100;
const maxAsked = 100;
const maxAskedCharacters = 5000;

/** Chats without questions share a draft. */
function keyOf({
	chatId,
	isEmpty,
}: {
	readonly chatId: string;
	readonly isEmpty: boolean;
}): string {
	return isEmpty ? "" : chatId;
}

function withQuestion(asked: readonly string[], text: string): string[] {
	const others = asked.filter(question => question !== text);
	return text.length > maxAskedCharacters ? others : [text, ...others].slice(0, maxAsked);
}

/** Describes a failed call to the host. */
export function describeFailure(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}
