import type { Banner, ChatChange, ChatViewState, TurnView } from "../../src/shared/chat.ts";
import { describeChanges } from "./announce/announcement.ts";
import type { Arrival } from "./arrival.ts";
import { AttachmentAnnouncements } from "./composer/attachmentAnnouncements.ts";
import type { ConversationListener } from "./messages/conversation.ts";
import type { ChatPage } from "./page.ts";
import { QueueAnnouncements } from "./queue/queueLoading.ts";

export interface ConversationAnnouncementDependencies {
	readonly page: Pick<
		ChatPage,
		"announce" | "renderFailure" | "revealAttachment" | "expandAttachment"
	>;
	readonly arrival: Arrival;
	readonly recoverDraft: (state: ChatViewState) => void;
	/** Called with the state, for queued messages being edited. */
	readonly followQueue: (state: ChatViewState) => void;
	readonly showChanges: (changes: readonly ChatChange[]) => void;
	readonly load: () => void;
}

/** Shows changes of a conversation and announces them to screen readers. */
export class ConversationAnnouncements implements ConversationListener {
	private readonly dependencies: ConversationAnnouncementDependencies;
	private readonly attachments = new AttachmentAnnouncements();
	private readonly queue: QueueAnnouncements;
	/** The last announced banner. */
	private told: Banner | undefined;
	private lastTurn: TurnView | undefined;

	constructor(dependencies: ConversationAnnouncementDependencies) {
		const { page } = dependencies;
		this.dependencies = dependencies;
		this.queue = new QueueAnnouncements(sentence => page.announce(sentence));
	}

	onLoaded(state: ChatViewState): void {
		const { page, arrival, recoverDraft, followQueue } = this.dependencies;
		this.attachments.newsOf(state.attachments);
		this.queue.follow(state);
		this.lastTurn = state.turns.at(-1);
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
		page.revealAttachment(news.addedId);
		page.expandAttachment(news.failedId);
		page.announce(this.noteNews(state));
		const sentences = [describeChanges(state, changes), news.sentence, this.bannerNews(state)];
		page.announce(sentences.filter(sentence => sentence !== "").join(" "));
		this.queue.follow(state);
	}

	onLoadFailed(): void {
		const { page, load } = this.dependencies;
		page.renderFailure(load);
	}

	/** Returns the notes that the last turn didn't have before. */
	private noteNews({ turns }: ChatViewState): string {
		const before = this.lastTurn;
		const now = turns.at(-1);
		this.lastTurn = now;
		const news = before?.id === now?.id ? now?.notes?.slice(before?.notes?.length) : undefined;
		return news?.map(({ text }) => text).join(". ") ?? "";
	}

	/** Announces once why the chat is read-only, and then changes of that. */
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
