import type { AttachmentOffer } from "../../src/protocol/attachments.ts";
import type { ChatPushes, ChatRequests } from "../../src/protocol/chat.ts";
import type { Host } from "../shared/host.ts";
import { type Mention, mentionAt } from "./mention.ts";

/** What `@` offers at the moment. */
export interface CompletionList {
	readonly mention: Mention;
	readonly offers: readonly AttachmentOffer[];
	/** The offer Enter would take; -1 when there is none. */
	readonly active: number;
}

/** The list that `@` opens in the composer. */
export interface Completion {
	/** Nothing while the list is closed. */
	readonly list: CompletionList | undefined;
	/** Follows what is written: opens at an `@`, narrows with every letter, closes when the cursor leaves. */
	follow(text: string, cursor: number): void;
	/** Makes the next or the one before the active offer, around the ends. */
	move(step: 1 | -1): void;
	/** Closes the list, until another `@` is written. */
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
		show(offers && { mention, offers, active: offers.length > 0 ? 0 : -1 }),
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
			const mention = mentionAt(text, cursor);
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
				show({ ...list, active: (list.active + step + count) % count });
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

/** The list for a mention that has grown: its offers stay until others come, and Enter replaces all that is written. */
function withMention(
	list: CompletionList | undefined,
	mention: Mention,
): CompletionList | undefined {
	if (list?.mention.start !== mention.start) {
		return undefined;
	}
	return list.mention.query === mention.query ? list : { ...list, mention };
}

/** Asks the host what matches a mention. */
interface Lookup {
	/** The mention that is looked up; nothing ends looking. */
	want(mention: Mention | undefined): void;
}

/** Makes a lookup that asks one query at a time; meanwhile the latest one waits, so that typing floods nothing. */
function createLookup(
	host: Pick<Host<ChatRequests, ChatPushes>, "call">,
	found: (mention: Mention, offers: readonly AttachmentOffer[] | undefined) => void,
): Lookup {
	let wanted: Mention | undefined;
	let isAsking = false;
	const ask = async (): Promise<void> => {
		let asked: Mention | undefined;
		while (wanted && asked !== wanted) {
			asked = wanted;
			const { offers } = await host
				.call("completeAttachment", { query: asked.query })
				.catch(() => ({ offers: undefined }));
			if (wanted?.start === asked.start) {
				found(wanted, offers);
			}
		}
	};
	return {
		want: mention => {
			const isSame = wanted?.start === mention?.start && wanted?.query === mention?.query;
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
