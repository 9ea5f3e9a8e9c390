import { maxInlineDepth } from "../elements/bounds.ts";
import { appendText, createElement, createImage, createLink } from "../elements/elements.ts";
import { createFootnoteMark, type InlineTag } from "../elements/moreMarkdown.ts";
import { parseSafeLink } from "../elements/safeLink.ts";
import type { MarkdownToken } from "./engine.ts";
import { createFormula } from "./math.ts";

interface OpenElement {
	readonly element: HTMLElement;
	/** Set while a link's content is collected. */
	readonly link?: { readonly address: string; readonly title: string };
}

/** Renders inline tokens into `target`. Unknown tokens become text. */
export function renderInline(tokens: readonly MarkdownToken[], target: HTMLElement): void {
	const stack: OpenElement[] = [{ element: target }];
	for (const token of tokens) {
		renderToken(token, stack, stack.at(-1)?.element ?? target);
	}
}

function renderToken(token: MarkdownToken, stack: OpenElement[], parent: HTMLElement): void {
	switch (token.type) {
		case "softbreak":
			appendText(parent, "\n");
			break;
		case "hardbreak":
			parent.append(createElement("br"));
			break;
		case "code_inline": {
			const code = createElement("code");
			code.append(token.content);
			parent.append(code);
			break;
		}
		case "math_inline":
		case "math_display":
			parent.append(createFormula(token.content, token.type === "math_display", false));
			break;
		case "footnote_mark":
			parent.append(createFootnoteMark(token.content));
			break;
		case "tag_open":
		case "em_open":
		case "strong_open":
		case "s_open":
			stack.push({
				element: stack.length > maxInlineDepth ? parent : createEmphasis(token, parent),
			});
			break;
		case "tag_close":
		case "em_close":
		case "strong_close":
		case "s_close":
			closeEmphasis(stack);
			break;
		case "link_open":
			stack.push({
				element: createElement("span"),
				link: { address: attribute(token, "href"), title: attribute(token, "title") },
			});
			break;
		case "link_close":
			closeLink(stack);
			break;
		case "image":
			parent.append(createImage(tokensText(token.children ?? []), attribute(token, "src")));
			break;
		default:
			appendPlain(
				parent,
				token.content,
				stack.some(open => open.link),
			);
	}
}

/** Elements of emphasis by token. */
const emphases: Readonly<Record<string, "em" | "s" | "strong" | InlineTag>> = {
	em: "em",
	kbd: "kbd",
	mark: "mark",
	s: "s",
	strong: "strong",
	sub: "sub",
	sup: "sup",
};

function createEmphasis({ tag }: MarkdownToken, parent: HTMLElement): HTMLElement {
	const element = createElement(emphases[tag] ?? "span");
	parent.append(element);
	return element;
}

/** Closes emphasis. Removes empty elements, because thousands of them would be slow. */
function closeEmphasis(stack: OpenElement[]): void {
	const closed = stack.pop()?.element;
	if (closed && closed !== stack.at(-1)?.element && !closed.hasChildNodes()) {
		closed.remove();
	}
}

function attribute(token: MarkdownToken, name: string): string {
	return String(token.attrGet(name) ?? "");
}

function closeLink(stack: OpenElement[]): void {
	const { element, link } = stack.pop() ?? {};
	if (!element || !link) {
		return;
	}
	const words = [...element.childNodes];
	const isInLink = stack.some(open => open.link);
	stack
		.at(-1)
		?.element.append(...(isInLink ? words : [createLink(link.address, link.title, words)]));
}

/** Returns an image's description without markup. */
function tokensText(tokens: readonly MarkdownToken[]): string {
	return tokens
		.map(token =>
			token.children
				? tokensText(token.children)
				: token.type === "softbreak"
					? "\n"
					: token.content,
		)
		.join("");
}

/** Scripts that are written without spaces, whose words follow an address directly. */
const unspaced = String.raw`\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Bopo}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}`;

/**
 * A URL in running text that starts with `https` or `www.`: an ASCII host, then an optional path, which ends before a letter of a script without
 * spaces.
 */
const bareAddress = new RegExp(
	String.raw`(?:https:\/\/|(?<![\w/@.:-])(?=www\.[a-z\d-]+\.))[a-z\d](?:[a-z\d.-]{0,252}[a-z\d])?(?::\d{1,5})?(?:[/?#](?:(?![${unspaced}])[\p{L}\p{N}\-._~:/?#[\]@!$&()*+,;=%]){0,4096})?`,
	"giu",
);

/** Appends text with bare `https` URLs as links, without punctuation around them. */
function appendPlain(parent: HTMLElement, text: string, isInLink: boolean): void {
	let position = 0;
	if (!isInLink && /:\/\/|www\./i.test(text)) {
		for (const match of text.matchAll(bareAddress)) {
			const address = trimAddress(match[0]);
			const href = /^www\./i.test(address) ? `https://${address}` : address;
			if (parseSafeLink(href)) {
				appendText(parent, text.slice(position, match.index));
				parent.append(createLink(href, "", [document.createTextNode(address)]));
				position = match.index + address.length;
			}
		}
	}
	appendText(parent, text.slice(position));
}

/** Removes trailing punctuation from a URL, and a closing bracket without an opening one. */
function trimAddress(address: string): string {
	let unopened = address.split(")").length - address.split("(").length;
	let end = address.length;
	for (;;) {
		const last = address[end - 1] ?? "";
		if (/[.,;:!?*_~]/.test(last)) {
			end--;
		} else if (last === ")" && unopened > 0) {
			end--;
			unopened--;
		} else {
			return address.slice(0, end);
		}
	}
}
