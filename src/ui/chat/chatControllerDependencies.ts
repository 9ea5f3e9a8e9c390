import type { ChatLibrary } from "../../chat/library/index.ts";
import type { ChatStore } from "../../chat/store/index.ts";
import type { ServiceClient } from "../../client/index.ts";
import type { Clock } from "../../common/async.ts";
import type { Log } from "../../common/log.ts";
import type { ChatAttachments, ProjectInstructions } from "../attachments/index.ts";
import type { WindowTools } from "../tools/index.ts";
import type { ServiceConnection } from "../connection/index.ts";
import type { CurrentChat } from "./openChat.ts";
import type { ChatSettings } from "../composer/index.ts";
import type { VideoCards } from "../video/views/index.ts";

/** Dependencies of the controller. */
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
	/** The tools a model may call. */
	readonly tools: WindowTools;
}
