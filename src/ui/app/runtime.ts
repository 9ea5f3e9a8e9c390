import * as l10n from "@vscode/l10n";
import { createDocumentReader } from "../../documents/documentThread.ts";
import * as vscode from "vscode";
import type { WrittenFileLink } from "../../common/writtenFile.ts";
import { AttachmentTray } from "../../attachments/tray.ts";
import { ChatLibrary } from "../../chat/library/chatLibrary.ts";
import { ChatStore } from "../../chat/store/chatStore.ts";
import { createServiceClient } from "../../client/createServiceClient.ts";
import { loadUndici } from "../../client/transport/fetchTransport.ts";
import type { ServiceClient } from "../../client/contract/serviceClient.ts";
import { ServiceError } from "../../client/contract/serviceError.ts";
import { type Clock, Lazy } from "../../common/async.ts";
import { Disposable, Emitter } from "../../common/disposable.ts";
import { toError } from "../../common/errors.ts";
import type { Log } from "../../common/log.ts";
import { decodeShown, unsavedText } from "../../editor/documents.ts";
import { ChatAttachments } from "../attachments/chatAttachments.ts";
import { RecentFiles } from "../attachments/attachmentMemory.ts";
import { ProjectInstructions } from "../attachments/chatInstructions.ts";
import { ChatController } from "../chat/chatController.ts";
import { ChatSettings } from "../composer/chatSettings.ts";
import type { WindowTools, WindowToolsOutside } from "../tools/chatTools.ts";
import type { EditorToolGate } from "../tools/languageModelTools.ts";
import { Attention } from "../chatView/attention.ts";
import { ChatView, type PythonActions } from "../chatView/chatView.ts";
import type { ChatVideos } from "../chatView/viewHandlers.ts";
import type { ConnectDependencies } from "../connection/connect.ts";
import {
	ConnectionError,
	type LocalServiceAddress,
	ServiceConnection,
} from "../connection/connection.ts";
import type { ApiKeys } from "../connection/secrets.ts";
import { currentWorkspace, createSettings, type Settings } from "../base/settings.ts";
import { watchIgnoredFiles } from "../../editor/ignoredFiles.ts";
import { excludedOfFolder } from "../base/excludedPaths.ts";
import type { DiagnosisDependencies } from "../models/diagnoseModels.ts";
import { ModelOffers } from "../models/offerModels.ts";
import { PageMemory } from "../webview/pageMemory.ts";
import { videoRecordsFolder, videosFolder } from "../video/videoEntry.ts";
import type { Videos, VideosDependencies } from "../video/videos.ts";
import { costOf, EngineOffers, type EngineOffersDependencies } from "../videoEngine/engineOffer.ts";
import type { EngineChoiceDependencies } from "../videoEngine/chooseVideoEngine.ts";
import { engineAddress, withVideoEngine } from "../videoEngine/videoSetup.ts";
import { mayReach } from "../connection/askPlainHost.ts";
import { askingClient } from "../models/askingClient.ts";
import type { VideoOrigin } from "../video/request/videoGenerate.ts";
import { type StoredValue, storedValue } from "../base/keptValue.ts";
import { VideoCards } from "../video/views/videoCards.ts";
import { Suggestions } from "./suggestions.ts";
import { followAnswers, keepChatContexts } from "./chatContexts.ts";
import { completeStep } from "./walkthrough.ts";

const currentChatKey = "cutaway.currentChat";

/** Key of the workspace state for options chosen before a chat's first question. */
const newChatOptionsKey = "cutaway.newChatOptions";

const draftAttachmentsKey = "cutaway.draftAttachments";
const recentAttachmentsKey = "cutaway.recentAttachments";

const unseenVideosKey = "cutaway.unseenVideos";

/** Keys of the global state for the last export options, and whether previews show captions. */
const exportChoiceKey = "cutaway.exportChoice";
const showsCaptionsKey = "cutaway.showsCaptions";
const agreedDownloadsKey = "cutaway.agreedDownloads";

