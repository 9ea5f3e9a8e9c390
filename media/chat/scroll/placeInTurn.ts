/** A place in a chat that outlives the page: a turn, and how much of it is above what can be seen, in CSS pixels. */
export interface ReadingPosition {
	readonly turnId: string;
	readonly offset: number;
	/**
	 * The section of a long answer that the place is in, counted from 0 in its turn, and how much of it is above what can be seen:
	 * the height of those before it is an estimate while they are out of sight, another one each time.
	 */
	readonly section?: { readonly index: number; readonly offset: number } | undefined;
}

/** The place at the top of what can be seen, in a turn that is there. */
export function placeIn(scroller: HTMLElement, turn: HTMLElement): ReadingPosition {
	const { top } = scroller.getBoundingClientRect();
	const above = (element: Element): number => Math.round(top - element.getBoundingClientRect().top);
	const sections = sectionsOf(turn);
	const index = sections.findLastIndex(section => above(section) >= 0);
	const section = sections[index];
	return {
		turnId: turn.dataset["turn"] ?? "",
		offset: above(turn),
		...(section && sections.length > 1 ? { section: { index, offset: above(section) } } : {}),
	};
}

/**
 * Scrolls to a place in a turn. While the text of the turn is still being written onto the page, the turn has the height that this
 * takes, as what is not there cannot be scrolled to, and the place is gone to again once the text is there, unless the reader
 * moved meanwhile.
 */
export function goToPlace(scroller: HTMLElement, turn: HTMLElement, place: ReadingPosition): void {
	let top = scrollTo(scroller, turn, place);
	if (!isWritten(turn)) {
		const wait = (): void => {
			const hasMoved = Math.abs(scroller.scrollTop - top) > 1;
			const isOver = isWritten(turn) || !turn.isConnected;
			if (isOver) {
				turn.style.removeProperty("min-block-size");
			}
			if (!hasMoved) {
				top = scrollTo(scroller, turn, place);
			}
			if (!isOver) {
				requestAnimationFrame(wait);
			}
		};
		requestAnimationFrame(wait);
	}
}

/** Returns where the list is scrolled to then. */
function scrollTo(scroller: HTMLElement, turn: HTMLElement, place: ReadingPosition): number {
	const section = place.section && sectionsOf(turn)[place.section.index];
	// Its own height counts, no estimate of it.
	section?.style.setProperty("content-visibility", "visible");
	const element = section ?? turn;
	const offset = section ? (place.section?.offset ?? 0) : place.offset;
	const distance =
		element.getBoundingClientRect().top - scroller.getBoundingClientRect().top + offset;
	const { scrollTop, scrollHeight, clientHeight } = scroller;
	// A view more than it takes, so that the place is not the end of the list.
	const missing = scrollTop + distance + 2 * clientHeight - scrollHeight;
	if (missing > 0 && !isWritten(turn)) {
		turn.style.minBlockSize = `${turn.offsetHeight + missing}px`;
	}
	scroller.scrollTop += distance;
	if (section) {
		requestAnimationFrame(() => section.style.removeProperty("content-visibility"));
	}
	return scroller.scrollTop;
}

function isWritten(turn: HTMLElement): boolean {
	return turn.querySelector("[aria-busy]") === null;
}

function sectionsOf(turn: HTMLElement): HTMLElement[] {
	return [...turn.querySelectorAll<HTMLElement>(".markdown > .section")];
}
