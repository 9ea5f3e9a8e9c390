import {
	appendPart,
	appendText,
	type AnswerElement,
	type ColumnAlignment,
	createCell,
	createExtraCell,
	createElement,
	keepWhole,
} from "../elements/elements.ts";
import { inlineParts, maxBlockLevel, maxInlineElements } from "../elements/bounds.ts";
import { GrowingCodeBlock } from "../elements/codeBlock.ts";
import {
	createDetails,
	createFootnote,
	nameDetails,
	startAlert,
} from "../elements/moreMarkdown.ts";
import { listWithRoom } from "../elements/lists.ts";
import { decodeHTMLStrict } from "../elements/entities.ts";
import { foldLongCode } from "../elements/longCode.ts";
import { createPlainText } from "../elements/plainText.ts";
import { createTableFrame } from "../elements/tableFrame.ts";
import { startTaskItem } from "../elements/taskItem.ts";
import type { MarkdownEngine, MarkdownToken, References } from "./engine.ts";
import { createFormula } from "./math.ts";
import { renderInline } from "./renderInline.ts";

/** Block tokens that map to an element. All others have special handling, or are text. */
const plainBlocks: Readonly<Record<string, AnswerElement>> = {
	paragraph_open: "p",
	blockquote_open: "blockquote",
	bullet_list_open: "ul",
	list_item_open: "li",
	thead_open: "thead",
	tbody_open: "tbody",
	tr_open: "tr",
};

const headings: Readonly<Record<string, AnswerElement>> = {
	h1: "h1",
	h2: "h2",
	h3: "h3",
	h4: "h4",
	h5: "h5",
	h6: "h6",
};

/** Work per slice in characters, and the weight of a token. */
const charactersPerSlice = 4096;
const charactersPerToken = 160;

/**
 * Renders a text with the conformant parser into allowed elements. Shows text with too deep nesting unformatted. Yields from time to time for
 * slicing. Returns the top-level nodes.
 */
export function* renderBlocks(
	engine: MarkdownEngine,
	source: string,
	references: References,
): Generator<undefined, readonly ChildNode[]> {
	const tokens = engine.parseBlocks(source, references);
	if (tokens.some(({ level }) => level > maxBlockLevel)) {
		// The parser omits text nested too deeply.
		return [createPlainText(source)];
	}
	const root = createElement("div");
	/** The open elements. A hidden paragraph repeats its parent. */
	const stack: HTMLElement[] = [root];
	let work = 0;
	for (const token of tokens) {
		const parent = stack.at(-1) ?? root;
		if (token.type === "list_item_open") {
			const list = listWithRoom(stack.pop() ?? parent);
			stack.push(list, openBlock(token, list));
		} else if (token.nesting === 1) {
			stack.push(openBlock(token, parent));
		} else if (token.nesting === -1) {
			const element = stack.pop();
			if (element && token.type === "td_close") {
				keepWhole(element);
			} else if (element && token.type === "details_close") {
				nameDetails(element);
			}
		} else if (token.type === "inline") {
			const content = startAlert(parent, token.content);
			if (content === "" && parent.previousElementSibling?.className === "alert-title") {
				parent.remove();
			}
			const { target, text } = startTaskItem(parent, content);
			yield* renderParts(inlineParts(text), (part, index) => {
				const box = index === 0 ? target : appendPart(target);
				if (target.getElementsByTagName("*").length > maxInlineElements) {
					appendText(box, part);
				} else {
					renderInline(engine.parseInline(part, references), box);
				}
			});
		} else {
			parent.append(createLeafBlock(token));
		}
		work += charactersPerToken + token.content.length;
		if (work > charactersPerSlice) {
			work = 0;
			yield;
		}
	}
	return [...root.childNodes];
}

/** Renders part by part, and yields in between. */
function* renderParts(
	parts: readonly string[],
	render: (part: string, index: number) => void,
): Generator<undefined, void> {
	for (const [index, part] of parts.entries()) {
		if (index > 0) {
			yield;
		}
		render(part, index);
	}
}

function openBlock(token: MarkdownToken, parent: HTMLElement): HTMLElement {
	if (token.hidden) {
		return parent;
	}
	if (token.type === "table_open") {
		const { block, table } = createTableFrame();
		parent.append(block);
		return table;
	}
	const summary =
		token.type === "summary_open" ? parent.querySelector<HTMLElement>("summary") : null;
	if (summary) {
		return summary;
	}
	const element = createBlock(token);
	parent.append(element);
	return element;
}

function createBlock(token: MarkdownToken): HTMLElement {
	switch (token.type) {
		case "heading_open":
			return createElement(headings[token.tag] ?? "p");
		case "th_open":
		case "td_open":
			return createCell(token.type === "th_open" ? "th" : "td", alignmentOf(token));
		case "details_open": {
			const { details } = createDetails();
			details.open = token.attrGet("open") !== null;
			return details;
		}
		case "footnote_open":
			return createFootnote(String(token.attrGet("label") ?? ""));
		case "extra_open":
			return createExtraCell();
		case "ordered_list_open": {
			const list = createElement("ol");
			const start = token.attrGet("start");
			if (start !== null) {
				list.setAttribute("start", String(Number(start)));
			}
			return list;
		}
		default:
			return createElement(plainBlocks[token.type] ?? "div");
	}
}

function alignmentOf(token: MarkdownToken): ColumnAlignment {
	const style = String(token.attrGet("style") ?? "");
	const alignments = ["left", "center", "right"] as const;
	return alignments.find(alignment => style === `text-align:${alignment}`);
}

/** Removes escapes and entities from an info string (CommonMark 0.31.2 §4.5), which the parser doesn't. */
function plainInfo(info: string): string {
	return info.replaceAll(
		/\\([!-/:-@[-`{-~])|&#?\w{1,32};/g,
		(match, escaped: string | undefined) => escaped ?? decodeHTMLStrict(match),
	);
}

function createLeafBlock(token: MarkdownToken): HTMLElement {
	if (token.type === "hr") {
		return createElement("hr");
	}
	if (token.type === "fence" || token.type === "code_block") {
		const block = new GrowingCodeBlock(plainInfo(token.info));
		block.append(token.content);
		foldLongCode(block.element, token.content);
		return block.element;
	}
	if (token.type === "math_block") {
		return createFormula(token.content, true, true);
	}
	const text = createElement("p");
	text.append(token.content);
	return text;
}
