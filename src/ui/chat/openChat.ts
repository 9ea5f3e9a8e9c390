import * as l10n from "@vscode/l10n";
import type { ChatStore, StoredChat } from "../../chat/store/chatStore.ts";
import { assertNever } from "../../common/errors.ts";
import type { Log } from "../../common/log.ts";
import type { Banner } from "../../shared/chat.ts";
import { storeBanner, storeErrorMessage } from "../base/failureAdvice.ts";
import type { ChatLibrary } from "../../chat/library/chatLibrary.ts";
import type { ServiceClient } from "../../client/contract/serviceClient.ts";
import type { Clock } from "../../common/async.ts";
import type { ServiceConnection } from "../connection/connection.ts";
import type { ChatAttachments } from "../attachments/chatAttachments.ts";
import type { ProjectInstructions } from "../attachments/chatInstructions.ts";
import type { ChatSettings } from "../composer/chatSettings.ts";
import type { WindowTools } from "../tools/chatTools.ts";
import type { VideoCards } from "../video/views/videoCards.ts";

/** Stores which chat the window shows, across reloads. */
export interface CurrentChat {
	get(): string | undefined;
	set(id: string): void;
}

/** What the chat's view model is made of. */
export interface ChatControllerDependencies {
	readonly client: ServiceClient;
	readonly store: ChatStore;
	readonly library: ChatLibrary;
	readonly clock: Clock;
	readonly log: Log;
	readonly settings: ChatSettings;
	readonly connection: ServiceConnection;
	readonly attachments: ChatAttachments;
	readonly instructions: ProjectInstructions;
	readonly currentChat: CurrentChat;
	readonly videoCards: Pick<VideoCards, "of" | "onDidChange">;
	readonly tools: WindowTools;
}

/** A chat to show, or none, and a notice for the user. */
export interface OpenChat {
	readonly chat: StoredChat | undefined;
	readonly banner: Banner | null;
	/** A chat with queued messages but no question, shown instead of an empty one. */
	readonly queuedOnly?: StoredChat | undefined;
}

/** Opens a saved chat. If it can't be read, returns none and a message with the file's location. */
export async function openChat(store: ChatStore, log: Log, id: string): Promise<OpenChat> {
	try {
		const opened = await store.open(id);
		switch (opened.type) {
			case "opened":
				return { chat: opened.chat, banner: openedBanner(opened.chat) };
			case "missing":
				return { chat: undefined, banner: null, queuedOnly: await store.openQueuedOnly(id) };
			case "unreadable":
				return {
					chat: undefined,
					banner: {
						kind: "warning",
						text: l10n.t("Couldn't read a chat. Its file is kept at {0}.", opened.keptAt),
					},
				};
			default:
				return assertNever(opened);
		}
	} catch (error) {
		log.error("A chat could not be opened", { chat: id, error: String(error) });
		return {
			chat: undefined,
			banner: { kind: "warning", text: l10n.t("Couldn't open the last chat. See the log.") },
		};
	}
}

function openedBanner(chat: StoredChat): Banner | null {
	const failure = storeBanner(chat.readOnly);
	if (failure) {
		return failure;
	}
	return chat.keptAt === undefined
		? null
		: { kind: "warning", text: storeErrorMessage({ kind: "damaged", path: chat.keptAt }) };
}
