import * as vscode from "vscode";
import { createChatStore } from "../chat/chatStore.ts";
import {
	createServiceClient,
	prefetchTransport,
	type ServiceClient,
	ServiceError,
} from "../client/index.ts";
import type { Clock } from "../common/async.ts";
import { Disposable } from "../common/disposable.ts";
import { toError } from "../common/errors.ts";
import { type Lazy, lazy } from "../common/lazy.ts";
import type { Log } from "../common/log.ts";
import { ChatController } from "./chatController.ts";
import { ChatView } from "./chatView.ts";
import type { ConnectContext } from "./connect.ts";
import { ConnectionError, type LocalServiceAddress, ServiceConnection } from "./connection.ts";
import type { ApiKeys } from "./secrets.ts";
import { createSettings, type Settings } from "./settings.ts";

/** The workspace state that remembers which chat the window shows. */
const currentChatKey = "cutaway.currentChat";

/** What the runtime is built from. */
export interface RuntimeContext {
	readonly extension: Pick<
		vscode.ExtensionContext,
		"extensionUri" | "globalStorageUri" | "workspaceState"
	>;
	readonly keys: ApiKeys;
	readonly clock: Clock;
	readonly log: Log;
	/** Makes the local service; it starts on the first `connect`. */
	readonly createLocalService: (settings: Settings) => LocalServiceAddress & vscode.Disposable;
}

/** Everything that activation does not load: settings, connection, client, chat and its view, each built once. */
export class Runtime extends Disposable {
	readonly settings: Settings;
	readonly connection: ServiceConnection;
	readonly client: ServiceClient;
	readonly chatView: ChatView;
	/** The chat this window shows, read from disk on first need. */
	readonly chat: Lazy<ChatController>;
	/** What the connecting commands work with. */
	readonly connecting: ConnectContext;

	constructor(context: RuntimeContext) {
		super();
		const { extension, keys, clock, log } = context;
		this.settings = createSettings(log);
		const localService = this.register(context.createLocalService(this.settings));
		this.connection = this.register(new ServiceConnection(this.settings, keys, localService, log));
		this.client = createServiceClient({
			connection: () => resolveConnection(this.connection),
			clock,
			log,
		});
		this.connecting = {
			settings: this.settings,
			keys,
			connection: this.connection,
			client: this.client,
		};
		this.chat = lazy(() => this.openChat(context));
		this.chatView = this.register(
			new ChatView(extension.extensionUri, () => this.chat.get(), clock, log),
		);
	}

	/** Ends a running answer as interrupted and resolves once everything is on disk. */
	async close(): Promise<void> {
		await (await this.chat.peek())?.close();
		this.dispose();
	}

	private async openChat({ extension, clock, log }: RuntimeContext): Promise<ChatController> {
		const controller = await ChatController.create({
			client: this.client,
			store: createChatStore({
				folder: vscode.Uri.joinPath(extension.globalStorageUri, "chats").fsPath,
				clock,
				log,
			}),
			clock,
			log,
			settings: this.settings,
			connection: this.connection,
			currentChat: {
				get: () => extension.workspaceState.get<string>(currentChatKey),
				set: id => void extension.workspaceState.update(currentChatKey, id),
			},
		});
		this.chatView.listenTo(controller);
		void prefetchTransport();
		return controller;
	}
}

/** The connection, or the sentence that says why there is none; nothing was sent (L11, L14). */
async function resolveConnection(connection: ServiceConnection) {
	try {
		return await connection.resolve();
	} catch (error) {
		const { message } = toError(error);
		throw new ServiceError("notReady", {
			charge: "notSent",
			detail:
				error instanceof ConnectionError ? message : `The local service does not run: ${message}`,
			cause: error,
		});
	}
}
