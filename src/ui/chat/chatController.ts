import * as vscode from "vscode";
import { ChatSession } from "../../chat/chatSession.ts";
import { type ContextUse, contextLengthOf, contextUse } from "../../chat/chatRequest.ts";
import type { StoredChat } from "../../chat/store/chatStore.ts";
import { Disposable, type IDisposable, Emitter, type Event } from "../../common/disposable.ts";
import type {
	Banner,
	ChatChange,
	ChatViewState,
	ComposerView,
	ConnectionView,
	TurnView,
} from "../../shared/chat.ts";
import type { JobOrigin } from "../../video/job/videoJob.ts";
import type { ChatAttachments } from "../attachments/chatAttachments.ts";
import type { ProjectInstructions } from "../attachments/chatInstructions.ts";
import { type ChatSettings, composerView } from "../composer/chatSettings.ts";
import type { WindowTools } from "../tools/chatTools.ts";
import type { BlockOrigin, CodeBlocks } from "../tools/codeBlocks.ts";
import { ChatQuestions, endOf, turnOf, summarizeChat } from "./chatQuestions.ts";
import { ChatQueue } from "./chatQueue.ts";
import { findingsOf, shownTurns, sourceOf } from "./chatViewModel.ts";
import { contextView } from "./contextView.ts";
import { type ShownChat, ChatMetadataWatcher, hasJustBegun } from "./shownChat.ts";
import { ChatSharing } from "./chatSharing.ts";
import { SessionView, type SessionViewChange } from "./sessionView.ts";
import { QuestionSettings } from "./questionSettings.ts";
import { type ChatControllerDependencies, type OpenChat, openChat } from "./openChat.ts";
import { startedTurn } from "./questionPreparation.ts";
import { storeBanner } from "../base/failureAdvice.ts";
import type { VideoCardChange } from "../video/views/videoCards.ts";

/** View model of the open chat. */
export class ChatController extends Disposable {
	private readonly changed = this.register(new Emitter<readonly ChatChange[]>());
	private readonly askedToEdit = this.register(new Emitter<string>());
	private readonly dependencies: ChatControllerDependencies;
	private session: ChatSession;
	private sessionView: SessionView;
	private connectionView: ConnectionView;
	private notice: Banner | null;
	private readonly questions: ChatQuestions;
	readonly settings: ChatSettings;
	readonly attachments: ChatAttachments;
	readonly metadata: ChatMetadataWatcher;
	readonly sharing: ChatSharing;
	readonly queue: ChatQueue;
	readonly options: QuestionSettings;
	/** Fires with changes in order; simultaneous changes are combined. */
	readonly onDidChange: Event<readonly ChatChange[]> = this.changed.event;
	readonly onDidAskToEdit: Event<string> = this.askedToEdit.event;

	/** Opens the chat this window showed last, or a new one. */
	static async create(dependencies: ChatControllerDependencies): Promise<ChatController> {
		const id = dependencies.currentChat.get();
		const [opened, connectionView] = await Promise.all([
			id === undefined ? undefined : openChat(dependencies.store, dependencies.log, id),
			dependencies.connection.view(),
		]);
		return new ChatController(
			dependencies,
			opened ?? { chat: undefined, banner: null },
			connectionView,
		);
	}

	private constructor(
		dependencies: ChatControllerDependencies,
		opened: OpenChat,
		connectionView: ConnectionView,
	) {
		super();
		this.dependencies = dependencies;
		this.attachments = dependencies.attachments;
		this.settings = dependencies.settings;
		this.options = new QuestionSettings(dependencies.settings, dependencies.instructions);
		this.questions = new ChatQuestions({
			session: () => this.session,
			isLocal: () => this.isLocal,
			attachments: dependencies.attachments,
			options: this.options,
			onSent: chatId => {
				dependencies.currentChat.set(chatId);
				void dependencies.settings.chatStarted(chatId);
			},
			onNotAsked: () => this.queue.questionFailed(),
			onEdit: text => this.askedToEdit.fire(text),
		});
		const { questions, options } = this;
		const service = (): string => this.service();
		this.queue = this.register(
			new ChatQueue({ ...dependencies, questions, options, service, chatState: this }),
		);
		this.sharing = this.register(
			new ChatSharing({
				...dependencies,
				onChange: change => this.showChange(change),
				show: shown => this.show(shown),
			}),
		);
		this.connectionView = connectionView;
		this.notice = opened.banner;
		[this.session, this.sessionView] = this.startSession(opened.chat, opened.queuedOnly);
		this.register(dependencies.connection.onDidChange(() => void this.refreshConnection()));
		this.register(dependencies.videoCards.onDidChange(change => this.showVideo(change)));
		this.register(followParts(dependencies, this.queue, change => this.fire(change)));
		this.register(dependencies.settings.onDidChange(() => this.showComposer()));
		this.register(dependencies.instructions.onDidChange(() => this.showComposer()));
		this.metadata = this.register(new ChatMetadataWatcher(dependencies, () => this.session));
		this.register(this.metadata.onDidChange(change => this.showChange(change)));
		void this.metadata.refresh();
		this.register(vscode.workspace.onDidGrantWorkspaceTrust(() => this.reset()));
		this.register(vscode.workspace.onDidChangeWorkspaceFolders(() => this.reset()));
	}

