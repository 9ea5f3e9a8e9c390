import type { ChatViewState } from "../../src/shared/chat.ts";
import type { ChatSettingsPanel } from "./settings/chatSettingsPanel.ts";
import type { ListWindow } from "./scroll/listWindow.ts";
import type { ReadingPosition } from "./scroll/placeInTurn.ts";
import type { ChatPage } from "./page.ts";
import type { ViewMemory } from "./base/viewMemory.ts";

export interface ReadingPositionDependencies {
	readonly page: Pick<ChatPage, "pin">;
	readonly turns: ListWindow;
}

interface ArrivalDependencies extends ReadingPositionDependencies {
	readonly memory: ViewMemory;
	readonly settings: ChatSettingsPanel;
}

/** Scrolls chats that are loaded: to the end, or to the last scroll position. */
export class Arrival {
	private readonly dependencies: () => ArrivalDependencies;
	private readonly render: () => void;
	/** A position in a turn that hasn't been received. */
	private awaited: ReadingPosition | undefined;

	/** `dependencies` is called when a chat is loaded; `render` renders the page. */
	constructor(dependencies: () => ArrivalDependencies, render: () => void) {
		this.dependencies = dependencies;
		this.render = render;
	}

	/** Shows a chat after it was loaded or selected. */
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

	showEarlier(): void {
		const { page, turns } = this.dependencies();
		// If the reader has scrolled meanwhile, keeps that position.
		const place = page.pin.isPinned ? this.awaited : undefined;
		this.awaited = undefined;
		turns.prepended();
		if (place && !showPlace({ page, turns }, place)) {
			page.pin.jumpToEnd();
		}
	}
}

/** Scrolls to a position of the chat. Returns false if its turn no longer exists. */
export function showPlace(
	{ page, turns }: ReadingPositionDependencies,
	place: ReadingPosition,
): boolean {
	page.pin.letGo();
	return turns.goTo(place);
}
