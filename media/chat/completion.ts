import type { AttachmentOffer } from "../../src/protocol/attachments.ts";
import type { ChatPushes, ChatRequests } from "../../src/protocol/chat.ts";
import type { Host } from "../shared/host.ts";
import type { SlashOffer } from "../../src/protocol/slash.ts";
import { type Mention, mentionAt } from "./mention.ts";
import { slashAt } from "./slashText.ts";

/** Something the list offers: to attach, or to run. */
export type Offer = AttachmentOffer | SlashOffer;

/** What `@` or `/` offers at the moment. */
export interface CompletionList {
	readonly mention: Mention;
	readonly offers: readonly Offer[];
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
	/** Where the mention stands that was dismissed. */
	let dismissed = -1;
	const show = (next: CompletionList | undefined): void => {
		if (next !== list) {
			list = next;
			onChange();
		}
	};
	const lookup = createLookup(host, (mention, offers) =>
		show(offers && listOf(mention, offers, list)),
	);
	const close = (): void => {
		dismissed = -1;
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
				return;
			}
			if (mention.start !== dismissed) {
				dismissed = -1;
				lookup.want(mention);
				show(withMention(list, mention));
			}
		},
		move: step => {
			const count = list?.offers.length ?? 0;
			if (list && count > 0) {
				show({ ...list, active: (list.active + step + count) % count, isChosen: true });
			}
		},
		dismiss: () => {
			const start = list?.mention.start ?? dismissed;
			close();
			dismissed = start;
		},
		close,
	};
}

/** The list an answer makes of the one before: an offer the arrows went to stays chosen wherever it stands by then. */
function listOf(
	mention: Mention,
	offers: readonly Offer[],
	before: CompletionList | undefined,
): CompletionList {
	const chosen = before?.isChosen ? before.offers[before.active]?.id : undefined;
	const kept = offers.findIndex(({ id }) => id === chosen);
	const first = offers.length > 0 ? 0 : -1;
	return { mention, offers, active: kept === -1 ? first : kept, isChosen: kept !== -1 };
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
	return isSameMention(list.mention, mention) ? list : { ...list, mention, isChosen: false };
}

/** Asks the host what matches a mention. */
interface Lookup {
	/** The mention that is looked up; nothing ends looking. */
	want(mention: Mention | undefined): void;
}

/** Makes a lookup that asks one query at a time; meanwhile the latest one waits, so that typing floods nothing. */
function createLookup(
	host: Pick<Host<ChatRequests, ChatPushes>, "call">,
	found: (mention: Mention, offers: readonly Offer[] | undefined) => void,
): Lookup {
	let wanted: Mention | undefined;
	let isAsking = false;
	const ask = async (): Promise<void> => {
		let asked: Mention | undefined;
		while (wanted && asked !== wanted) {
			asked = wanted;
			const offers = await offersFor(host, asked).catch(() => undefined);
			if (wanted?.start === asked.start && wanted.trigger === asked.trigger) {
				found(wanted, offers);
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
): Promise<readonly Offer[]> {
	const { offers } =
		trigger === "/"
			? await host.call("completeCommand", { query })
			: await host.call("completeAttachment", { query });
	return offers;
}
