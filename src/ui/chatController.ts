import * as vscode from "vscode";
import { type ChatSession, createChatSession } from "../chat/chatSession.ts";
import { wasRefusedForFiles } from "../chat/fileRefusal.ts";
import type { ChatStore, StoredChat } from "../chat/chatStore.ts";
import type { ServiceClient } from "../client/index.ts";
import { assertNever } from "../common/assertNever.ts";
import type { Clock } from "../common/async.ts";
import { Disposable } from "../common/disposable.ts";
import { createEmitter, type Event } from "../common/emitter.ts";
import type { Log } from "../common/log.ts";
import type {
	Banner,
	ChatChange,
	ChatViewState,
	ConnectionView,
	TurnAction,
} from "../protocol/chat.ts";
import type { ChatPlace } from "../video/videoJob.ts";
import type { ChatAttachments } from "./chatAttachments.ts";
import { pickChat } from "./chatHistory.ts";
import { composerView, turnView } from "./chatViewModel.ts";
import type { ServiceConnection } from "./connection.ts";
import { createSessionView, type SessionView } from "./sessionView.ts";
import { createQuestionOptions, type QuestionOptions } from "./questionOptions.ts";
import { createQuestionPreparation } from "./questionPreparation.ts";
import type { Settings } from "./settings.ts";
import { type CurrentChat, type OpenChat, openChat } from "./openChat.ts";
import { startedTurn } from "./startedTurn.ts";
import { storeSentence } from "./storeSentence.ts";
import type { VideoCardChange, VideoCards } from "./videoCards.ts";

/** What the controller works with. */
export interface ChatControllerContext {
	readonly client: ServiceClient;
	readonly store: ChatStore;
	readonly clock: Clock;
	readonly log: Log;
	readonly settings: Settings;
	readonly connection: ServiceConnection;
	/** What goes along with the next question. */
	readonly attachments: ChatAttachments;
	readonly currentChat: CurrentChat;
	readonly videoCards: Pick<VideoCards, "of" | "onDidChange">;
}

/** What the view shows apart from the number of the last change. */
export type ChatPicture = Omit<ChatViewState, "seq">;

