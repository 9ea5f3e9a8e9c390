/** A scroll position that survives reloads: a turn, and how much of it is above the visible area, in CSS pixels. */
export interface ReadingPosition {
	readonly turnId: string;
	readonly offset: number;
	/**
	 * The section of a long answer, counted from 0, and how much of it is above the visible area. Without it, the position would depend on the estimated
	 * heights of hidden sections, which vary.
	 */
	readonly section?: { readonly index: number; readonly offset: number } | undefined;
}

/** Returns the position at the top of the visible area, in a turn that is in the page. */
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
 * Scrolls to a position in a turn. While the turn's text is being rendered, reserves the height that this needs, and scrolls again once the text is
 * there, unless the reader has scrolled meanwhile.
 */
export function goToPlace(scroller: HTMLElement, turn: HTMLElement, place: ReadingPosition): void {
	let top = scrollTo(scroller, turn, place);
	if (!isWritten(turn)) {
		// The browser's own corrections would look like the reader's scrolling.
		scroller.style.overflowAnchor = "none";
		const wait = (): void => {
			const hasMoved = Math.abs(scroller.scrollTop - top) > 1;
			const isOver = isWritten(turn) || !turn.isConnected;
			if (isOver) {
				turn.style.removeProperty("min-block-size");
			}
			if (!hasMoved) {
				top = scrollTo(scroller, turn, place);
			}
			if (isOver || hasMoved) {
				scroller.style.removeProperty("overflow-anchor");
			}
			if (!isOver) {
				requestAnimationFrame(wait);
			}
		};
		requestAnimationFrame(wait);
	}
}

/** Returns the resulting scroll offset. */
function scrollTo(scroller: HTMLElement, turn: HTMLElement, place: ReadingPosition): number {
	const section = place.section && sectionsOf(turn)[place.section.index];
	// Uses the section's real height instead of an estimate.
	section?.style.setProperty("content-visibility", "visible");
	const element = section ?? turn;
	const offset = section ? (place.section?.offset ?? 0) : place.offset;
	const distance =
		element.getBoundingClientRect().top - scroller.getBoundingClientRect().top + offset;
	const { scrollTop, scrollHeight, clientHeight } = scroller;
	// Adds the height of a view, so that the position isn't the end of the list.
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