	picture(): Omit<ChatViewState, "seq"> {
		return {
			chatId: this.session.id,
			title: this.metadata.title,
			turns: this.turns(),
			connection: this.connectionView,
			composer: this.composer(),
			attachments: this.attachments.view(),
			queue: this.queue.view(),
			banner: this.banner(),
			toolsOff: this.dependencies.tools.offReason() ?? null,
		};
	}

	/** Asks a question. Throws with the reason if it wasn't sent. */
	send(text: string): Promise<string> {
		return this.questions.send(text);
	}

	/** Adds URLs that the user typed into a message of the chat. A model may read exactly these without approval. */
	noteTyped(addresses: readonly string[]): void {
		this.dependencies.tools.gate.noteTyped(this.session.id, addresses);
	}

	/** Resolves to the number of findings in a question's answer once it is complete; 0 if it isn't, or its chat was left. */
	async answered(turnId: string): Promise<number> {
		const { session } = this;
		const turn = await endOf(session, turnId);
		const isComplete = turn.progress.state === "complete" && session === this.session;
		return isComplete ? findingsOf(turn).length : 0;
	}

	/** Stops the running answer and keeps its text, or stops the upload before a question. */
	stop(): void {
		this.questions.stopPreparing();
		this.queue.stopAdding();
		this.session.stop();
	}

	async newChat(): Promise<void> {
		if (this.session.turns.length > 0 || this.session.isBusy) {
			await this.show({ chat: undefined, banner: null });
		} else {
			await this.settings.change({});
		}
	}

	/** Whether a New Chat command arriving now was issued before the shown chat's first question. */
	get hasJustBegun(): boolean {
		return hasJustBegun(this.session, this.dependencies.clock.now());
	}

	/** Opens a saved chat. `onShown` runs once it is shown, while the previous one is being saved. */
	async open(id: string, onShown?: () => Promise<void>): Promise<void> {
		if (id === this.session.id) {
			return onShown?.();
		}
		this.queue.requireReachable(this.session);
		const opened = await openChat(this.dependencies.store, this.dependencies.log, id);
		await Promise.all([this.show(opened), onShown?.()]);
	}

	/** Copies the chat up to and including a turn, and shows the copy. */
	async duplicate(throughTurnId: string): Promise<void> {
		await this.open(await this.dependencies.library.duplicate(this.session.id, { throughTurnId }));
	}

	/** Returns how much of the model's context the next question uses before its own text, or undefined if unknown. */
	contextUse(): ContextUse | undefined {
		const options = this.options.current();
		const offered = this.dependencies.tools.forChat().offered(...this.wantedTools());
		return contextUse(this.session.turns, options, offered);
	}

	/**
	 * Requests a summary of the chat and starts another chat with it. Resolves to that chat's first text, or undefined if the answer is incomplete or
	 * the user switched chats meanwhile. Throws an error with a message for the user if nothing was sent.
	 */
	async summarizeAndGoOn(): Promise<string | undefined> {
		const { session, questions, options } = this;
		const words = await summarizeChat({ session, questions, options });
		if (words === undefined || session !== this.session) {
			return undefined;
		}
		await this.newChat();
		return words;
	}

	get instructions(): Pick<ProjectInstructions, "open" | "skills"> {
		return this.dependencies.instructions;
	}

	get shown(): ShownChat {
		const { id, isBusy, turns } = this.session;
		return { id, isAnswering: isBusy, turnCount: turns.length };
	}

	get again(): Pick<ChatQuestions, "retry" | "edit" | "showVersion" | "runAction"> {
		return this.questions;
	}

	get tools(): Pick<WindowTools, "cancel" | "cards" | "external" | "history"> {
		return this.dependencies.tools;
	}

	/** Returns the Markdown of a message, or the question's text for `index` -1. */
	sourceOf(turnId: string, index: number): string {
		return sourceOf(turnOf(this.session, turnId), index);
	}

	jobOrigin(turnId: string): JobOrigin {
		return { chatId: this.session.id, turnId: turnOf(this.session, turnId).id };
	}

	get codeBlocks(): CodeBlocks {
		return this.dependencies.tools.codeBlocks;
	}

