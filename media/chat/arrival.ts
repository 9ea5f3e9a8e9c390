import type { ChatViewState } from "../../src/shared/chat.ts";
import type { ChatSettingsPanel } from "./settings/chatSettingsPanel.ts";
import type { ListWindow } from "./scroll/listWindow.ts";
import type { ReadingPosition } from "./scroll/placeInTurn.ts";
import type { ChatPage } from "./page.ts";
import type { ViewMemory } from "./base/viewMemory.ts";

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
export class Arrival {
	private readonly dependencies: () => ArrivalDependencies;
	private readonly render: () => void;
	/** A place whose turn has not come yet. */
	private awaited: ReadingPosition | undefined;

	/** Makes it; `dependencies` are read when a chat arrives, and `render` draws the page. */
	constructor(dependencies: () => ArrivalDependencies, render: () => void) {
		this.dependencies = dependencies;
		this.render = render;
	}

	/** Shows a chat that was loaded, or took the place of another. */
	showLoaded({ chatId }: ChatViewState): void {
		const { memory, settings, turns, page } = this.dependencies();
		settings.chatShown(chatId);
		const { scroll } = memory.current;
		const kept = scroll?.chatId === chatId ? scroll : undefined;
		turns.open(chatId);
		this.render();
		const isThere = kept !== undefined && showPlace({ page, turns }, kept);
		this.awaited = isThere ? undefined : kept;
		if (!isThere) {
			page.pin.jumpToEnd();
		}
	}

	/** Shows that a chat has turns before those it was shown with. */
	showEarlier(): void {
		const { page, turns } = this.dependencies();
		// Who has scrolled meanwhile is where they want to be.
		const place = page.pin.isPinned ? this.awaited : undefined;
		this.awaited = undefined;
		turns.prepended();
		if (place && !showPlace({ page, turns }, place)) {
			page.pin.jumpToEnd();
		}
	}
}

/** Goes to a place of the chat and stays there; false when its turn is not there any more. */
export function showPlace(
	{ page, turns }: ReadingPositionDependencies,
	place: ReadingPosition,
): boolean {
	page.pin.letGo();
	return turns.goTo(place);
}
