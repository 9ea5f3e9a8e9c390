import * as l10n from "@vscode/l10n";
import { revealInLine } from "../../../../src/common/hiddenText.ts";
import { writtenFileAt } from "../../../../src/common/writtenFile.ts";
import { needsHost, parseSafeLink } from "./safeLink.ts";
import { fillWrittenFileLink } from "./writtenFileLink.ts";
import { shorten } from "../../../../src/common/shortText.ts";

/**
 * The only elements an answer can consist of (docs/security.md). All rendering creates its elements here, so nothing can load, run or submit: no
 * frames, forms, styles or event attributes, and no images except `data:` images.
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
 * Blocks whose start side matters beyond their text: markers, a line, columns. Their first letter determines the direction. Paragraphs use CSS
 * (direction.css), because a list ignores children with their own `dir` when determining its direction.
 */
const sided: ReadonlySet<AnswerElement> = new Set(["blockquote", "ol", "table", "ul"]);

/** Code is always left to right, and doesn't affect the direction of the text around it. */
const leftToRight: ReadonlySet<AnswerElement> = new Set(["code", "pre"]);

/** Adds a box for the next part of a long paragraph, which is laid out separately. */
export function appendPart(block: HTMLElement): HTMLElement {
	const part = createElement("span", "part");
	block.append(part);
	return part;
}

/** Creates an allowed element, with the direction its content needs. */
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

/** Appends text to the last text node if there is one, so that growing text remains one node. */
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

/** Kept outside the DOM, because attributes must not contain a model's text (docs/security.md). */
const inertAddresses = new WeakMap<Element, InertAddress>();

/** URL and content of a link that can't be followed. */
interface InertAddress {
	readonly address: string;
	readonly words: readonly Node[];
}

/** Returns the URL and content of a link that can't be followed; undefined for any other element. */
export function inertAddress(link: Element): InertAddress | undefined {
	return inertAddresses.get(link);
}

/**
 * Converts a wrapper of a link's content to the link: an `a` if the URL is safe, otherwise the content and the URL as text. The URL is shown on
 * hover, and its host in the text if the content looks like a URL.
 */
export function createLink(address: string, title: string, words: readonly Node[]): HTMLElement {
	const written = writtenFileAt(address);
	if (written) {
		return fillWrittenFileLink(createElement("a", "file-link"), written);
	}
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

/** Removes links inside a link, such as linked images. */
function unlink(node: Node): void {
	if (node instanceof Element) {
		node.querySelectorAll("a").forEach(inner => inner.replaceWith(...inner.childNodes));
	}
}

/** Creates a URL in parentheses after text, always left to right. */
function createAside(address: string): HTMLElement {
	const aside = createElement("span");
	aside.dir = "ltr";
	aside.append(` (${address})`);
	return aside;
}

/** The longest URL shown in place of an image, in characters. */
const maxShownAddress = 2048;

/**
 * Creates a `data:` image in a frame. Other https images become links with description and host, and all others their description and URL as text.
 * Loads nothing.
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
	const shown = revealInLine(shorten(address, maxShownAddress));
	inert.append(description === "" ? `(image: ${shown})` : `${description} (image: ${shown})`);
	return inert;
}

/** Alignment of a table column. A closed list, because it becomes a class name. */
export type ColumnAlignment = "left" | "center" | "right" | undefined;

export function createCell(name: "td" | "th", alignment: ColumnAlignment): HTMLTableCellElement {
	return createElement(name, alignment && `align-${alignment}`);
}

/** Creates a cell beyond the table's columns. */
export function createExtraCell(): HTMLTableCellElement {
	const cell = createElement("td", "extra");
	cell.title = l10n.t("The table has no column for this.");
	return cell;
}

/** A date, time or number, which is hard to read with a line break inside. */
const wholes = /^[\d.,:/\-+−–%\s]{1,24}$/;

/** Prevents line breaks in a finished cell that contains only a date, time or number. */
export function keepWhole(cell: HTMLElement): void {
	if (wholes.test(cell.textContent)) {
		cell.classList.add("unbroken");
	}
}

/** The first bytes of the supported formats as base64. The content determines the type, not its declaration. */
const beginnings: Readonly<Record<string, RegExp>> = {
	// 89 50 4E 47 0D 0A 1A 0A
	png: /^iVBORw0KGgo/,
	// FF D8 FF
	jpeg: /^\/9j\//,
	// GIF87a and GIF89a
	gif: /^R0lGOD(?:dh|lh)/,
	// RIFF, four bytes of size, WEBP
	webp: /^UklGR.{6}XRUJQ/,
	// <svg, <?xml and <!--
	"svg+xml": /^PHN2Z|^PD94bW|^PCEtL/,
};

/** The longest image URL, in characters of base64: about 1 MB. */
const maxCharacters = 1_400_000;

/**
 * Whether a URL is a `data:` image: PNG, JPEG, GIF, WebP or SVG in base64. Only these images are shown, because they load nothing and so can't leak data
 * (docs/security.md). An SVG in an image element runs no scripts and loads nothing, either.
 */
export function isDataImage(address: string): boolean {
	const match = /^data:image\/(png|jpeg|gif|webp|svg\+xml);base64,/.exec(address);
	if (!match?.[1] || address.length > maxCharacters) {
		return false;
	}
	const bytes = address.slice(match[0].length);
	return (beginnings[match[1]]?.test(bytes) ?? false) && /^[A-Za-z0-9+/]+={0,2}$/.test(bytes);
}