	/** Proposes to undo the changes of a question's answer, and of later ones if `isOnwards`. Resolves to whether they were undone. */
	async undoAnswer(turnId: string, isOnwards: boolean): Promise<boolean> {
		const { turns } = this.session;
		const from = turns.indexOf(turnOf(this.session, turnId));
		const meant = turns.slice(from, isOnwards ? undefined : from + 1);
		if (meant.some(({ progress }) => progress.state === "streaming")) {
			startedTurn({ type: "busy" });
		}
		const ids = meant.map(({ id }) => id);
		return this.dependencies.tools.answerUndo.undo(this.codeBlockOrigin(turnId), ids);
	}

	codeBlockOrigin(turnId: string): BlockOrigin {
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
		const { isLocal, dependencies: context, session } = this;
		const videos = context.videoCards.of(this.session.id);
		return shownTurns({ session, isLocal, cards: context.tools.cards, videos }, after);
	}

	get isLocal(): boolean {
		return this.connectionView.kind === "local";
	}

	private service(): string {
		return JSON.stringify(this.dependencies.connection.target());
	}

	private async show(opened: OpenChat): Promise<void> {
		this.questions.stopPreparing();
		this.codeBlocks.stop();
		const previous = this.session;
		this.sessionView.dispose();
		this.notice = opened.banner;
		const { chat, queuedOnly: unasked } = opened;
		[this.session, this.sessionView] = this.startSession(chat, unasked, previous);
		this.dependencies.currentChat.set(this.session.id);
		this.reset();
		void this.metadata.refresh();
		await previous.close();
	}

	private startSession(
		chat?: StoredChat,
		unasked?: StoredChat,
		left?: ChatSession,
	): [ChatSession, SessionView] {
		const { client, store, clock, log, tools, settings, attachments } = this.dependencies;
		const session = new ChatSession({
			client,
			store,
			clock,
			log,
			tools: {
				...tools.forChat(),
				offered: (mayBrowse, reported) =>
					tools.forChat().offered(mayBrowse, reported ?? settings.environment.listedContext),
				service: () => this.service(),
			},
			...(chat ? { chat } : {}),
			...(unasked ? { chat: unasked } : {}),
		});
		settings.follow(session.id, chat);
		attachments.showChat(draftOwner(session), left && draftOwner(left));
		this.sharing.begin(session, chat);
		this.queue.follow(session, chat);
		void tools.history.recall(session.id, session.allTurns);
		const view = new SessionView(
			session,
			clock,
			() => this.isLocal,
			change => this.showChange(change),
			tools.cards,
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
		if (changesContext(change)) {
			this.showComposer();
		}
	}

	private composer(): ComposerView {
		const { settings, instructions, tools } = this.dependencies;
		return {
			...composerView(settings),
			...instructions.view(),
			...tools.externalView(...this.wantedTools()),
			...contextView(this.contextUse()),
		};
	}

	/** Returns whether Browsing is on, and the context length for selecting tools. */
	private wantedTools(): Parameters<WindowTools["externalView"]> {
		const { mayBrowse, model } = this.options.current();
		const { listedContext } = this.dependencies.settings.environment;
		return [mayBrowse === true, contextLengthOf(this.session.turns, model) ?? listedContext];
	}

	showComposer(): void {
		this.fire({ type: "composer", composer: this.composer() });
	}

	private banner(): Banner | null {
		const { sharing, session, metadata, notice } = this;
		return sharing.banner ?? storeBanner(session.storeError) ?? metadata.banner ?? notice;
	}

	private async refreshConnection(): Promise<void> {
		this.connectionView = await this.dependencies.connection.view();
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

function draftOwner({ id, turns }: ChatSession): { chatId: string; isAsked: boolean } {
	return { chatId: id, isAsked: turns.length > 0 };
}

/** Whether a change ends an answer or shows others. */
function changesContext(change: SessionViewChange): boolean {
	return change.type === "status"
		? change.status.state !== "streaming"
		: change.type === "branch-shown";
}

/** Forwards changes of parts other than the conversation to the view, until disposed. */
function followParts(
	{
		attachments,
		instructions,
		tools,
	}: Pick<ChatControllerDependencies, "attachments" | "instructions" | "tools">,
	queue: Pick<ChatQueue, "onDidChange">,
	change: (change: ChatChange) => void,
): IDisposable {
	const listeners = [
		attachments.onDidChange(view => {
			change({ type: "attachments", attachments: view });
			instructions.follow(view.items.map(({ path }) => path));
		}),
		tools.cards.onDidChange(card => change({ type: "tool-card", ...card })),
		queue.onDidChange(view => change({ type: "queue", queue: view })),
	];
	return { dispose: () => listeners.forEach(listener => listener.dispose()) };
}
