import * as vscode from "vscode";
import { type ChatSession, createChatSession } from "../../chat/index.ts";
import type { StoredChat } from "../../chat/store/index.ts";
import { Disposable, type IDisposable } from "../../common/disposable.ts";
import type {
	ToolAnswer,
	Banner,
	ChatChange,
	ChatViewState,
	ConnectionView,
	TurnView,
	VideoCard,
} from "../../shared/index.ts";
import { createEmitter, type Event } from "../../common/emitter.ts";
import type { ChatPlace } from "../../video/job/index.ts";
import type { ChatAttachments } from "../attachments/index.ts";
import { type ChatSettings, composerView } from "../composer/index.ts";
import type { WindowTools, BlockPlace, CodeBlocks, ToolCardStore } from "../tools/index.ts";
import type { ChatControllerContext } from "./chatControllerContext.ts";
import { type ChatQuestions, createChatQuestions, turnOf } from "./chatQuestions.ts";
import { ChatQueue } from "./chatQueue.ts";
import { sourceOf, turnView } from "./chatViewModel.ts";
import { type ShownChat, ChatMetadataWatcher } from "./shownChat.ts";
import { type ChatSharing, shareChat } from "./chatSharing.ts";
import { createSessionView, type SessionView, type SessionViewChange } from "./sessionView.ts";
import { createQuestionOptions, type QuestionOptions } from "./questionOptions.ts";
import { type OpenChat, openChat } from "./openChat.ts";
import { storeBanner } from "../base/storeErrorMessage.ts";
import type { VideoCardChange } from "../video/views/index.ts";
import type { Turn } from "../../chat/turn/index.ts";

/** The chat as the view sees it: one session at a time, with everything around it put into words. */
export class ChatController extends Disposable {
	private readonly changed = this.register(createEmitter<readonly ChatChange[]>());
	private readonly askedToEdit = this.register(createEmitter<string>());
	private readonly context: ChatControllerContext;
	private session: ChatSession;
	private sessionView: SessionView;
	private connectionView: ConnectionView;
	private notice: Banner | null;
	private readonly questions: ChatQuestions;
	/** The settings as the chat has them. */
	readonly settings: ChatSettings;
	/** What is sent with the next question. */
	readonly attachments: ChatAttachments;
	/** What any window did to the chat. */
	readonly fate: ChatMetadataWatcher;
	/** The chat as other windows have it. */
	readonly sharing: ChatSharing;
	/** The messages that wait until an answer has come. */
	readonly queue: ChatQueue;
	/** What the next question is asked with. */
	readonly options: QuestionOptions;
	/** What changed, in order; several changes of one moment come together. */
	readonly onDidChange: Event<readonly ChatChange[]> = this.changed.event;
	/** Words to put back into the composer. */
	readonly onDidAskToEdit: Event<string> = this.askedToEdit.event;

	/** Opens the chat this window showed last, or begins one. */
	static async create(context: ChatControllerContext): Promise<ChatController> {
		const id = context.currentChat.get();
		const [opened, connectionView] = await Promise.all([
			id === undefined ? undefined : openChat(context.store, context.log, id),
			context.connection.view(),
		]);
		return new ChatController(context, opened ?? { chat: undefined, banner: null }, connectionView);
	}

	private constructor(
		context: ChatControllerContext,
		opened: OpenChat,
		connectionView: ConnectionView,
	) {
		super();
		this.context = context;
		this.attachments = context.attachments;
		this.settings = context.settings;
		this.options = createQuestionOptions(context.settings);
		this.questions = createChatQuestions({
			session: () => this.session,
			isLocal: () => this.isLocal,
			attachments: context.attachments,
			options: this.options,
			onSent: chatId => {
				context.currentChat.set(chatId);
				void context.settings.begun(chatId);
			},
			onNotAsked: () => this.queue.questionFailed(),
			onEdit: text => this.askedToEdit.fire(text),
		});
		const { questions, options } = this;
		this.queue = this.register(new ChatQueue({ ...context, questions, options, standing: this }));
		const show = (shown: OpenChat): Promise<void> => this.show(shown);
		this.sharing = this.register(shareChat(context, change => this.showChange(change), show));
		this.connectionView = connectionView;
		this.notice = opened.banner;
		[this.session, this.sessionView] = this.startSession(opened.chat, opened.unasked);
		this.register(context.connection.onDidChange(() => void this.refreshConnection()));
		this.register(context.videoCards.onDidChange(change => this.showVideo(change)));
		this.register(followParts(context, this.queue, change => this.fire(change)));
		this.fate = this.register(new ChatMetadataWatcher(context, () => this.session));
		this.register(this.fate.onDidChange(change => this.showChange(change)));
		void this.fate.refresh();
		this.register(vscode.workspace.onDidGrantWorkspaceTrust(() => this.reset()));
		this.register(vscode.workspace.onDidChangeWorkspaceFolders(() => this.reset()));
	}

