import * as vscode from "vscode";
import { type Clock, coalesce } from "../common/async.ts";
import { Disposable } from "../common/disposable.ts";
import type { Log } from "../common/log.ts";
import { type ChatPushes, type ChatRequests, chatRequests } from "../protocol/chat.ts";
import type { RequestHandlers } from "../protocol/rpc.ts";
import { attachmentHandlers } from "./attachmentHandlers.ts";
import type { VideoAction } from "../protocol/video.ts";
import type { ChatPlace } from "../video/videoJob.ts";
import { createChangeQueue } from "./changeQueue.ts";
import type { ChatController } from "./chatController.ts";
import { chatHtml, webviewRoot } from "./chatHtml.ts";
import { codeHandlers } from "./codeHandlers.ts";
import { openLink } from "./openLink.ts";
import { WebviewHost } from "./webviewHost.ts";

/** One animation frame at 60 Hz: no more than one message goes to the webview within it. */
const frameMs = 16;

/** What the view asks of the videos; each throws the sentence when it fails. */
export interface ChatVideos {
	/** Begins a video from text of the chat; the person accepts it in the last step. */
	readonly generate: (text: string, place: ChatPlace) => Promise<void>;
	readonly open: (jobId: string) => Promise<void>;
	readonly run: (jobId: string, action: VideoAction) => Promise<void>;
	/** Offers everything that can be done with a video. */
	readonly choose: (jobId: string) => Promise<void>;
}

/**
 * The chat view. The webview is a picture of the controller's state: it can be destroyed at any moment and is redrawn
 * from `ready`, the one path for first load, showing again and recovery (design §7).
 */
export class ChatView extends Disposable {
	private readonly extensionUri: vscode.Uri;
	private readonly controller: () => Promise<ChatController>;
	private readonly log: Log;
	private readonly videos: ChatVideos;
	private readonly clock: Clock;
	private readonly queue = createChangeQueue();
	private readonly flush;
	private host: WebviewHost<ChatRequests, ChatPushes> | undefined;
	private isLive = false;
	private seq = 0;
	private wantsFocus = false;
	/** Words for the composer of a page that is not up yet. */
	private wantedWords: string[] = [];

	constructor(
		extensionUri: vscode.Uri,
		controller: () => Promise<ChatController>,
		clock: Clock,
		log: Log,
		videos: ChatVideos,
	) {
		super();
		this.extensionUri = extensionUri;
		this.controller = controller;
		this.log = log;
		this.videos = videos;
		this.clock = clock;
		this.flush = this.register(coalesce(frameMs, () => this.sendChanges(), clock));
	}

	/** Fills a view that VS Code has made, in place of the one before. */
	resolve(view: vscode.WebviewView): void {
		this.isLive = false;
		view.webview.options = {
			enableScripts: true,
			enableForms: false,
			enableCommandUris: false,
			localResourceRoots: [webviewRoot(this.extensionUri)],
		};
		this.host?.dispose();
		const host = new WebviewHost<ChatRequests, ChatPushes>(
			view.webview,
			chatRequests,
			this.handlers(),
			this.log,
		);
		this.host = host;
		view.onDidChangeVisibility(() => {
			// A hidden view's document is gone; the next one asks `ready` and gets everything.
			this.isLive &&= view.visible;
		});
		view.onDidDispose(() => {
			host.dispose();
			if (this.host === host) {
				this.host = undefined;
				this.isLive = false;
			}
		});
		view.webview.html = chatHtml(view.webview, this.extensionUri);
	}

	/** Shows the view and puts the cursor into its composer. */
	async open(): Promise<void> {
		this.wantsFocus = true;
		await vscode.commands.executeCommand("cutaway.chat.focus");
		if (this.isLive) {
			await this.focusComposer();
		}
	}

	/** Shows the view and puts words into its composer, before what is there, without sending them. */
	async fill(text: string): Promise<void> {
		this.wantedWords.push(text);
		await this.open();
	}

	/** Goes to a code block in the conversation; a view that is not on show is shown, and has the focus then. */
	async moveToCodeBlock(step: "next" | "previous"): Promise<void> {
		await vscode.commands.executeCommand("cutaway.chat.focus");
		if (this.isLive) {
			await this.host?.push("moveToCodeBlock", { step });
		}
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

	private handlers(): RequestHandlers<ChatRequests> {
		const ask = async (
			use: (controller: ChatController) => unknown,
		): Promise<Record<string, never>> => {
			await use(await this.controller());
			return {};
		};
		return {
			...attachmentHandlers(async () => (await this.controller()).attachments, this.clock),
			...codeHandlers(() => this.controller()),
			ready: () => this.everything(),
			sendPrompt: async ({ text }) => ({
				turnId: await (await this.controller()).send(text),
			}),
			stop: () => ask(controller => controller.stop()),
			newChat: () => ask(controller => controller.newChat()),
			showHistory: () => ask(controller => controller.showHistory()),
			retryTurn: ({ turnId }) => ask(controller => controller.retry(turnId)),
			runAction: ({ turnId, action }) => ask(controller => controller.runAction(turnId, action)),
			answerTool: answer => ask(controller => controller.answerTool(answer)),
			cancelTool: place => ask(({ tools }) => tools.cancel(place)),
			undoTool: place => ask(({ tools }) => tools.history.undo(place)),
			showChangedFiles: () => ask(({ tools }) => tools.history.showChangedFiles()),
			copyMessage: ({ turnId, index }) =>
				ask(controller => vscode.env.clipboard.writeText(controller.sourceOf(turnId, index))),
			generateVideo: ({ turnId, text }) =>
				ask(controller => this.videos.generate(text.trim(), controller.placeOf(turnId))),
			openVideo: ({ jobId }) => ask(() => this.videos.open(jobId)),
			runVideoAction: ({ jobId, action }) => ask(() => this.videos.run(jobId, action)),
			chooseVideoAction: ({ jobId }) => ask(() => this.videos.choose(jobId)),
			setModel: ({ model }) => ask(controller => controller.options.setModel(model)),
			setServerTool: ({ tool, isOn }) =>
				ask(controller => controller.options.setServerTool(tool, isOn)),
			openLink: async ({ url }) => {
				await openLink(url);
				return {};
			},
			connect: async () => {
				await vscode.commands.executeCommand("cutaway.connect");
				return {};
			},
		};
	}

	private async everything() {
		const controller = await this.controller();
		// Whatever waits is part of the state that goes out now, and must not go out twice.
		this.queue.drain();
		this.isLive = true;
		if (this.wantsFocus) {
			// The reply to `ready` must arrive first, so the focus waits for the next frame.
			this.flush.schedule();
		}
		return { ...controller.picture(), seq: this.seq };
	}

	private async focusComposer(): Promise<void> {
		this.wantsFocus = false;
		for (const text of this.wantedWords.splice(0)) {
			void this.host?.push("fillComposer", { text });
		}
		await this.host?.push("focusComposer", {});
	}

	private sendChanges(): void {
		if (!this.isLive) {
			return;
		}
		if (!this.queue.isEmpty) {
			this.seq += 1;
			void this.host?.push("changes", { seq: this.seq, changes: this.queue.drain() });
		}
		if (this.wantsFocus) {
			void this.focusComposer();
		}
	}
}
