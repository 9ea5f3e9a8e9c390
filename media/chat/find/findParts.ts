import type { TurnView } from "../../../src/shared/index.ts";
import type { ReadingPlace, ScrollPin } from "../scroll/index.ts";
import type { IdleQueue } from "../markdown/elements/index.ts";
import type { TurnTextTools } from "./turnText.ts";

/** The search of the chat, as the keys see it. */
export interface FindCommands {
	open(): void;
	/** Whether there was a search to go on with. */
	step(direction: 1 | -1): boolean;
}

/** What the search works with. */
export interface FindParts extends TurnTextTools {
	readonly scroller: HTMLElement;
	/** What holds the turns that are on the page. */
	readonly list: HTMLElement;
	readonly pin: ScrollPin;
	readonly idle: IdleQueue;
	/** All turns of the chat. */
	readonly turns: () => readonly TurnView[];
	/** Where the reader is. */
	readonly place: () => ReadingPlace | undefined;
	/** Puts a turn onto the page and goes there. */
	readonly show: (place: ReadingPlace) => void;
	readonly focusComposer: () => void;
}
