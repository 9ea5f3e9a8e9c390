import * as l10n from "@vscode/l10n";
import type { ChatPushes, ChatRequests } from "../../../src/shared/chat.ts";
import type { Host } from "../../shared/host.ts";
import { webAddressesIn } from "../../../src/shared/webAddresses.ts";
import { asSent } from "./slashText.ts";
import type { ViewMemory } from "../base/viewMemory.ts";

/** Draft, and the outcome of sending it. */
export class Draft {
	private readonly host: Pick<Host<ChatRequests, ChatPushes>, "call">;
	private readonly memory: ViewMemory;
	private readonly onChange: () => void;
	/** How many commands are on their way. */
	private running = 0;
	/** Requests under way. */
	private readonly sends = new Set<"sending" | "queueing">();
	/** The hint for the chat that comes next; it is shown here meanwhile. */
	private hintOfNext = "";
	/** Why something did not happen, as a sentence; empty when all is well. */
	hint = "";

	/** Makes the draft from what the page remembers. */
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

	/** The chat it is for; undefined before the first is shown. */
	get chatId(): string | undefined {
		return this.memory.current.draftOf?.chatId;
	}

	set(text: string): void {
		this.update(text, "");
	}

	/** Replaces the text by what the user edited. A web address that is new in it counts as typed. */
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

	/**
	 * Follows the chat that is shown: another chat has a draft of its own, and gets it back. All chats in which nothing was
	 * asked share one, because such a chat has another id after every start.
	 */
	follow({ chatId, isEmpty }: { readonly chatId: string; readonly isEmpty: boolean }): void {
		const { draft, draftOf: left, drafts } = this.memory.current;
		if (left?.chatId === chatId && left.isEmpty === isEmpty) {
			return;
		}
		const [from, to] = [left && keyOf(left), keyOf({ chatId, isEmpty })];
		const draftOf = { chatId, isEmpty };
		if (left === null || left.chatId === chatId || from === to) {
			// The first chat there is, the first question of a chat, or an empty chat under another id.
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

	/** Puts words before what is there. */
	prepend(text: string): void {
		this.putBack(text, "");
	}

	say(hint: string): void {
		this.update(this.text, hint);
	}

	/** Says something in the chat that takes the place of this one: at once, if another one is shown now. */
	sayInNext(hint: string, left: string | undefined): void {
		this.say(hint);
		this.hintOfNext = this.chatId === left ? hint : "";
	}

	/**
	 * Sends the text, or puts it into the queue while it has to wait, and empties the draft; when the host does not take it, the
	 * words come back. Nothing happens when there are none, or while the same is under way with others.
	 */
	async send(hasToWait: boolean): Promise<void> {
		const { text, memory, host, sends } = this;
		const way = hasToWait ? "queueing" : "sending";
		if (sends.has(way) || text.trim() === "") {
			return;
		}
		sends.add(way);
		memory.update({ [way]: text });
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

	/**
	 * Empties the draft and hands a command to the host. A page that comes after this one, should this one go away before the
	 * host has answered, finds the command again.
	 */
	async run<Outcome>(command: (text: string) => Promise<Outcome>): Promise<Outcome> {
		const { text, memory } = this;
		this.running += 1;
		memory.update({ running: text });
		// Emptied at once, so that no second Enter runs it again.
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
	 * Puts back words that a page before this one sent, when the host neither has them nor is still preparing to ask: a page
	 * that went away while their files were uploaded could not put them back itself. `known` is what the host has of late.
	 */
	recover(isPreparing: boolean, known: readonly string[]): void {
		const { running } = this.memory.current;
		if (running !== "" && this.running === 0) {
			this.memory.update({ running: "" });
			this.putBack(
				running,
				l10n.t("The chat view closed or reloaded. Your command is back; it may have run."),
			);
		}
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

/** How many typed addresses are remembered; a message rarely has more than one. */
const maxTyped = 500;
/** How many chats have a draft, and how many questions are remembered, each with how many characters at most. */
const maxDrafts = 100;
const maxAsked = 100;
const maxAskedCharacters = 5000;

/** Chats in which nothing was asked are one to a user. */
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

/** A failed call to the host as a sentence. */
export function describeFailure(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}