	/** Everything the view shows. */
	picture(): Omit<ChatViewState, "seq"> {
		return {
			chatId: this.session.id,
			title: this.fate.title,
			turns: this.turns(),
			connection: this.connectionView,
			composer: composerView(this.context.settings),
			attachments: this.attachments.view(),
			queue: this.queue.view(),
			banner: this.banner(),
			toolsOff: this.context.tools.offReason() ?? null,
		};
	}

	/** Asks a question; throws with the reason when it was not sent. */
	send(text: string): Promise<string> {
		return this.questions.send(text);
	}

	/** Ends what is under way: the running answer, keeping its text, or the upload before a question. */
	stop(): void {
		this.questions.stopPreparing();
		this.queue.stopAdding();
		this.session.stop();
	}

	/** Puts the chat away and begins an empty one. */
	async newChat(): Promise<void> {
		if (this.session.turns.length > 0 || this.session.isBusy) {
			await this.show({ chat: undefined, banner: null });
		} else {
			await this.settings.change({});
		}
	}

	/** Opens a kept chat in place of the one that is shown. */
	async open(id: string): Promise<void> {
		if (id !== this.session.id) {
			this.queue.requireReachable(this.session);
			await this.show(await openChat(this.context.store, this.context.log, id));
		}
	}

	/** Copies the chat up to one of its questions with the answer, and shows the copy. */
	async duplicate(throughTurnId: string): Promise<void> {
		await this.open(await this.context.library.duplicate(this.session.id, { throughTurnId }));
	}

	/** The chat that is shown. */
	get shown(): ShownChat {
		const { id, isBusy, turns } = this.session;
		return { id, isAnswering: isBusy, turnCount: turns.length };
	}

	/** What asks questions once more, and shows their versions. */
	get again(): Pick<ChatQuestions, "retry" | "edit" | "showVersion" | "runAction"> {
		return this.questions;
	}

	/** What is done with the calls of models. */
	get tools(): Pick<WindowTools, "cancel" | "history"> {
		return this.context.tools;
	}

	/** Takes the answer to a request on a tool card. */
	answerTool(answer: ToolAnswer): void {
		this.context.tools.desk.answer(answer);
	}

	/** The Markdown of a message, or the question's text for `index` -1. */
	sourceOf(turnId: string, index: number): string {
		return sourceOf(turnOf(this.session, turnId), index);
	}

	/** Where something belongs that was started below a question of the chat that is shown. */
	placeOf(turnId: string): ChatPlace {
		return { chatId: this.session.id, turnId: turnOf(this.session, turnId).id };
	}

	/** What a user does with code blocks of the chat. */
	get codeBlocks(): CodeBlocks {
		return this.context.tools.codeBlocks;
	}

	/** Where a code block is in the chat that is shown. */
	blockPlace(turnId: string): BlockPlace {
		const { id: chatId, blockCalls } = this.session;
		return { chatId, turn: turnOf(this.session, turnId), log: blockCalls };
	}

	/** Ends a running answer as interrupted and waits until everything is on disk. */
	async close(): Promise<void> {
		await this.session.close();
		this.dispose();
	}

	override dispose(): void {
		this.sessionView.dispose();
		this.session.dispose();
		super.dispose();
	}

	private turns(after?: string): TurnView[] {
		const { isLocal, context, sharing } = this;
		const videos = context.videoCards.of(this.session.id);
		const session = sharing.read ?? this.session;
		return shownTurns({ session, isLocal, desk: context.tools.desk, videos }, after);
	}

	/** Whether the local service answers. */
	get isLocal(): boolean {
		return this.connectionView.kind === "local";
	}

