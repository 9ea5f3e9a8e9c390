import * as l10n from "@vscode/l10n";
import { revealInLine } from "../../../../src/common/hiddenText.ts";
import { needsHost, parseSafeLink } from "./safeLink.ts";

/**
 * The only elements an answer can consist of (threat T16). Everything that shows model text makes its elements here,
 * so nothing that fetches, runs or submits can appear: no frame, no form, no style, no event attribute, and no image but one that
 * holds itself.
 */
export type AnswerElement =
	| "a"
	| "blockquote"
	| "br"
	| "code"
	| "details"
	| "div"
	| "em"
	| "h1"
	| "h2"
	| "h3"
	| "h4"
	| "h5"
	| "h6"
	| "hr"
	| "img"
	| "kbd"
	| "label"
	| "li"
	| "mark"
	| "ol"
	| "p"
	| "pre"
	| "s"
	| "span"
	| "strong"
	| "sub"
	| "summary"
	| "sup"
	| "table"
	| "tbody"
	| "td"
	| "th"
	| "thead"
	| "tr"
	| "ul";

/**
 * Blocks with a beginning and an end side beyond their words: marks, a line, columns. Their first letter chooses them; paragraphs choose
 * by themselves (direction.css), as one with a `dir` of its own would be left out when its list chooses.
 */
const sided: ReadonlySet<AnswerElement> = new Set(["blockquote", "ol", "table", "ul"]);

/** Code never runs from right to left, and says nothing about the direction of the words around it. */
const leftToRight: ReadonlySet<AnswerElement> = new Set(["code", "pre"]);

/** Adds a box for a further part of a long paragraph, which is laid out apart from the ones before it. */
export function appendPart(block: HTMLElement): HTMLElement {
	const part = createElement("span", "part");
	block.append(part);
	return part;
}

/** Makes an element of the allowed kinds, with the direction its content asks for. */
export function createElement<Name extends AnswerElement>(
	name: Name,
	className?: string,
): HTMLElementTagNameMap[Name] {
	const element = document.createElement(name);
	if (sided.has(name)) {
		element.dir = "auto";
	} else if (leftToRight.has(name)) {
		element.dir = "ltr";
	}
	if (className) {
		element.className = className;
	}
	return element;
}

/** Appends text, into the text node at the end when there is one, so that growing text stays one node. */
export function appendText(parent: HTMLElement, text: string): void {
	if (text === "") {
		return;
	}
	const last = parent.lastChild;
	if (last instanceof Text) {
		last.appendData(text);
	} else {
		parent.append(text);
	}
}

/** Kept beside the elements: no attribute ever holds words of a model (threat T16). */
const inertAddresses = new WeakMap<Element, InertAddress>();

/** Address and words of a link that cannot be followed. */
interface InertAddress {
	readonly address: string;
	readonly words: readonly Node[];
}

/** The address and the words of a link that cannot be followed; nothing for any other element. */
export function inertAddress(link: Element): InertAddress | undefined {
	return inertAddresses.get(link);
}

/**
 * Turns a wrapper that holds a link's words into the link: an `a` when the address is a safe one, otherwise the words
 * and the address as text. The address is shown on hover, and its host in the text when the words look like an address.
 */
export function createLink(address: string, title: string, words: readonly Node[]): HTMLElement {
	const link = parseSafeLink(address);
	words.forEach(unlink);
	const text = words.map(node => node.textContent ?? "").join("");
	if (!link) {
		const inert = createElement("span", "inert-link");
		inert.append(...words);
		inertAddresses.set(inert, { address, words });
		if (/^[a-z][a-z\d+.-]*:/i.test(address)) {
			inert.title = `${l10n.t("Only https links can be opened.")}\n${revealInLine(address)}`;
		}
		if (address !== "" && address !== text && address !== `mailto:${text}`) {
			inert.append(createAside(revealInLine(address)));
		}
		return inert;
	}
	const anchor = createElement("a");
	anchor.href = link.href;
	anchor.title = title === "" ? link.href : `${revealInLine(title)}\n${link.href}`;
	anchor.append(...words);
	if (needsHost(text, link)) {
		anchor.append(createAside(link.host));
	}
	return anchor;
}

