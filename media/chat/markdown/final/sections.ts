import { createElement } from "../elements/elements.ts";

/** Approximate characters per section. The browser skips layout and paint of sections out of view. */
export const sectionCharacters = 4096;

/** Height of a character of running text in a narrow side bar, in CSS pixels, averaged over lines. */
const pixelsPerCharacter = 0.36;

/**
 * Adds a section to `root`, with an element for its first piece. The last section has a class, because `:last-of-type` rules would restyle all
 * sections whenever one is added.
 */
export function appendSection(root: HTMLElement): {
	readonly section: HTMLElement;
	readonly piece: HTMLElement;
} {
	const section = createElement("div", "section last");
	root.lastElementChild?.classList.remove("last");
	root.append(section);
	return { section, piece: appendPiece(section) };
}

/** Adds an element for a piece to a section. */
export function appendPiece(section: HTMLElement): HTMLElement {
	const piece = createElement("div", "piece");
	section.append(piece);
	return piece;
}

/** Sets the estimated height of a section that was never laid out, for an accurate scroll bar. */
export function estimateHeight(section: HTMLElement, characters: number): void {
	const pixels = Math.ceil(characters * pixelsPerCharacter);
	section.style.setProperty("contain-intrinsic-block-size", `auto ${pixels}px`);
}
