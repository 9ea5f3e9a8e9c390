import type { TurnView } from "../../../src/shared/chat.ts";
import type { ReadingPosition } from "../scroll/placeInTurn.ts";
import type { ScrollPin } from "../scroll/scrollPin.ts";
import type { IdleQueue } from "../markdown/elements/idle.ts";
import type { TurnTextDependencies } from "./turnText.ts";

/** Dependencies of the search. */
export interface FindDependencies extends TurnTextDependencies {
	readonly scroller: HTMLElement;
	/** Element that holds the turns that are on the page. */
	readonly list: HTMLElement;
	readonly pin: ScrollPin;
	readonly idle: Pick<IdleQueue, "add">;
	/** All turns of the chat. */
	readonly turns: () => readonly TurnView[];
	/** Where the reader is. */
	readonly place: () => ReadingPosition | undefined;
	/** Puts a turn onto the page and goes there. */
	readonly show: (place: ReadingPosition) => void;
	readonly focusComposer: () => void;
}
