import type { ChatViewState } from "../../src/shared/index.ts";
import type { ChatSettingsPanel } from "./settings/index.ts";
import type { ConversationAnnouncementParts } from "./conversationAnnouncements.ts";
import type { ListWindow, ReadingPlace } from "./scroll/index.ts";
import type { Page } from "./page.ts";
import type { ViewMemory } from "./base/index.ts";

/** What shows places of a chat. */
export interface PlaceParts {
	readonly page: Pick<Page, "pin">;
	readonly turns: ListWindow;
}

interface ArrivalParts extends PlaceParts {
	readonly memory: ViewMemory;
	readonly settings: ChatSettingsPanel;
}

/** Shows chats that arrive: each from its end, or from where the reader was when the page was last there. */
export function createArrival(
	parts: () => ArrivalParts,
	render: () => void,
): Pick<ConversationAnnouncementParts, "showLoaded" | "showEarlier"> {
	let awaited: ReadingPlace | undefined;
	return {
		showLoaded: ({ chatId }: ChatViewState) => {
			const { memory, settings, turns, page } = parts();
			settings.chatShown(chatId);
			const { scroll } = memory.current;
			const kept = scroll?.chatId === chatId ? scroll : undefined;
			turns.open(chatId);
			render();
			const isThere = kept !== undefined && showPlace(parts(), kept);
			awaited = isThere ? undefined : kept;
			if (!isThere) {
				page.pin.jumpToEnd();
			}
		},
		showEarlier: () => {
			const { page, turns } = parts();
			// Who has scrolled meanwhile is where they want to be.
			const place = page.pin.isPinned ? awaited : undefined;
			awaited = undefined;
			turns.prepended();
			if (place && !showPlace(parts(), place)) {
				page.pin.jumpToEnd();
			}
		},
	};
}

/** Goes to a place of the chat and stays there; false when its turn is not there any more. */
export function showPlace({ page, turns }: PlaceParts, place: ReadingPlace): boolean {
	page.pin.letGo();
	return turns.goTo(place);
}
