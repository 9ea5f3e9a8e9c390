import * as vscode from "vscode";
import { type ChatSession, createChatSession, type SendResult } from "../chat/chatSession.ts";
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
import { pickChat } from "./chatHistory.ts";
import { chatParameters, composerView, turnView } from "./chatViewModel.ts";
import type { ChatPlace } from "../video/videoJob.ts";
import type { ServiceConnection } from "./connection.ts";
import { createSessionView, type SessionView } from "./sessionView.ts";
import type { Settings } from "./settings.ts";
import { type OpenChat, openChat } from "./openChat.ts";
import { storeSentence } from "./storeSentence.ts";
import type { VideoCardChange, VideoCards } from "./videoCards.ts";

/** Remembers which chat the window shows, across reloads. */
export interface CurrentChat {
	get(): string | undefined;
	set(id: string): void;
}

/** What the controller works with. */
export interface ChatControllerContext {
	readonly client: ServiceClient;
	readonly store: ChatStore;
	readonly clock: Clock;
	readonly log: Log;
	readonly settings: Settings;
	readonly connection: ServiceConnection;
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
			banner: this.banner(),
			isTrusted: vscode.workspace.isTrusted,
		};
	}

	/** Asks a question. Throws with the reason when it was not sent, so that the words can go back to the composer. */
	async send(text: string): Promise<string> {
		const { settings, currentChat } = this.context;
		const result = await this.session.send(text, {
			model: settings.get("chat.model"),
			serverTools: settings.get("chat.serverTools"),
			parameters: chatParameters(settings),
		});
		const turnId = startedTurn(result);
		currentChat.set(this.session.id);
		return turnId;
	}

	/** Ends the running answer, keeping its text. */
	stop(): void {
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
		const { settings } = this.context;
		startedTurn(
			await this.session.retry(turnId, {
				model: settings.get("chat.model"),
				serverTools: settings.get("chat.serverTools"),
				parameters: chatParameters(settings),
			}),
		);
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

	/** Makes a model the one that answers from now on. */
	async setModel(model: string): Promise<void> {
		await this.context.settings.set("chat.model", model);
	}

	/** Switches a server tool on or off from now on. */
	async setServerTool(tool: "code_interpreter" | "browsing", isOn: boolean): Promise<void> {
		const others = this.context.settings.get("chat.serverTools").filter(name => name !== tool);
		await this.context.settings.set("chat.serverTools", isOn ? [...others, tool] : others);
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

/** The turn a click started; throws the sentence for a click that started none. */
function startedTurn(result: SendResult): string {
	switch (result.type) {
		case "started":
			return result.turnId;
		case "busy":
			throw new Error("An answer is still running. Stop it, or wait for its end.");
		case "notSaved":
			throw new Error(`${storeSentence(result.error)} Nothing was sent.`);
		case "unavailable":
			throw new Error("Only the last question of the open chat can be asked again.");
		default:
			return assertNever(result);
	}
}
