import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import { type Clock, Coalescer } from "../../common/async.ts";
import { Disposable } from "../../common/disposable.ts";
import { Emitter, type Event } from "../../common/emitter.ts";
import type { Log } from "../../common/log.ts";
import {
	type ChatPushes,
	type ChatRequests,
	chatRequests,
	type TurnAction,
} from "../../shared/chat.ts";
import type { RequestHandlers } from "../../shared/rpc.ts";
import { attachmentHandlers } from "./attachmentHandlers.ts";
import { ChangeQueue } from "./changeQueue.ts";
import type { ChatController } from "../chat/chatController.ts";
import { showContextUse } from "../chat/contextView.ts";
import { chatHtml, webviewRoot } from "../webview/chatHtml.ts";
import { openLink } from "../webview/openLink.ts";
import { type PageMemory, pageMemoryHandlers } from "../webview/pageMemory.ts";
import { WebviewHost } from "../webview/webviewHost.ts";
import { composerHandlers, type ComposerHandlerDependencies } from "./composerHandlers.ts";
import {
	type ChatVideos,
	chatVideoHandlers,
	codeHandlers,
	turnHandlers,
	queueHandlers,
} from "./viewHandlers.ts";
import { focusChatView, replaceChatFrame, windowAnswers } from "./chatViewCommands.ts";
import { ChatWatchdog, type WatchedPage } from "./chatWatchdog.ts";
import type { CommandId } from "../base/commands.ts";
import { showCrashedPage } from "./crashedPage.ts";
import { backToMessage, PageFocus } from "./pageFocus.ts";
import { flushPageCommands, type PendingPageCommands } from "./pendingPageCommands.ts";
import { pulseHandlers } from "./pulseHandlers.ts";
import { UserPrompts } from "../composer/userPrompts.ts";

/** How long a list or a box may be open and the cursor still goes back to the message, in ms: after longer work the user is elsewhere. */
const answeringMs = 60_000;

/** The actions of an answer that ask in VS Code's own inputs. */
const askingActions: ReadonlySet<TurnAction> = new Set([
	"setApiKey",
	"chooseModel",
	"connect",
	"useLocalService",
]);

/** One animation frame at 60 Hz: no more than one message goes to the webview within it. */
const frameMs = 16;

/**
 * The chat view. The webview is a picture of the controller's state: it can be destroyed at any moment and is redrawn
 * from `ready`, the one path for first load, showing again and recovery (docs/architecture.md).
 */
export class ChatView extends Disposable {
	private readonly extensionUri: vscode.Uri;
	private readonly controller: () => Promise<ChatController>;
	private readonly log: Log;
	private readonly videos: ChatVideos;
	private readonly memory: PageMemory;
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
	/** How many things wait for the user. */
	private waiting = 0;
	private readonly didShow = this.register(new Emitter<void>());
	/** The view came into sight again. */
	readonly onDidShow: Event<void> = this.didShow.event;
	/** Whether the page had the cursor when it last gave a sign; the one that replaces it gets it back. */
	private wasWriting = false;

	constructor(
		extensionUri: vscode.Uri,
		controller: () => Promise<ChatController>,
		clock: Clock,
		log: Log,
		videos: ChatVideos,
		memory: PageMemory,
	) {
		super();
		this.extensionUri = extensionUri;
		this.controller = controller;
		this.log = log;
		this.videos = videos;
		this.memory = memory;
		const prompts = this.register(new UserPrompts(log));
		this.commands = { prompts, makeVideo: text => this.during(() => videos.make(text)) };
		this.clock = clock;
		this.focus = new PageFocus(focusChatView);
		this.flush = this.register(new Coalescer(frameMs, () => this.sendChanges(), clock));
		this.watchdog = this.register(new ChatWatchdog(this.watchedPage(), clock, log));
	}

	/** Fills a view that VS Code has made, in place of the one before. */
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
			// A hidden view's document is gone; the next one asks `ready` and gets everything.
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

	/** Replaces the view's page, whatever became of it; opens the view where it is closed. */
	async reload(): Promise<void> {
		if (this.isShown) {
			await this.watchdog.reload();
		} else {
			await this.open();
		}
	}

	/** Shows the view and puts the cursor into its composer. */
	async open(): Promise<void> {
		this.pendingCommands.focus = true;
		await focusChatView();
		if (this.isLive) {
			await this.focusComposer();
		}
	}

	/** Shows the view and puts words into its composer, before what is there, without sending them. */
	async fill(text: string): Promise<void> {
		this.pendingCommands.words.push(text);
		await this.open();
	}

	/** Goes to a code block in the conversation; a view that is not on show is shown, and has the focus then. */
	async moveToCodeBlock(step: "next" | "previous"): Promise<void> {
		await this.focus.take();
		if (this.isLive) {
			await this.host?.push("moveToCodeBlock", { step });
		}
	}