export interface RuntimeDependencies {
	readonly extension: Pick<
		vscode.ExtensionContext,
		"extensionUri" | "globalState" | "globalStorageUri" | "storageUri" | "workspaceState"
	>;
	readonly keys: ApiKeys;
	readonly clock: Clock;
	readonly log: Log;
	/** The providers of the editor's models that the user allowed. */
	readonly allowedProviders: StoredValue;
	readonly videoSetup: (settings: Settings) => ReturnType<EngineOffersDependencies["setup"]>;
	/** Creates the local service, which starts at the first `connect`, and what works without it. */
	readonly createLocal: (settings: Settings) => {
		readonly service: LocalServiceOfRuntime;
		readonly work: DiagnosisDependencies["modelFiles"] &
			Pick<VideosDependencies, "drawFrames" | "prepareClip"> & {
				/** Deletes the downloaded packages of Python and resolves to their bytes. */
				readonly removePackages: () => Promise<number>;
			};
		readonly readPage: WindowToolsOutside["readPage"];
	};
}

type LocalServiceOfRuntime = LocalServiceAddress &
	Pick<DiagnosisDependencies, "listModels" | "pullModel"> &
	Pick<EngineChoiceDependencies, "listVideoModels"> & {
		/** Returns the path of a file that Python has written; undefined if it is no longer there. */
		readonly writtenFile: (id: string) => Promise<string | undefined>;
		readonly answerPackages: PythonActions["answerPackages"];
	} & vscode.Disposable;

/** Everything that activation doesn't load: settings, connection, client, chat and its view, each created once. */
export class Runtime extends Disposable {
	readonly settings: Settings;
	private readonly readPage: WindowToolsOutside["readPage"];
	private readonly readDocument: WindowToolsOutside["readDocument"];
	private readonly drawing: Pick<VideosDependencies, "drawFrames" | "prepareClip">;
	readonly connection: ServiceConnection;
	readonly client: ServiceClient;
	readonly chatView: ChatView;
	/** The window's chat, read from disk on first use. */
	readonly chat: Lazy<ChatController>;
	readonly library: ChatLibrary;
	private readonly chatsFolder: string;
	readonly clock: Clock;
	readonly log: Log;
	readonly tools: Lazy<WindowTools>;
	readonly editorTools: Lazy<EditorToolGate>;
	/** The videos, read from disk on first use. */
	readonly videos: Lazy<Videos>;
	readonly commitMessages = new Lazy(async () => {
		const { CommitMessages } = await import("../scm/commitMessages.ts");
		return this.register(new CommitMessages(this));
	});
	readonly reviewComments = new Lazy(async () => {
		const { ReviewComments } = await import("../scm/reviewComments.ts");
		return this.register(new ReviewComments(this));
	});
	private readonly pageMemory: PageMemory;
	/** The videos of chats; empty until the videos are read. */
	private readonly videoCards = this.register(new VideoCards());
	readonly connecting: ConnectDependencies;
	readonly models: DiagnosisDependencies;
	/** Deletes the downloaded packages of Python and resolves to their bytes. */
	readonly removePackages: () => Promise<number>;
	readonly videoEngine: EngineChoiceDependencies;
	private readonly engineOffers: EngineOffers;

