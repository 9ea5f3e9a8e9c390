import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import { type Clock, Coalescer } from "../../common/async.ts";
import { Disposable, Emitter, type Event } from "../../common/disposable.ts";
import type { Log } from "../../common/log.ts";
import {
	type ChatPushes,
	type ChatRequests,
	chatRequests,
	type TurnAction,
} from "../../shared/chat.ts";
import type { RequestHandlers } from "../../shared/rpc.ts";
import type { CommandId } from "../base/commands.ts";
import type { ChatController } from "../chat/chatController.ts";
import { showContextUse } from "../chat/contextView.ts";
import { UserPrompts } from "../composer/userPrompts.ts";
import { chatHtml, showCrashedPage, webviewRoot } from "../webview/chatHtml.ts";
import { openLink } from "../webview/openLink.ts";
import type { WrittenFileLink } from "../../common/writtenFile.ts";
import { type PageMemory, pageMemoryHandlers } from "../webview/pageMemory.ts";
import { WebviewHost } from "../webview/webviewHost.ts";
import { ChangeQueue } from "./changeQueue.ts";
import { ChatWatchdog, pulseHandlers, type WatchedPage } from "./chatWatchdog.ts";
import { type ComposerHandlerDependencies, composerHandlers } from "./composerHandlers.ts";
import {
	backToMessage,
	flushPageCommands,
	focusChatView,
	PageFocus,
	type PendingPageCommands,
	replaceChatFrame,
	windowAnswers,
} from "./pageFocus.ts";
import {
	attachmentHandlers,
	chatVideoHandlers,
	type ChatVideos,
	codeHandlers,
	queueHandlers,
	turnHandlers,
} from "./viewHandlers.ts";

/** How long a list or an input may be open for the focus to return to the composer, in ms. After that the user is elsewhere. */
const answeringMs = 60_000;

/** The actions of an answer that use VS Code's own inputs. */
const askingActions: ReadonlySet<TurnAction> = new Set([
	"setApiKey",
	"chooseModel",
	"connect",
	"useLocalService",
]);

/**
 * The requests that use VS Code's inputs and end soon afterwards, so that the composer gets the focus back. After requests that may take minutes, like
 * an answer, that would steal the focus.
 */
const askingRequests = [
	"applyCode",
	"createFileFromCode",
	"generateVideo",
	"runVideoAction",
	"chooseVideoAction",
	"attachFiles",
	"attachOffer",
	"chooseModel",
	"showContext",
	"chooseTools",
	"openInstructions",
	"connect",
	"showChangedFiles",
] as const satisfies readonly (keyof ChatRequests)[];

/** An animation frame at 60 Hz; at most one message is sent to the webview per frame. */
const frameMs = 16;

/**
 * The chat view. The webview only shows the controller's state: it can be destroyed at any time and is rendered again by `ready`, which handles the
 * first load, showing again and recovery (docs/architecture.md).
 */
/** What a user does with Python of the local service. */
export interface PythonActions {
	saveWrittenFile(file: WrittenFileLink): Promise<void>;
	/** Passes on the decision about a question about packages. */
	answerPackages(id: string, isAccepted: boolean): Promise<void>;
}

export class ChatView extends Disposable {
	private readonly extensionUri: vscode.Uri;
	private readonly controller: () => Promise<ChatController>;
	private readonly log: Log;
	private readonly videos: ChatVideos;
	private readonly memory: PageMemory;
	private readonly python: PythonActions;
	private readonly commands: ComposerHandlerDependencies;
	private readonly clock: Clock;
	private readonly queue = new ChangeQueue();
	private readonly flush;
	private readonly watchdog: ChatWatchdog;
	private readonly focus;
	private view: vscode.WebviewView | undefined;
	private host: WebviewHost<ChatRequests, ChatPushes> | undefined;
	private isLive = false;
	private seq = 0;
	private readonly pendingCommands: PendingPageCommands = {
		words: [],
		focus: false,
		turn: undefined,
	};
	private videosInSight: readonly string[] = [];
	private waiting = 0;
	private readonly didShow = this.register(new Emitter<void>());
	readonly onDidShow: Event<void> = this.didShow.event;
	/** Whether the composer was focused at the page's last message. A page that replaces it restores the focus. */
	private wasWriting = false;

	constructor(
		extensionUri: vscode.Uri,
		controller: () => Promise<ChatController>,
		clock: Clock,
		log: Log,
		videos: ChatVideos,
		memory: PageMemory,
		python: PythonActions,
	) {
		super();
		this.extensionUri = extensionUri;
		this.controller = controller;
		this.log = log;
		this.videos = videos;
		this.memory = memory;
		this.python = python;
		const prompts = this.register(new UserPrompts(log));
		this.commands = { prompts, makeVideo: text => this.during(() => videos.make(text)) };
		this.clock = clock;
		this.focus = new PageFocus(focusChatView);
		this.flush = this.register(new Coalescer(frameMs, () => this.sendChanges(), clock));
		this.watchdog = this.register(new ChatWatchdog(this.watchedPage(), clock, log));
	}

