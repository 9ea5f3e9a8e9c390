import { createElement } from "../elements/elements.ts";

/** A section holds about this many characters: the browser skips layout and paint of sections out of sight. */
export const sectionCharacters = 4096;

/** Height of a character of running text in a narrow side bar, in CSS pixels, spread over the lines it makes. */
const pixelsPerCharacter = 0.36;

/**
 * Makes a section at the end of `root`, with an element for its first piece. The last section has a class of its own: rules for
 * `:last-of-type` would look at everything in all sections again whenever one is added.
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

/** Makes an element for a piece at the end of a section. */
export function appendPiece(section: HTMLElement): HTMLElement {
	const piece = createElement("div", "piece");
	section.append(piece);
	return piece;
}

/** Tells the browser how high a section may be that it has never laid out, so that the scroll bar tells the truth. */
export function estimateHeight(section: HTMLElement, characters: number): void {
	const pixels = Math.ceil(characters * pixelsPerCharacter);
	section.style.setProperty("contain-intrinsic-block-size", `auto ${pixels}px`);
}
