import type { AttachmentOffer } from "../../../src/shared/attachments.ts";
import type { ChatPushes, ChatRequests } from "../../../src/shared/chat.ts";
import type { SlashOffer } from "../../../src/shared/slash.ts";
import type { Host } from "../../shared/host.ts";
import { addressAt, type Mention, mentionAt } from "../draft/mention.ts";
import { slashAt } from "../draft/slashText.ts";

/** Something the list offers: to attach, or to run. */
export type CompletionOffer = AttachmentOffer | SlashOffer;

/** Offers for `@` or `/` at the moment. */
export interface CompletionList {
	readonly mention: Mention;
	/** Whether the offers answer what is written now, and not what was there before. */
	readonly isCurrent: boolean;
	readonly offers: readonly CompletionOffer[];
	/** The offer Enter would take; -1 when there is none. */
	readonly active: number;
	/** Whether the arrows went to it since something was written. */
	readonly isChosen: boolean;
}

/** The list that `@`, and a `/` that begins the text, open in the composer. */
export class Completion {
	private readonly host: Pick<Host<ChatRequests, ChatPushes>, "call">;
	private readonly onChange: () => void;
	private shown: CompletionList | undefined;
	/** Where the mention is that was dismissed. */
	private dismissed = -1;
	/** What is done once the list answers what is written. */
	private waiting: (() => void) | undefined;
	/** The mention that is looked up. */
	private wanted: Mention | undefined;
	private isAsking = false;

	/** Makes a closed list. */
	constructor(host: Pick<Host<ChatRequests, ChatPushes>, "call">, onChange: () => void) {
		this.host = host;
		this.onChange = onChange;
	}

	/** Nothing while the list is closed. */
	get list(): CompletionList | undefined {
		return this.shown;
	}

	/** Follows what is written: opens at a sign, narrows with every letter, closes when the cursor leaves. */
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

	/** Makes the next or the one before the active offer, around the ends. */
	move(step: 1 | -1): void {
		this.show(this.shown && moved(this.shown, step));
	}

	/** Does something once the list answers what is written; whatever is written or closed before that drops it. */
	whenCurrent(act: () => void): void {
		this.waiting = act;
	}

	/** Closes the list, until another sign is written. */
	dismiss(): void {
		const start = this.shown?.mention.start ?? this.dismissed;
		this.close();
		this.dismissed = start;
	}

	/** Closes the list because what was written has been taken. */
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

	/** Asks one query at a time; meanwhile the latest one waits, so that typing floods nothing. */
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

/** The list with the next offer active, or the one before, around the ends. */
function moved(list: CompletionList, step: 1 | -1): CompletionList {
	const count = list.offers.length;
	return count === 0
		? list
		: { ...list, active: (list.active + step + count) % count, isChosen: true };
}

/** The list an answer makes of the one before: an offer the arrows went to stays chosen wherever it is by then. */
function listOf(
	mention: Mention,
	asked: Mention,
	offers: readonly CompletionOffer[],
	before: CompletionList | undefined,
): CompletionList {
	const chosen = before?.isChosen ? before.offers[before.active]?.id : undefined;
	const kept = offers.findIndex(({ id }) => id === chosen);
	// An address without a sign is a message first: Enter sends it, the arrows go to the offer.
	const first = offers.length > 0 && !mention.isBare ? 0 : -1;
	const active = kept === -1 ? first : kept;
	return { mention, isCurrent: mention === asked, offers, active, isChosen: kept !== -1 };
}

function isSameMention(one: Mention | undefined, other: Mention | undefined): boolean {
	return (
		one?.start === other?.start && one?.query === other?.query && one?.trigger === other?.trigger
	);
}

/** The list for a mention that has grown: its offers stay until others come, and Enter replaces all that is written. */
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
