import type { ChatLibrary } from "../chat/chatLibrary.ts";
import type { ChatStore } from "../chat/chatStore.ts";
import type { ServiceClient } from "../client/index.ts";
import type { Clock } from "../common/async.ts";
import type { Log } from "../common/log.ts";
import type { ChatAttachments } from "./chatAttachments.ts";
import type { WindowTools } from "./chatTools.ts";
import type { ServiceConnection } from "./connection.ts";
import type { CurrentChat } from "./openChat.ts";
import type { ChatSettings } from "./chatSettings.ts";
import type { VideoCards } from "./videoCards.ts";

/** What the controller works with. */
export interface ChatControllerContext {
	readonly client: ServiceClient;
	readonly store: ChatStore;
	readonly library: ChatLibrary;
	readonly clock: Clock;
	readonly log: Log;
	readonly settings: ChatSettings;
	readonly connection: ServiceConnection;
	/** What goes along with the next question. */
	readonly attachments: ChatAttachments;
	readonly currentChat: CurrentChat;
	readonly videoCards: Pick<VideoCards, "of" | "onDidChange">;
	/** The tools a model may call. */
	readonly tools: WindowTools;
}