	constructor(dependencies: RuntimeDependencies) {
		super();
		const { extension, keys, clock, log } = dependencies;
		this.clock = clock;
		this.log = log;
		this.chatsFolder = vscode.Uri.joinPath(extension.globalStorageUri, "chats").fsPath;
		this.register(watchIgnoredFiles());
		this.library = this.register(new ChatLibrary({ folder: this.chatsFolder, clock, log }));
		this.settings = createSettings(log);
		const { service, work, readPage } = dependencies.createLocal(this.settings);
		const localService = this.register(service);
		this.removePackages = () => work.removePackages();
		const dist = vscode.Uri.joinPath(dependencies.extension.extensionUri, "dist");
		this.readDocument = createDocumentReader(
			{
				workerFile: vscode.Uri.joinPath(dist, "documents.js").fsPath,
				folder: vscode.Uri.joinPath(dist, "documents").fsPath,
			},
			dependencies.clock,
		);
		this.readPage = readPage;
		this.drawing = {
			drawFrames: (...asked) => work.drawFrames(...asked),
			prepareClip: prompt => work.prepareClip(prompt),
		};
		this.connection = this.register(new ServiceConnection(this.settings, keys, localService, log));
		this.client = this.createClient(dependencies);
		this.connecting = {
			settings: this.settings,
			keys,
			connection: this.connection,
			client: this.client,
		};
		this.models = {
			...this.connecting,
			listModels: places => localService.listModels(places),
			allowedProviders: dependencies.allowedProviders,
			editorModels: async () => (await import("../models/editorModels.ts")).listEditorModels(clock),
			pullModel: (...asked) => localService.pullModel(...asked),
			modelFiles: work,
			agreedDownloads: storedValue(extension.globalState, agreedDownloadsKey),
			downloads: this.register(new Emitter()),
			setModel: async model => (await this.chat.get()).options.setModel(model),
			clock,
			log,
		};
		const listVideoModels: EngineChoiceDependencies["listVideoModels"] = setup =>
			localService.listVideoModels(setup);
		const memory = extension.globalState;
		this.videoEngine = { ...this.connecting, listVideoModels, memory, log };
		this.engineOffers = new EngineOffers({
			settings: this.settings,
			setup: () => dependencies.videoSetup(this.settings),
			listVideoModels,
			memory,
			clock,
		});
		this.tools = new Lazy(() => this.openTools(dependencies));
		this.editorTools = new Lazy(async () => (await this.tools.get()).editorGate);
		this.chat = new Lazy(() => this.openChat(dependencies));
		this.videos = new Lazy(() => this.openVideos(dependencies));
		this.pageMemory = new PageMemory({ folder: extension.storageUri?.fsPath, log });
		this.chatView = this.register(this.createChatView(extension.extensionUri, localService));
	}

	private createChatView(extensionUri: vscode.Uri, localService: LocalServiceOfRuntime): ChatView {
		return new ChatView(
			extensionUri,
			() => this.chat.get(),
			this.clock,
			this.log,
			this.chatVideos(),
			this.pageMemory,
			{
				saveWrittenFile: file => saveWrittenFile(localService, file),
				answerPackages: (...answer) => localService.answerPackages(...answer),
			},
		);
	}

	private createClient({ keys, clock, log }: RuntimeDependencies): ServiceClient {
		const { settings, connection } = this;
		const resolve = () => orNotReady(() => connection.resolve());
		const client = createServiceClient({ connection: resolve, clock, log });
		return askingClient(client, { settings, keys, connection, log });
	}

	/** Returns the chat's access to videos, which are read on first use. */
	private chatVideos(): ChatVideos {
		return {
			generate: async (text, chat) => void (await this.generateVideo(text, { chat })),
			make: text => this.generateVideo(text, {}),
			open: async id => (await this.videos.get()).open(id),
			clip: async id => (await this.videos.get()).clip(id),
			run: async (id, action) => (await this.videos.get()).run(id, action),
			choose: async id => (await this.videos.get()).choose(id),
		};
	}

	/** Ends a running answer as interrupted and resolves when everything is on disk. */
	async close(): Promise<void> {
		const closing = [this.chat.peek(), this.videos.peek()];
		await Promise.all(closing.map(async opened => (await opened)?.close()));
		await this.pageMemory.settled();
		this.dispose();
	}

	/** Starts a video from text. The user confirms the last step. Its card is below the question in `origin`. */
	private async generateVideo(text: string, origin: VideoOrigin): Promise<boolean> {
		if (!(await mayReach(this.connecting.keys, this.videoAddress()))) {
			return false;
		}
		const [{ generateFromPrompt, generateFromText }, { generating }] = await Promise.all([
			import("../video/request/videoGenerate.ts"),
			this.videos.get(),
		]);
		return text === ""
			? generateFromPrompt(generating)
			: generateFromText(generating, text, origin);
	}

