import type { ChatLibrary } from "../../chat/library/chatLibrary.ts";
import type { ChatStore } from "../../chat/store/chatStore.ts";
import type { ServiceClient } from "../../client/contract/serviceClient.ts";
import type { Clock } from "../../common/async.ts";
import type { Log } from "../../common/log.ts";
import type { ChatAttachments } from "../attachments/chatAttachments.ts";
import type { ProjectInstructions } from "../attachments/projectInstructions.ts";
import type { WindowTools } from "../tools/chatTools.ts";
import type { ServiceConnection } from "../connection/connection.ts";
import type { CurrentChat } from "./openChat.ts";
import type { ChatSettings } from "../composer/chatSettings.ts";
import type { VideoCards } from "../video/views/videoCards.ts";

export interface ChatControllerDependencies {
	readonly client: ServiceClient;
	readonly store: ChatStore;
	readonly library: ChatLibrary;
	readonly clock: Clock;
	readonly log: Log;
	readonly settings: ChatSettings;
	readonly connection: ServiceConnection;
	/** Attachments of the next question. */
	readonly attachments: ChatAttachments;
	readonly instructions: ProjectInstructions;
	readonly currentChat: CurrentChat;
	readonly videoCards: Pick<VideoCards, "of" | "onDidChange">;
	readonly tools: WindowTools;
}
