import type { ChatViewState } from "../../src/shared/index.ts";
import type { ChatSettingsPanel } from "./settings/index.ts";
import type { ConversationAnnouncementDependencies } from "./conversationAnnouncements.ts";
import type { ListWindow, ReadingPosition } from "./scroll/index.ts";
import type { ChatPage } from "./page.ts";
import type { ViewMemory } from "./base/index.ts";

/** Dependencies of showing a place of a chat. */
export interface ReadingPositionDependencies {
	readonly page: Pick<ChatPage, "pin">;
	readonly turns: ListWindow;
}

interface ArrivalDependencies extends ReadingPositionDependencies {
	readonly memory: ViewMemory;
	readonly settings: ChatSettingsPanel;
}

/** Shows chats that arrive: each from its end, or from where the reader was when the page was last there. */
export function createArrival(
	dependencies: () => ArrivalDependencies,
	render: () => void,
): Pick<ConversationAnnouncementDependencies, "showLoaded" | "showEarlier"> {
	let awaited: ReadingPosition | undefined;
	return {
		showLoaded: ({ chatId }: ChatViewState) => {
			const { memory, settings, turns, page } = dependencies();
			settings.chatShown(chatId);
			const { scroll } = memory.current;
			const kept = scroll?.chatId === chatId ? scroll : undefined;
			turns.open(chatId);
			render();
			const isThere = kept !== undefined && showPlace(dependencies(), kept);
			awaited = isThere ? undefined : kept;
			if (!isThere) {
				page.pin.jumpToEnd();
			}
		},
		showEarlier: () => {
			const { page, turns } = dependencies();
			// Who has scrolled meanwhile is where they want to be.
			const place = page.pin.isPinned ? awaited : undefined;
			awaited = undefined;
			turns.prepended();
			if (place && !showPlace(dependencies(), place)) {
				page.pin.jumpToEnd();
			}
		},
	};
}

/** Goes to a place of the chat and stays there; false when its turn is not there any more. */
export function showPlace(
	{ page, turns }: ReadingPositionDependencies,
	place: ReadingPosition,
): boolean {
	page.pin.letGo();
	return turns.goTo(place);
}