	/** Fills a view created by VS Code and replaces the previous one. */
	resolve(view: vscode.WebviewView): void {
		view.webview.options = {
			enableScripts: true,
			enableForms: false,
			enableCommandUris: false,
			localResourceRoots: [webviewRoot(this.extensionUri)],
		};
		this.view = view;
		this.showBadge(this.waiting);
		view.onDidChangeVisibility(() => {
			// The document of a hidden view is destroyed. The next one requests everything with `ready`.
			this.isLive &&= view.visible;
			this.wasWriting &&= view.visible;
			if (this.view === view) {
				this.tellVisibility(view);
				if (view.visible) {
					this.didShow.fire();
				}
			}
		});
		view.onDidDispose(() => {
			if (this.view === view) {
				this.view = undefined;
				this.letGo();
				this.watchdog.hidden();
			}
		});
		this.draw(view);
	}

	/** Replaces the view's page, regardless of its condition. Opens the view if it is closed. */
	async reload(): Promise<void> {
		if (this.isShown) {
			await this.watchdog.reload();
		} else {
			await this.open();
		}
	}

	async open(): Promise<void> {
		// A live page gets the focus only afterwards: the keys pressed while VS Code moves it to the view would be lost.
		this.pendingCommands.focus ||= !this.isLive;
		await focusChatView();
		if (this.isLive) {
			await this.focusComposer();
		} else {
			this.pendingCommands.focus = true;
		}
	}

	/** Shows the view and inserts text at the start of the composer, without sending it. */
	async fill(text: string): Promise<void> {
		this.pendingCommands.words.push(text);
		await this.open();
	}

	/** Focuses a code block in the conversation. Shows and focuses the view if necessary. */
	async moveToCodeBlock(step: "next" | "previous"): Promise<void> {
		await this.focus.take();
		if (this.isLive) {
			await this.host?.push("moveToCodeBlock", { step });
		}
	}

	/** Whether the view is visible; another application may cover the window. */
	get isShown(): boolean {
		return this.view?.visible === true;
	}

	get hasFocus(): boolean {
		return this.focus.isHere;
	}

	/** Shows a number on the view's icon, or none for 0. Kept for a view that is created later. */
	showBadge(count: number): void {
		this.waiting = count;
		if (this.view) {
			const tooltip = l10n.t("Waiting for you: {0}", count);
			this.view.badge = count === 0 ? undefined : { value: count, tooltip };
		}
	}

	/** Whether a video's card is visible; another application may cover the window. */
	showsVideo(jobId: string): boolean {
		return this.isShown && this.videosInSight.includes(jobId);
	}

	announce(text: string): void {
		void this.host?.push("announce", { text });
	}

	async showTurn(turnId: string): Promise<void> {
		this.pendingCommands.turn = { turnId };
		await this.open();
	}

	async showRequest(turnId: string): Promise<void> {
		this.pendingCommands.turn = { turnId, isAsking: true };
		await this.open();
	}

	/** Runs an action of the chat, and restores the focus to the composer if VS Code's inputs took it. Where the page never lost it, it stays. */
	during<Result>(step: () => Promise<Result> | Result): Promise<Result> {
		return this.beforeWriting(step, async () => (this.focus.isHere ? undefined : this.open()));
	}

	/** Runs an action of the view's title bar and focuses the composer afterwards. */
	duringTitleAction(step: () => Promise<void>): Promise<void> {
		return this.beforeWriting(step, () =>
			this.focus.isHere && this.isLive ? this.focusComposer() : this.open(),
		);
	}

	private beforeWriting<Result>(
		step: () => Promise<Result> | Result,
		focus: () => Promise<void>,
	): Promise<Result> {
		const begun = this.clock.monotonic();
		return backToMessage(step, async () => {
			if (this.clock.monotonic() - begun < answeringMs && this.isShown) {
				await focus();
			}
		});
	}

	/** Forwards the controller's changes. Called once when the controller is created. */
	listenTo(controller: ChatController): void {
		this.register(
			controller.onDidChange(changes => {
				if (this.isLive) {
					changes.forEach(change => this.queue.add(change));
					this.flush.schedule();
				}
			}),
		);
		this.register(
			controller.onDidAskToEdit(text => void this.host?.push("fillComposer", { text })),
		);
	}

	/** Renders a new document. Cancels requests and messages of the previous one. */
	private draw(view: vscode.WebviewView): void {
		this.letGo();
		this.host = new WebviewHost<ChatRequests, ChatPushes>(
			view.webview,
			chatRequests,
			this.handlers(),
			this.log,
		);
		view.webview.html = chatHtml(view.webview, this.extensionUri, this.memory.text());
		this.tellVisibility(view);
	}

	private tellVisibility(view: vscode.WebviewView): void {
		if (view.visible) {
			this.watchdog.shown();
		} else {
			this.watchdog.hidden();
		}
	}

	private letGo(): void {
		this.focus.note(false);
		this.videosInSight = [];
		this.host?.dispose();
		this.host = undefined;
		this.isLive = false;
	}

