import type { Banner, ChatChange, ChatViewState } from "../../src/shared/chat.ts";
import { describeChanges } from "./announce/announcement.ts";
import type { Arrival } from "./arrival.ts";
import { AttachmentAnnouncements } from "./composer/attachmentAnnouncements.ts";
import type { ConversationListener } from "./messages/conversation.ts";
import type { ChatPage } from "./page.ts";
import { QueueAnnouncements } from "./queue/queueLoading.ts";

/** Dependencies of the listener to a conversation. */
export interface ConversationAnnouncementDependencies {
	readonly page: Pick<ChatPage, "announce" | "renderFailure" | "revealAttachment">;
	readonly arrival: Arrival;
	readonly recoverDraft: (state: ChatViewState) => void;
	/** Takes what became of messages that wait and are being changed. */
	readonly followQueue: (state: ChatViewState) => void;
	/** Draws changes of a chat that is shown. */
	readonly showChanges: (changes: readonly ChatChange[]) => void;
	readonly load: () => void;
}

/** Shows the news of a conversation, and says them to a screen reader. */
export class ConversationAnnouncements implements ConversationListener {
	private readonly dependencies: ConversationAnnouncementDependencies;
	private readonly attachments = new AttachmentAnnouncements();
	private readonly queue: QueueAnnouncements;
	/** The banner that was told last. */
	private told: Banner | undefined;

	/** Makes the listener. */
	constructor(dependencies: ConversationAnnouncementDependencies) {
		const { page } = dependencies;
		this.dependencies = dependencies;
		this.queue = new QueueAnnouncements(sentence => page.announce(sentence));
	}

	onLoaded(state: ChatViewState): void {
		const { page, arrival, recoverDraft, followQueue } = this.dependencies;
		this.attachments.newsOf(state.attachments);
		this.queue.follow(state);
		page.announce(this.bannerNews(state));
		arrival.showLoaded(state);
		recoverDraft(state);
		followQueue(state);
	}

	onChanged(state: ChatViewState, changes: readonly ChatChange[]): void {
		const { page, arrival, recoverDraft, followQueue, showChanges } = this.dependencies;
		if (changes.some(change => change.type === "reset")) {
			arrival.showLoaded(state);
		}
		if (changes.some(change => change.type === "earlier-turns")) {
			arrival.showEarlier();
		}
		recoverDraft(state);
		followQueue(state);
		showChanges(changes);
		const news = this.attachments.newsOf(state.attachments);
		page.revealAttachment(news.failedId);
		const sentences = [describeChanges(state, changes), news.sentence, this.bannerNews(state)];
		page.announce(sentences.filter(sentence => sentence !== "").join(" "));
		this.queue.follow(state);
	}

	onLoadFailed(): void {
		const { page, load } = this.dependencies;
		page.renderFailure(load);
	}

	/** Tells once why nothing can be written in the chat, and then what changes about that. */
	private bannerNews({ banner }: ChatViewState): string {
		const before = this.told;
		const told = banner?.readOnly === undefined ? undefined : banner;
		this.told = told;
		if (before?.readOnly !== told?.readOnly) {
			return told?.readOnly ?? "";
		}
		return before?.text === told?.text ? "" : (told?.text ?? "");
	}
}
