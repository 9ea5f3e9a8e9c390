import type { Banner, ChatViewState } from "../../src/shared/index.ts";
import { describeChanges } from "./announce/index.ts";
import { createAttachmentAnnouncements } from "./composer/index.ts";
import type { ConversationListener } from "./messages/index.ts";
import type { ChatPage } from "./page.ts";
import { createQueueAnnouncements } from "./queue/index.ts";

/** Dependencies of the listener to a conversation. */
export interface ConversationAnnouncementDependencies {
	readonly page: Pick<ChatPage, "announce" | "renderFailure" | "revealAttachment">;
	/** Shows a chat that was loaded, or took the place of another. */
	readonly showLoaded: (state: ChatViewState) => void;
	/** Shows that a chat has turns before those it was shown with. */
	readonly showEarlier: () => void;
	readonly recoverDraft: (state: ChatViewState) => void;
	/** Takes what became of messages that wait and are being changed. */
	readonly followQueue: (state: ChatViewState) => void;
	/** Draws changes of a chat that is shown. */
	readonly showChanges: (changes: Parameters<ConversationListener["onChanged"]>[1]) => void;
	readonly load: () => void;
}

/** Makes what shows the news of a conversation, and says them to a screen reader. */
export function createConversationAnnouncements(
	dependencies: ConversationAnnouncementDependencies,
): ConversationListener {
	const { page, showLoaded, showEarlier, recoverDraft, followQueue, showChanges, load } =
		dependencies;
	const newsOf = createAttachmentAnnouncements();
	const bannerNews = createBannerNews();
	const tellOfQueue = createQueueAnnouncements(sentence => page.announce(sentence));
	return {
		onLoaded: state => {
			newsOf(state.attachments);
			tellOfQueue(state);
			page.announce(bannerNews(state));
			showLoaded(state);
			recoverDraft(state);
			followQueue(state);
		},
		onChanged: (state, changes) => {
			if (changes.some(change => change.type === "reset")) {
				showLoaded(state);
			}
			if (changes.some(change => change.type === "earlier-turns")) {
				showEarlier();
			}
			recoverDraft(state);
			followQueue(state);
			showChanges(changes);
			const news = newsOf(state.attachments);
			page.revealAttachment(news.failedId);
			const sentences = [describeChanges(state, changes), news.sentence, bannerNews(state)];
			page.announce(sentences.filter(sentence => sentence !== "").join(" "));
			tellOfQueue(state);
		},
		onLoadFailed: () => page.renderFailure(load),
	};
}

/** Makes what tells once why nothing can be written in the chat, and then what changes about that. */
function createBannerNews(): (state: ChatViewState) => string {
	let told: Banner | undefined;
	return ({ banner }) => {
		const before = told;
		told = banner?.readOnly === undefined ? undefined : banner;
		if (before?.readOnly !== told?.readOnly) {
			return told?.readOnly ?? "";
		}
		return before?.text === told?.text ? "" : (told?.text ?? "");
	};
}