	private watchedPage(): WatchedPage {
		return {
			windowAnswers,
			ping: async beat => (await this.host?.push("ping", { beat })) === true,
			replace: () => {
				this.pendingCommands.focus ||= this.wasWriting;
				this.letGo(); // Otherwise the previous page would get the focus instead of the next.
				return replaceChatFrame(() => this.view !== undefined, this.clock);
			},
			showCrashed: () => {
				this.letGo();
				if (this.view) {
					showCrashedPage(this.view, this.extensionUri);
				}
			},
		};
	}

	private handlers(): RequestHandlers<ChatRequests> {
		const ask = async (use: (controller: ChatController) => unknown): Promise<void> => {
			await use(await this.controller());
		};
		const handlers: RequestHandlers<ChatRequests> = {
			...attachmentHandlers(async () => (await this.controller()).attachments, this.clock),
			...codeHandlers(() => this.controller()),
			...pulseHandlers(this.watchdog, this.focus, this.log, isWriting => {
				this.wasWriting = isWriting;
			}),
			...pageMemoryHandlers(this.memory),
			...composerHandlers(() => this.controller(), this.commands),
			...queueHandlers(() => this.controller()),
			ready: ({ at }) => this.everything(at),
			sendPrompt: async ({ text, typed = [] }) => {
				const controller = await this.controller();
				controller.noteTyped(typed);
				return { turnId: await controller.send(text) };
			},
			stop: () => ask(controller => controller.stop()),
			runBannerAction: ({ action }) =>
				ask(({ sharing, metadata }) =>
					action === "restore" ? metadata.restore() : sharing.useHere(),
				),
			...turnHandlers(() => this.controller()),
			...chatVideoHandlers(
				this.videos,
				() => this.controller(),
				jobIds => {
					this.videosInSight = jobIds;
				},
			),
			setModel: ({ model }) => ask(controller => controller.options.setModel(model)),
			setServerTool: ({ tool, isOn }) =>
				ask(controller => controller.options.setServerTool(tool, isOn)),
			openLink: ({ url }) => openLink(url),
			saveWrittenFile: file => this.during(() => this.python.saveWrittenFile(file)),
			answerPackages: ({ id, isAccepted }) => this.python.answerPackages(id, isAccepted),
			chooseModel: ({ id }) =>
				id === undefined
					? runCommand("cutaway.chooseModel")
					: ask(({ settings }) => settings.takeOffer(id)),
			runSuggestion: ({ id }) =>
				ask(({ settings }) =>
					settings.environment.suggestions.find(suggestion => suggestion.id === id)?.run(),
				),
			setInstructions: ({ isOn }) =>
				ask(({ settings }) => settings.change({ ...settings.options, projectInstructions: isOn })),
			openInstructions: () => ask(({ instructions }) => instructions.open()),
			showContext: () => ask(showContext),
			chooseTools: () => runCommand("cutaway.chooseTools"),
			showFindings: ({ turnId }) => runCommand("cutaway.showFindings", turnId),
			connect: () => runCommand("cutaway.connect"),
		};
		return this.asking(handlers);
	}

	private asking(handlers: RequestHandlers<ChatRequests>): RequestHandlers<ChatRequests> {
		const asking = askingRequests.map(
			name => [name, (params: never) => this.during(() => handlers[name](params))] as const,
		);
		return {
			...handlers,
			...Object.fromEntries(asking),
			runAction: params =>
				askingActions.has(params.action)
					? this.during(() => handlers.runAction(params))
					: handlers.runAction(params),
		};
	}

	private async everything(at: string | undefined) {
		this.watchdog.keepAlive();
		const controller = await this.controller();
		const picture = this.queue.begin(
			{ ...controller.picture(), seq: this.seq },
			this.pendingCommands.turn?.turnId ?? at,
		);
		this.isLive = true;
		if (this.pendingCommands.focus || !this.queue.isEmpty) {
			// The reply to `ready` must arrive first, so the rest and the focus wait for the next frame.
			this.flush.schedule();
		}
		return picture;
	}

	private focusComposer(): Promise<void> {
		this.pendingCommands.focus = false;
		// The target may be part of waiting changes.
		this.flush.flushNow();
		return flushPageCommands(this.pendingCommands, this.host);
	}

	private sendChanges(): void {
		if (!this.isLive) {
			return;
		}
		if (!this.queue.isEmpty) {
			this.seq += 1;
			const changes = this.queue.drain(this.pendingCommands.turn?.turnId);
			void this.host?.push("changes", { seq: this.seq, changes });
			if (!this.queue.isEmpty) {
				this.flush.schedule();
			}
		}
		if (this.pendingCommands.focus) {
			void flushPageCommands(this.pendingCommands, this.host);
		}
	}
}

async function showContext(controller: ChatController): Promise<void> {
	const use = controller.contextUse();
	const choice = use && (await showContextUse(use));
	if (choice) {
		await runCommand(choice === "summarize" ? "cutaway.summarizeChat" : "cutaway.chooseModel");
	}
}

/** Runs a command, which reports its own failures. */
async function runCommand(id: CommandId, ...args: readonly string[]): Promise<void> {
	await vscode.commands.executeCommand(id, ...args);
}
