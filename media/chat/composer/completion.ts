import type { AttachmentOffer } from "../../../src/shared/attachments.ts";
import type { ChatPushes, ChatRequests } from "../../../src/shared/chat.ts";
import type { SlashOffer } from "../../../src/shared/slash.ts";
import type { Host } from "../../shared/host.ts";
import { addressAt, type Mention, mentionAt } from "../draft/mention.ts";
import { slashAt } from "../draft/slashText.ts";

/** A completion: an attachment or a command. */
export type CompletionOffer = AttachmentOffer | SlashOffer;

/** Current completions for `@` or `/`. */
export interface CompletionList {
	readonly mention: Mention;
	/** Whether the offers are for the current text rather than an earlier one. */
	readonly isCurrent: boolean;
	readonly offers: readonly CompletionOffer[];
	/** Index of the offer that Enter accepts; -1 if there is none. */
	readonly active: number;
	/** Whether it was selected with the arrow keys since the last edit. */
	readonly isChosen: boolean;
}

/** The list that `@`, and `/` at the start of the text, open in the composer. */
export class Completion {
	private readonly host: Pick<Host<ChatRequests, ChatPushes>, "call">;
	private readonly onChange: () => void;
	private shown: CompletionList | undefined;
	/** Position of the dismissed mention. */
	private dismissed = -1;
	/** Called once the list is for the current text. */
	private waiting: (() => void) | undefined;
	/** The mention being looked up. */
	private wanted: Mention | undefined;
	private isAsking = false;

	constructor(host: Pick<Host<ChatRequests, ChatPushes>, "call">, onChange: () => void) {
		this.host = host;
		this.onChange = onChange;
	}

	/** Undefined while the list is closed. */
	get list(): CompletionList | undefined {
		return this.shown;
	}

	/** Updates the list after an edit: opens at a trigger, filters at every letter, closes when the cursor leaves. */
	follow(text: string, cursor: number): void {
		const mention = mentionAt(text, cursor) ?? slashAt(text, cursor) ?? addressAt(text, cursor);
		if (!mention) {
			this.close();
		} else if (mention.start !== this.dismissed) {
			this.dismissed = -1;
			if (!isSameMention(this.shown?.mention, mention)) {
				this.waiting = undefined;
			}
			this.lookUp(mention);
			this.show(withMention(this.shown, mention));
		}
	}

	/** Activates the next or previous offer; wraps around. */
	move(step: 1 | -1): void {
		this.show(this.shown && moved(this.shown, step));
	}

	/** Calls a function once the list is for the current text. Editing or closing cancels it. */
	whenCurrent(act: () => void): void {
		this.waiting = act;
	}

	/** Closes the list until another trigger is typed. */
	dismiss(): void {
		const start = this.shown?.mention.start ?? this.dismissed;
		this.close();
		this.dismissed = start;
	}

	/** Closes the list after an offer was accepted. */
	close(): void {
		this.dismissed = -1;
		this.waiting = undefined;
		this.wanted = undefined;
		this.show(undefined);
	}

	private show(list: CompletionList | undefined): void {
		if (list !== this.shown) {
			this.shown = list;
			this.onChange();
		}
	}

	/** Sends one query at a time, and the latest one afterwards, to limit the number of requests. */
	private lookUp(mention: Mention): void {
		if (!isSameMention(this.wanted, mention)) {
			this.wanted = mention;
			if (!this.isAsking) {
				this.isAsking = true;
				void this.ask().finally(() => {
					this.isAsking = false;
				});
			}
		}
	}

	private async ask(): Promise<void> {
		let asked: Mention | undefined;
		while (this.wanted && asked !== this.wanted) {
			asked = this.wanted;
			const offers = await offersFor(this.host, asked).catch(() => undefined);
			const { wanted } = this;
			if (wanted?.start === asked.start && wanted.trigger === asked.trigger) {
				this.found(wanted, asked, offers);
			}
		}
	}

	private found(
		mention: Mention,
		asked: Mention,
		offers: readonly CompletionOffer[] | undefined,
	): void {
		const hasNone = mention.isBare && offers?.length === 0;
		this.show(offers && !hasNone ? listOf(mention, asked, offers, this.shown) : undefined);
		if (mention === asked) {
			const act = this.waiting;
			this.waiting = undefined;
			act?.();
		}
	}
}

/** Returns the list with the next or previous offer active; wraps around. */
function moved(list: CompletionList, step: 1 | -1): CompletionList {
	const count = list.offers.length;
	return count === 0
		? list
		: { ...list, active: (list.active + step + count) % count, isChosen: true };
}

/** Returns the list for new offers. An offer selected with the arrow keys stays selected at its new position. */
function listOf(
	mention: Mention,
	asked: Mention,
	offers: readonly CompletionOffer[],
	before: CompletionList | undefined,
): CompletionList {
	const chosen = before?.isChosen ? before.offers[before.active]?.id : undefined;
	const kept = offers.findIndex(({ id }) => id === chosen);
	// A URL without a trigger is a message: Enter sends it, and the arrow keys select the offer.
	const first = offers.length > 0 && !mention.isBare ? 0 : -1;
	const active = kept === -1 ? first : kept;
	return { mention, isCurrent: mention === asked, offers, active, isChosen: kept !== -1 };
}

function isSameMention(one: Mention | undefined, other: Mention | undefined): boolean {
	return (
		one?.start === other?.start && one?.query === other?.query && one?.trigger === other?.trigger
	);
}

/** Returns the list for an extended mention: keeps its offers until others arrive, and replaces the whole mention on Enter. */
function withMention(
	list: CompletionList | undefined,
	mention: Mention,
): CompletionList | undefined {
	if (list?.mention.start !== mention.start || list.mention.trigger !== mention.trigger) {
		return undefined;
	}
	return isSameMention(list.mention, mention)
		? list
		: { ...list, mention, isCurrent: false, isChosen: false };
}

async function offersFor(
	host: Pick<Host<ChatRequests, ChatPushes>, "call">,
	{ trigger, query }: Mention,
): Promise<readonly CompletionOffer[]> {
	const { offers } =
		trigger === "/"
			? await host.call("completeCommand", { query })
			: await host.call("completeAttachment", { query });
	return offers;
}
