import * as l10n from "@vscode/l10n";
import { withoutMarks } from "../../../../src/common/hiddenText.ts";
import { createButton, createMenuButton, createToggle } from "./blockButton.ts";
import { createElement } from "./elements.ts";
import { keepSelection } from "./keptSelection.ts";

/** Lines per chunk of code. Keeps laying out the growing chunk cheap for a block of any length. */
const linesPerChunk = 32;

/** The longest stored info string, in UTF-16 code units. */
const maxInfo = 200;

/** Kept outside the DOM, because attributes must not contain a model's text (docs/security.md). */
const infos = new WeakMap<Element, string>();

/** Returns the info string of a code block; empty for any other element. */
export function infoOf(block: Element): string {
	return infos.get(block) ?? "";
}

/** Returns a block's code without markers of invisible characters; empty for any other element. */
export function codeIn(block: Element | null | undefined): string {
	const code = block?.querySelector("code")?.textContent ?? "";
	return block?.closest(".markdown")?.querySelector(".hidden-note") ? withoutMarks(code) : code;
}

/** Returns the language in an info string: its first word if it can be a class name, otherwise an empty string. */
export function languageOf(info: string): string {
	return /^\s*([\w+#.-]{1,32})(?:\s|\{|$)/.exec(info)?.[1] ?? "";
}

/** A code block that grows. Appends only to the last chunk, so the browser can skip chunks out of view. */
export class GrowingCodeBlock {
	readonly element = createElement("div", "code-block");
	private readonly code = createElement("code");
	private last: Text | undefined;
	/** Complete lines in the last chunk. */
	private lines = 0;

	constructor(info: string) {
		const { element, code } = this;
		infos.set(element, info.slice(0, maxInfo));
		const pre = createElement("pre");
		const language = languageOf(info);
		if (language !== "") {
			code.className = `language-${language}`;
		}
		pre.tabIndex = 0;
		pre.append(code);
		element.append(createHead(language), pre);
	}

	/** The block's language; empty if there is none. */
	get language(): string {
		return this.code.className.replace("language-", "");
	}

	/** The element with the last line of code, if any. */
	get lastChunk(): Element | null {
		return this.code.lastElementChild;
	}

	/** Highlights the complete lines of a chunk. An incomplete line stays plain and continues to grow. */
	paintChunk(
		chunk: Element,
		highlight: (code: string) => Iterable<HighlightedCode> | undefined,
	): void {
		const text = chunk.textContent;
		const end = text.lastIndexOf("\n") + 1;
		const pieces = chunk.parentNode === this.code ? highlight(text.slice(0, end)) : undefined;
		if (pieces) {
			const isOpen = this.last?.parentNode === chunk;
			const rest = document.createTextNode(text.slice(end));
			const nodes = [...pieces].map(createCodePiece);
			keepSelection(chunk, () => chunk.replaceChildren(...nodes, rest));
			this.last = isOpen ? rest : this.last;
		}
	}

	/** Appends code. Chunks start after complete lines. */
	append(text: string): void {
		let start = 0;
		while (start < text.length) {
			const cut = cutLines(text, start, linesPerChunk - this.lines);
			this.write(text.slice(start, cut.end));
			start = cut.end;
			this.lines += cut.lines;
			if (this.lines === linesPerChunk) {
				this.last = undefined;
				this.lines = 0;
			}
		}
	}

	private write(text: string): void {
		if (!this.last) {
			const chunk = createElement("span", "code-chunk");
			this.last = document.createTextNode("");
			chunk.append(this.last);
			this.code.append(chunk);
		}
		this.last.appendData(text);
	}
}

/** Code and the class of its color, which may be empty. */
type HighlightedCode = readonly [text: string, className: string];

function createCodePiece([text, className]: HighlightedCode): Node {
	if (className === "") {
		return document.createTextNode(text);
	}
	const span = createElement("span", className);
	span.append(text);
	return span;
}

/** Creates the header of a code block: its language and buttons. */
function createHead(language: string): HTMLElement {
	const head = createElement("div", "code-head");
	const label = createElement("span", "code-language");
	// Without a name the header would look broken.
	label.append(/^(?:suggestion)?$/i.test(language) ? l10n.t("Text") : language);
	head.append(
		label,
		...(language.toLowerCase() === "mermaid"
			? [createButton("draw-diagram", l10n.t("Draw diagram"), "type-hierarchy")]
			: []),
		createButton("apply-code", l10n.t("Apply"), "git-pull-request-go-to-changes"),
		createToggle("wrap-code", l10n.t("Wrap lines"), "word-wrap"),
		createButton("copy-code", l10n.t("Copy code"), "copy"),
		createMenuButton("more-code", l10n.t("More actions"), "ellipsis"),
	);
	return head;
}

/** Returns the end of at most `limit` lines of `text` from `start`, and the number of complete ones. */
function cutLines(text: string, start: number, limit: number): { end: number; lines: number } {
	let end = start;
	for (let lines = 0; lines < limit; lines++) {
		const next = text.indexOf("\n", end);
		if (next === -1) {
			return { end: text.length, lines };
		}
		end = next + 1;
	}
	return { end, lines: limit };
}

/** Moves highlighted code into a new element with the same plain code, so that it doesn't flicker. */
export function keepColors(from: Node, to: Node): void {
	if (!(from instanceof Element && to instanceof Element)) {
		return;
	}
	const codes = [...from.querySelectorAll("pre > code")];
	for (const [index, code] of to.querySelectorAll("pre > code").entries()) {
		const colored = codes[index];
		if (colored?.className === code.className && colored.textContent === code.textContent) {
			code.replaceChildren(...[...colored.childNodes].map(node => node.cloneNode(true)));
		}
	}
}

/** Replaces plain code with highlighted pieces, split into the same chunks. */
export function replaceCode(code: HTMLElement, pieces: Iterable<HighlightedCode>): void {
	const chunks: HTMLElement[] = [];
	let chunk = createElement("span", "code-chunk");
	let lines = 0;
	const add = (text: string, scope: string): void => {
		if (text !== "") {
			chunk.append(createCodePiece([text, scope]));
		}
	};
	for (const [text, scope] of pieces) {
		const parts = text.split("\n");
		for (const [index, part] of parts.entries()) {
			const isLast = index === parts.length - 1;
			add(isLast ? part : `${part}\n`, scope);
			if (!isLast && ++lines === linesPerChunk) {
				chunks.push(chunk);
				chunk = createElement("span", "code-chunk");
				lines = 0;
			}
		}
	}
	if (chunk.hasChildNodes()) {
		chunks.push(chunk);
	}
	keepSelection(code, () => code.replaceChildren(...chunks));
}