/** Removes links inside the words of a link, such as an image that is a link of its own. */
function unlink(node: Node): void {
	if (node instanceof Element) {
		node.querySelectorAll("a").forEach(inner => inner.replaceWith(...inner.childNodes));
	}
}

/** An address in brackets behind words, from left to right whichever way they run. */
function createAside(address: string): HTMLElement {
	const aside = createElement("span");
	aside.dir = "ltr";
	aside.append(` (${address})`);
	return aside;
}

/** The most of an address that is shown in place of an image, in characters. */
const maxShownAddress = 2048;

/**
 * An image that holds itself, in a frame; one at an https address as a link with its description and its host; every other as its
 * description and its address, as text. Nothing is fetched.
 */
export function createImage(description: string, address: string): HTMLElement {
	if (isDataImage(address)) {
		const image = createElement("img", "data-image");
		image.alt = description;
		image.title = description;
		image.src = address;
		return image;
	}
	const inert = createElement("span", "inert-image");
	const link = parseSafeLink(address);
	if (link) {
		const words = document.createTextNode(description === "" ? "image" : description);
		const kind = description === "" ? "" : "image: ";
		inert.append(createLink(address, "", [words]), ` (${kind}${link.host})`);
		return inert;
	}
	const isLong = address.length > maxShownAddress;
	const shown = revealInLine(address.slice(0, maxShownAddress)) + (isLong ? "…" : "");
	inert.append(description === "" ? `(image: ${shown})` : `${description} (image: ${shown})`);
	return inert;
}

/** How a column of a table is aligned; a closed list, as it becomes a class name. */
export type ColumnAlignment = "left" | "center" | "right" | undefined;

/** A cell of a table. */
export function createCell(name: "td" | "th", alignment: ColumnAlignment): HTMLTableCellElement {
	return createElement(name, alignment && `align-${alignment}`);
}

/** A cell at the end of a row that the table has no column for. */
export function createExtraCell(): HTMLTableCellElement {
	const cell = createElement("td", "extra");
	cell.title = l10n.t("The table has no column for this.");
	return cell;
}

/** A date, a time or a number, which is hard to read with a line break at one of its marks. */
const wholes = /^[\d.,:/\-+−–%\s]{1,24}$/;

/** Keeps a finished cell that holds no more than a date, a time or a number on one line. */
export function keepWhole(cell: HTMLElement): void {
	if (wholes.test(cell.textContent)) {
		cell.classList.add("unbroken");
	}
}

/** How files of the kinds that are shown begin, as base64: the bytes decide what an image is, not what it says of itself. */
const beginnings: Readonly<Record<string, RegExp>> = {
	// 89 50 4E 47 0D 0A 1A 0A
	png: /^iVBORw0KGgo/,
	// FF D8 FF
	jpeg: /^\/9j\//,
	// GIF87a and GIF89a
	gif: /^R0lGOD(?:dh|lh)/,
	// RIFF, four bytes of size, WEBP
	webp: /^UklGR.{6}XRUJQ/,
};

/** The longest image that is shown, in characters of its base64 form: about 1 MB. */
const maxCharacters = 1_400_000;

/**
 * Whether an address is an image that holds itself: PNG, JPEG, GIF or WebP in base64. It is the one kind of image that is ever
 * shown, because it fetches nothing and so tells nobody anything (threat T16); SVG is a document and stays out.
 */
export function isDataImage(address: string): boolean {
	const match = /^data:image\/(png|jpeg|gif|webp);base64,/.exec(address);
	if (!match?.[1] || address.length > maxCharacters) {
		return false;
	}
	const bytes = address.slice(match[0].length);
	return (beginnings[match[1]]?.test(bytes) ?? false) && /^[A-Za-z0-9+/]+={0,2}$/.test(bytes);
}