	/** Returns the address that videos are requested from; empty for those drawn here. */
	private videoAddress(): string {
		const target = this.connection.target();
		if (target.kind === "local") {
			const isDrawn = this.settings.get("localService.video.engine") === "local";
			return isDrawn ? "" : engineAddress(this.settings);
		}
		return target.kind === "remote" ? target.baseUrl : "";
	}

	private async openVideos({ extension, clock, log }: RuntimeDependencies): Promise<Videos> {
		const [{ Videos }, { VideoJobs }, { createThreadJoiner }] = await Promise.all([
			import("../video/videos.ts"),
			import("../../video/videoJobs.ts"),
			import("../../video/join/joinThread.ts"),
		]);
		const folder = videosFolder(extension.globalStorageUri);
		const videos = await Videos.create({
			extensionUri: extension.extensionUri,
			folder,
			settings: this.settings,
			seenMemory: storedValue(extension.workspaceState, unseenVideosKey),
			exportMemory: storedValue(extension.globalState, exportChoiceKey),
			captionMemory: storedValue(extension.globalState, showsCaptionsKey),
			clock,
			log,
			chatView: this.chatView,
			endpoint: () => this.videoEndpoint(),
			engine: () => this.engineOffer(),
			...this.drawing,
			askModel: async (...question) => {
				const { askModel } = await import("./askModel.ts");
				return await askModel(await this.chat.get(), this, ...question);
			},
			hasModel: async () => !(await (await this.chat.get()).options.settled()).isDemo,
			createJobs: clipsFolder =>
				new VideoJobs({
					recordsFolder: videoRecordsFolder(extension.globalStorageUri),
					clipsFolder,
					endpoint: () => this.videoEndpoint(),
					connection: endpoint => orNotReady(() => this.connection.connectTo(endpoint)),
					joinClips: createThreadJoiner(
						vscode.Uri.joinPath(extension.extensionUri, "dist", "joinClips.js").fsPath,
						clock,
					),
					clock,
					log,
				}),
		});
		this.register(this.connection.onDidChange(() => videos.jobs.connectionsChanged()));
		this.videoCards.follow(videos);
		videos.onDidChange(
			id =>
				videos.view(id)?.tone === "ready" &&
				completeStep(extension.globalState, "cutaway.hasVideo"),
		);
		return videos;
	}

	private videoEndpoint(): ReturnType<typeof withVideoEngine> {
		return withVideoEngine(this.connection.endpoint(), this.settings);
	}

	/** Returns information about the engine of a video submitted now; undefined if it isn't made through the local service. */
	private engineOffer(): ReturnType<EngineOffers["current"]> {
		return this.connection.target().kind === "local" ? this.engineOffers.current() : undefined;
	}

	private async openTools({ extension, clock, log }: RuntimeDependencies): Promise<WindowTools> {
		const { WindowTools } = await import("../tools/chatTools.ts");
		return this.register(
			new WindowTools(
				this.settings,
				{
					videoCost: seconds => costOf(this.connection.target().kind, this.engineOffer(), seconds),
					videoShape: () =>
						this.connection.target().kind === "local" && !this.engineOffer()
							? this.settings.get("localService.video.shape")
							: undefined,
					generateVideo: async ({ askedBelow, ...request }) => {
						const { jobs } = await this.videos.get();
						return await jobs.submit({ kind: "text", ...request }, { chat: askedBelow });
					},
					readPage: this.readPage,
					readDocument: this.readDocument,
					attachImage: async image => (await this.chat.get()).attachments.addReturned(image),
				},
				vscode.Uri.joinPath(extension.globalStorageUri, "changes").fsPath,
				clock,
				log,
			),
		);
	}