	private async show(opened: OpenChat): Promise<void> {
		this.questions.stopPreparing();
		this.codeBlocks.stop();
		const previous = this.session;
		this.sessionView.dispose();
		this.notice = opened.banner;
		[this.session, this.sessionView] = this.startSession(opened.chat, opened.unasked);
		this.context.currentChat.set(this.session.id);
		this.reset();
		void this.fate.refresh();
		await previous.close();
	}

	private startSession(chat?: StoredChat, unasked?: StoredChat): [ChatSession, SessionView] {
		const { client, store, clock, log, tools, settings } = this.context;
		const session = createChatSession({
			client,
			store,
			clock,
			log,
			tools: tools.forChat(),
			...(chat ? { chat } : {}),
			...(unasked ? { chat: unasked } : {}),
		});
		settings.follow(session.id, chat);
		this.sharing.begin(session, chat);
		this.queue.follow(session, chat);
		void tools.history.recall(session.id, session.allTurns);
		const view = createSessionView(
			session,
			clock,
			() => this.isLocal,
			change => this.showChange(change),
			tools.desk,
		);
		return [session, view];
	}

	private showChange(change: SessionViewChange): void {
		if (change.type === "reset") {
			this.reset();
		} else if (change.type === "branch-shown") {
			const { type, after } = change;
			this.fire({ type, after: after ?? null, turns: this.turns(after) });
		} else {
			this.fire(change.type === "banner" ? { type: "banner", banner: this.banner() } : change);
		}
	}

	private banner(): Banner | null {
		const { sharing, session, fate, notice } = this;
		return sharing.banner ?? storeBanner(session.storeError) ?? fate.banner ?? notice;
	}

	private async refreshConnection(): Promise<void> {
		this.connectionView = await this.context.connection.view();
		this.fire({ type: "connection", connection: this.connectionView });
	}

	private showVideo({ place: { chatId, turnId }, jobId, card }: VideoCardChange): void {
		if (chatId === this.session.id) {
			this.fire(card ? { type: "video", video: card } : { type: "video-removed", turnId, jobId });
		}
	}

	private reset(): void {
		this.fire({ type: "reset", state: { ...this.picture(), seq: 0 } });
	}

	private fire(change: ChatChange): void {
		if (!this.isDisposed) {
			this.changed.fire([change]);
		}
	}
}

/** Puts the changes of what is around the conversation into the view's words, until disposed. */
function followParts(
	{
		settings,
		attachments,
		tools,
	}: Pick<ChatControllerContext, "settings" | "attachments" | "tools">,
	queue: Pick<ChatQueue, "onDidChange">,
	change: (change: ChatChange) => void,
): IDisposable {
	const listeners = [
		settings.onDidChange(() => change({ type: "composer", composer: composerView(settings) })),
		attachments.onDidChange(view => change({ type: "attachments", attachments: view })),
		tools.desk.onDidChange(card => change({ type: "tool-card", ...card })),
		queue.onDidChange(view => change({ type: "queue", queue: view })),
	];
	return { dispose: () => listeners.forEach(listener => listener.dispose()) };
}

/** What turns are shown with. */
interface ShownTurnsContext {
	readonly session: Pick<ChatSession, "turns" | "versionsOf">;
	readonly isLocal: boolean;
	readonly desk: Pick<ToolCardStore, "cardsOf">;
	/** The videos of the chat. */
	readonly videos: readonly VideoCard[];
}

/** The turns of a chat as the view shows them, or those behind one of them. */
export function shownTurns(context: ShownTurnsContext, after?: string): TurnView[] {
	const { turns } = context.session;
	const first = after === undefined ? 0 : turns.findLastIndex(({ id }) => id === after) + 1;
	return turns.slice(first).map(turn => shownTurn(context, turn));
}

function shownTurn({ session, isLocal, desk, videos }: ShownTurnsContext, turn: Turn): TurnView {
	const { ids, index } = session.versionsOf(turn.id);
	return {
		...turnView(turn, isLocal, desk.cardsOf(turn)),
		...(ids.length > 1 ? { version: { number: index + 1, count: ids.length } } : {}),
		videos: videos.filter(({ turnId }) => turnId === turn.id),
	};
}