/** The chat as the view sees it: one session at a time, with everything around it put into words. */
export class ChatController extends Disposable {
	private readonly changed = this.register(createEmitter<readonly ChatChange[]>());
	private readonly askedToEdit = this.register(createEmitter<string>());
	private readonly context: ChatControllerContext;
	private session: ChatSession;
	private sessionView: SessionView;
	private connectionView: ConnectionView;
	private notice: Banner | null;
	/** Ends the reading and uploading of a question's attachments, while that is under way. */
	private readonly preparation = createQuestionPreparation();
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
		this.options = createQuestionOptions(context.settings);
		this.connectionView = connectionView;
		this.notice = opened.banner;
		[this.session, this.sessionView] = this.startSession(opened.chat);
		this.register(context.connection.onDidChange(() => void this.refreshConnection()));
		this.register(
			context.settings.onDidChange(() =>
				this.fire({ type: "composer", composer: composerView(context.settings) }),
			),
		);
		this.register(context.videoCards.onDidChange(change => this.showVideo(change)));
		this.register(
			context.attachments.onDidChange(attachments =>
				this.fire({ type: "attachments", attachments }),
			),
		);
		this.register(vscode.workspace.onDidGrantWorkspaceTrust(() => this.reset()));
	}

	/** Everything the view shows. */
	picture(): ChatPicture {
		const videos = this.context.videoCards.of(this.session.id);
		return {
			chatId: this.session.id,
			title: this.session.title,
			turns: this.session.turns.map(turn => ({
				...turnView(turn, this.isLocal),
				videos: videos.filter(({ turnId }) => turnId === turn.id),
			})),
			connection: this.connectionView,
			composer: composerView(this.context.settings),
			attachments: this.attachments.view(),
			banner: this.banner(),
			isTrusted: vscode.workspace.isTrusted,
		};
	}

	/** What goes along with the next question. */
	get attachments(): ChatAttachments {
		return this.context.attachments;
	}

	/**
	 * Asks a question, with what is attached. Throws with the reason when it was not sent, so that the words can go back to the
	 * composer, where the attachments still are.
	 */
	async send(text: string): Promise<string> {
		const { session } = this;
		return this.preparation.run(session.isBusy, async signal => {
			const earlier = session.turns.flatMap(turn => turn.attachments);
			const prepared = await this.attachments.prepare(earlier, signal);
			const turnId = startedTurn(await session.send(text, this.options.current(), prepared));
			this.attachments.clear();
			this.context.currentChat.set(session.id);
			return turnId;
		});
	}

	/** Ends what is under way: the running answer, keeping its text, or the upload before a question. */
	stop(): void {
		this.preparation.stop();
		this.session.stop();
	}

	/** Puts the chat away and begins an empty one. */
	async newChat(): Promise<void> {
		if (this.session.turns.length > 0 || this.session.isBusy) {
			await this.show({ chat: undefined, banner: null });
		}
	}

	/** Offers the kept chats and opens the chosen one. */
	async showHistory(): Promise<void> {
		const chats = await this.context.store.list();
		const id = await pickChat(chats, this.session.id);
		if (id !== undefined && id !== this.session.id) {
			await this.show(await openChat(this.context.store, this.context.log, id));
		}
	}

	/** Asks the last question again, with the composer's model and switches as they are now. */
	async retry(turnId: string): Promise<void> {
		const { session } = this;
		await this.preparation.run(session.isBusy, async signal => {
			const turn = this.turn(turnId);
			const before = session.turns.slice(0, session.turns.indexOf(turn));
			const attachments = await this.attachments.renew(turn.attachments, {
				earlier: before.flatMap(({ attachments }) => attachments),
				areForgotten: wasRefusedForFiles(turn),
				signal,
			});
			startedTurn(await session.retry(turnId, this.options.current(), attachments));
		});
	}

	/** Runs an action that the status of the turn offers now; any other is refused. */
	async runAction(turnId: string, action: TurnAction): Promise<void> {
		const turn = this.turn(turnId);
		if (!turnView(turn, this.isLocal).status.actions.includes(action)) {
			throw new Error("This action is no longer offered.");
		}
		switch (action) {
			case "tryAgain":
			case "sendAgain":
				return this.retry(turnId);
			case "showError":
				startedTurn(await this.session.showError(turnId));
				return;
			case "edit":
				this.askedToEdit.fire(turn.prompt);
				await this.attachments.addAgain(turn.attachments);
				return;
			case "setApiKey":
			case "connect":
			case "useLocalService":
			case "showLog":
				await vscode.commands.executeCommand(`cutaway.${action}`);
				return;
			default:
				assertNever(action);
		}
	}

	/** The Markdown of a message, or the question's text for `index` -1. */
	sourceOf(turnId: string, index: number): string {
		const turn = this.turn(turnId);
		const text = index === -1 ? turn.prompt : turn.messages[index]?.text;
		if (text === undefined) {
			throw new Error("There is no such message.");
		}
		return text;
	}

	/** Where something belongs that was begun below a question of the chat that is shown. */
	placeOf(turnId: string): ChatPlace {
		return { chatId: this.session.id, turnId: this.turn(turnId).id };
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

	private get isLocal(): boolean {
		return this.connectionView.kind === "local";
	}

	private turn(turnId: string) {
		const turn = this.session.turns.find(candidate => candidate.id === turnId);
		if (!turn) {
			throw new Error("This question is not in the chat that is shown.");
		}
		return turn;
	}

	private async show(opened: OpenChat): Promise<void> {
		this.preparation.stop();
		const previous = this.session;
		this.sessionView.dispose();
		this.notice = opened.banner;
		[this.session, this.sessionView] = this.startSession(opened.chat);
		this.context.currentChat.set(this.session.id);
		this.reset();
		await previous.close();
	}

	private startSession(chat: StoredChat | undefined): [ChatSession, SessionView] {
		const { client, store, clock, log } = this.context;
		const session = createChatSession({ client, store, clock, log, ...(chat ? { chat } : {}) });
		const view = createSessionView(
			session,
			clock,
			() => this.isLocal,
			change =>
				this.fire(change.type === "banner" ? { type: "banner", banner: this.banner() } : change),
		);
		return [session, view];
	}

	private banner(): Banner | null {
		const { storeError } = this.session;
		return storeError ? { kind: "warning", text: storeSentence(storeError) } : this.notice;
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