	private openAttachments(
		{ extension, clock, log }: RuntimeDependencies,
		settings: ChatSettings,
	): Promise<ChatAttachments> {
		const memory = (key: string) => storedValue(extension.workspaceState, key);
		return ChatAttachments.create({
			tray: new AttachmentTray({
				connection: () => orNotReady(() => this.connection.resolve()),
				recordsFolder: vscode.Uri.joinPath(extension.globalStorageUri, "attachments").fsPath,
				workspaceFolders: () =>
					(vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.fsPath),
				excluded: excludedOfFolder,
				unsavedText,
				decode: decodeShown,
				readDocument: this.readDocument,
				clock,
				log,
			}),
			settings,
			memory: memory(draftAttachmentsKey),
			contentsFolder:
				extension.storageUri && vscode.Uri.joinPath(extension.storageUri, "draft").fsPath,
			log,
			recent: new RecentFiles(memory(recentAttachmentsKey)),
			offersSelection: true,
			readPage: this.readPage,
			readChanges: async () => {
				const { readUncommitted } = await import("../scm/reviewChanges.ts");
				return await readUncommitted();
			},
			chooseChat: async () => {
				const { chooseChatText } = await import("./attachChat.ts");
				const { shown } = await this.chat.get();
				return await chooseChatText(this.library, shown.id, clock.now());
			},
			clock,
		});
	}

	private async openChat(dependencies: RuntimeDependencies): Promise<ChatController> {
		const { extension, clock, log } = dependencies;
		const { library } = this;
		const settings = this.register(
			new ChatSettings({
				settings: this.settings,
				library,
				log,
				memory: storedValue(extension.workspaceState, newChatOptionsKey),
			}),
		);
		const attachments = this.register(await this.openAttachments(dependencies, settings));
		const tools = await this.tools.get();
		const instructions = this.register(new ProjectInstructions(settings, clock));
		const controller = await ChatController.create({
			client: this.client,
			store: new ChatStore({
				folder: this.chatsFolder,
				clock,
				log,
				workspace: currentWorkspace,
			}),
			library,
			clock,
			log,
			settings,
			connection: this.connection,
			videoCards: this.videoCards,
			attachments,
			instructions,
			tools,
			currentChat: {
				get: () => extension.workspaceState.get<string>(currentChatKey),
				set: id => void extension.workspaceState.update(currentChatKey, id),
			},
		});
		this.chatView.listenTo(controller);
		this.register(keepChatContexts(controller));
		const { globalState } = extension;
		this.register(
			followAnswers(controller.onDidChange, () =>
				completeStep(globalState, "cutaway.hasAnswerAboutSelection"),
			),
		);
		const mode = () => this.settings.get("notifications");
		this.register(new Attention({ chat: controller, view: this.chatView, mode }));
		this.offerModels(new ModelOffers(this.models, settings));
		const suggestions = this.register(new Suggestions(this, controller, clock));
		this.register(this.chatView.onDidShow(() => suggestions.refresh()));
		// VS Code has no event for changed MCP tools.
		const show = (): void => controller.showComposer();
		this.register(this.chatView.onDidShow(show));
		this.register(vscode.window.onDidChangeWindowState(show));
		void loadUndici();
		return controller;
	}

	/** Searches again when the view is shown, because a model server may have been started meanwhile. */
	private offerModels(offers: ModelOffers): void {
		const { chatView } = this;
		this.register(offers);
		this.register(chatView.onDidShow(() => void offers.look()));
		this.register(
			vscode.window.onDidChangeWindowState(({ focused }) => {
				if (focused && chatView.isShown) {
					void offers.look();
				}
			}),
		);
		void offers.look();
	}
}

/** Returns the connection, or throws why there is none; nothing was sent. */
async function orNotReady<T>(resolve: () => Promise<T>): Promise<T> {
	try {
		return await resolve();
	} catch (error) {
		const { message } = toError(error);
		throw new ServiceError("notReady", {
			charge: "notSent",
			detail:
				error instanceof ConnectionError
					? message
					: l10n.t("The local service isn't running: {0}", message),
			cause: error,
		});
	}
}

async function saveWrittenFile(
	localService: LocalServiceOfRuntime,
	{ id, name }: WrittenFileLink,
): Promise<void> {
	const { saveFile } = await import("../base/saveFile.ts");
	await saveFile(await localService.writtenFile(id), name);
}
