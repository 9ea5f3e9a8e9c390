import type {
	AttachmentOffer,
	ChatPushes,
	ChatRequests,
	SlashOffer,
} from "../../../src/shared/index.ts";
import type { Host } from "../../shared/host.ts";
import { type Mention, mentionAt, slashAt } from "../draft/index.ts";

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
export interface Completion {
	/** Nothing while the list is closed. */
	readonly list: CompletionList | undefined;
	/** Follows what is written: opens at a sign, narrows with every letter, closes when the cursor leaves. */
	follow(text: string, cursor: number): void;
	/** Makes the next or the one before the active offer, around the ends. */
	move(step: 1 | -1): void;
	/** Does something once the list answers what is written; whatever is written or closed before that drops it. */
	whenCurrent(act: () => void): void;
	/** Closes the list, until another sign is written. */
	dismiss(): void;
	/** Closes the list because what was written has been taken. */
	close(): void;
}

/** Makes a closed list. */
export function createCompletion(
	host: Pick<Host<ChatRequests, ChatPushes>, "call">,
	onChange: () => void,
): Completion {
	let list: CompletionList | undefined;
	/** Where the mention is that was dismissed. */
	let dismissed = -1;
	const waiting = createWaiting();
	const show = (next: CompletionList | undefined): void => {
		if (next !== list) {
			list = next;
			onChange();
		}
	};
	const lookup = createLookup(host, (mention, asked, offers) => {
		show(offers && listOf(mention, asked, offers, list));
		if (mention === asked) {
			waiting.run();
		}
	});
	const close = (): void => {
		dismissed = -1;
		waiting.set(undefined);
		lookup.want(undefined);
		show(undefined);
	};
	return {
		get list() {
			return list;
		},
		follow: (text, cursor) => {
			const mention = mentionAt(text, cursor) ?? slashAt(text, cursor);
			if (!mention) {
				close();
			} else if (mention.start !== dismissed) {
				dismissed = -1;
				waiting.keepIf(isSameMention(list?.mention, mention));
				lookup.want(mention);
				show(withMention(list, mention));
			}
		},
		move: step => show(list && moved(list, step)),
		whenCurrent: waiting.set,
		dismiss: () => {
			const start = list?.mention.start ?? dismissed;
			close();
			dismissed = start;
		},
		close,
	};
}

/** Something that is done once, unless another takes its place before. */
function createWaiting() {
	let waiting: (() => void) | undefined;
	return {
		set: (act: (() => void) | undefined): void => {
			waiting = act;
		},
		keepIf: (isWanted: boolean): void => {
			waiting = isWanted ? waiting : undefined;
		},
		run: (): void => {
			const act = waiting;
			waiting = undefined;
			act?.();
		},
	};
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
	const first = offers.length > 0 ? 0 : -1;
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

/** Asks the host what matches a mention. */
interface Lookup {
	/** The mention that is looked up; nothing ends looking. */
	want(mention: Mention | undefined): void;
}

/** Makes a lookup that asks one query at a time; meanwhile the latest one waits, so that typing floods nothing. */
function createLookup(
	host: Pick<Host<ChatRequests, ChatPushes>, "call">,
	found: (mention: Mention, asked: Mention, offers: readonly CompletionOffer[] | undefined) => void,
): Lookup {
	let wanted: Mention | undefined;
	let isAsking = false;
	const ask = async (): Promise<void> => {
		let asked: Mention | undefined;
		while (wanted && asked !== wanted) {
			asked = wanted;
			const offers = await offersFor(host, asked).catch(() => undefined);
			if (wanted?.start === asked.start && wanted.trigger === asked.trigger) {
				found(wanted, asked, offers);
			}
		}
	};
	return {
		want: mention => {
			const isSame = isSameMention(wanted, mention);
			wanted = isSame ? wanted : mention;
			if (wanted && !isSame && !isAsking) {
				isAsking = true;
				void ask().finally(() => {
					isAsking = false;
				});
			}
		},
	};
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