	/** Whether the view is in sight; another application may be in front of the window. */
	get isShown(): boolean {
		return this.view?.visible === true;
	}

	/** Whether the keys go to the view's page. */
	get hasFocus(): boolean {
		return this.focus.isHere;
	}

	/** Shows a number of things that wait on the view's icon, none for 0; kept for a view that comes later. */
	showBadge(count: number): void {
		this.waiting = count;
		if (this.view) {
			const tooltip = l10n.t("Waiting for you: {0}", count);
			this.view.badge = count === 0 ? undefined : { value: count, tooltip };
		}
	}

	/** Whether a video's card is in sight; another application may be in front of the window. */
	showsVideo(jobId: string): boolean {
		return this.isShown && this.videosInSight.includes(jobId);
	}

	/** Tells a screen reader what happened to something that the view shows. */
	announce(text: string): void {
		void this.host?.push("announce", { text });
	}

	/** Shows the view at a turn of the chat. */
	async showTurn(turnId: string): Promise<void> {
		this.pendingCommands.turn = { turnId };
		await this.open();
	}

	/** Shows the view at what a turn asks. */
	async showRequest(turnId: string): Promise<void> {
		this.pendingCommands.turn = { turnId, isAsking: true };
		await this.open();
	}

	/** Runs what a user does in the chat and its title bar, and has the cursor back in the message after whatever VS Code asked for it. */
	during<Result>(step: () => Promise<Result> | Result): Promise<Result> {
		const begun = this.clock.monotonic();
		return backToMessage(step, async () => {
			const isRecent = this.clock.monotonic() - begun < answeringMs;
			// A page that never lost the focus keeps it where it is.
			if (isRecent && this.isShown && !this.focus.isHere) {
				await this.open();
			}
		});
	}

	/** Passes the controller's changes on; called once when the controller is made. */
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

	/** Writes a document into the view; what the one before it still says or waits for counts no more. */
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
				this.letGo(); // Or the page before would be given the cursor in place of the next.
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
		const ask = async (
			use: (controller: ChatController) => unknown,
		): Promise<Record<string, never>> => {
			await use(await this.controller());
			return {};
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
					action === "restore" ? metadata.restore() : sharing.takeOver(action === "takeOverNow"),
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
			openLink: async ({ url }) => {
				await openLink(url);
				return {};
			},
			chooseModel: ({ id }) =>
				id === undefined
					? runCommand("cutaway.chooseModel")
					: ask(({ settings }) => settings.takeOffer(id)),
			runSuggestion: ({ id }) =>
				ask(({ settings }) =>
					settings.surroundings.suggestions.find(suggestion => suggestion.id === id)?.run(),
				),
			setInstructions: ({ isOn }) =>
				ask(({ settings }) => settings.change({ ...settings.options, projectInstructions: isOn })),
			openInstructions: () => ask(({ instructions }) => instructions.open()),
			showContext: () => ask(showContext),
			chooseTools: () => runCommand("cutaway.chooseTools"),
			connect: () => runCommand("cutaway.connect"),
		};
		return { ...handlers, ...this.asking(handlers) };
	}

	/**
	 * The requests that ask something in VS Code's own inputs and end soon after it: after them the cursor is back in the message. After
	 * what may go on for minutes, like an answer, it would be taken from wherever the user is by then.
	 */
	private asking(handlers: RequestHandlers<ChatRequests>) {
		return {
			runAction: params =>
				askingActions.has(params.action)
					? this.during(() => handlers.runAction(params))
					: handlers.runAction(params),
			applyCode: params => this.during(() => handlers.applyCode(params)),
			createFileFromCode: params => this.during(() => handlers.createFileFromCode(params)),
			generateVideo: params => this.during(() => handlers.generateVideo(params)),
			runVideoAction: params => this.during(() => handlers.runVideoAction(params)),
			chooseVideoAction: params => this.during(() => handlers.chooseVideoAction(params)),
			attachFiles: params => this.during(() => handlers.attachFiles(params)),
			chooseModel: params => this.during(() => handlers.chooseModel(params)),
			showContext: params => this.during(() => handlers.showContext(params)),
			chooseTools: params => this.during(() => handlers.chooseTools(params)),
			openInstructions: params => this.during(() => handlers.openInstructions(params)),
			connect: params => this.during(() => handlers.connect(params)),
			showChangedFiles: params => this.during(() => handlers.showChangedFiles(params)),
		} satisfies Partial<RequestHandlers<ChatRequests>>;
	}

	private async everything(at: string | undefined) {
		this.watchdog.loaded();
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
		// What the page goes to may be in changes that still wait.
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

/** Runs a command; that it failed it says itself. */
async function runCommand(id: CommandId): Promise<Record<string, never>> {
	await vscode.commands.executeCommand(id);
	return {};
}
