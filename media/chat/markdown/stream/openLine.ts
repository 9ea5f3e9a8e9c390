import {
	type BlockState,
	closeContainers,
	closeLeaf,
	type Container,
	innermostElement,
} from "./blockState.ts";
import { maxColumns, maxOpenContainers } from "../elements/bounds.ts";
import { GrowingCodeBlock } from "../elements/codeBlock.ts";
import { createElement } from "../elements/elements.ts";
import { createTableFrame } from "../elements/tableFrame.ts";
import { listWithRoom } from "../elements/lists.ts";
import { startTaskItem } from "../elements/taskItem.ts";
import { cellsOf, parseDelimiterRow } from "../elements/tableText.ts";
import {
	createDetails,
	createFootnote,
	detailsStart,
	footnoteAt,
	footnoteIndent,
	isDetailsEnd,
	startAlert,
	summaryAt,
} from "../elements/moreMarkdown.ts";
import {
	FencedLines,
	indentOf,
	interruptsParagraph,
	isBlank,
	isThematicBreak,
	type ListMarker,
	parseFence,
	parseListMarker,
} from "../elements/lineShape.ts";
import { InlineWriter } from "./inlineWriter.ts";
import { TableWriter } from "./tableRows.ts";

/**
 * Starts a line: matches open containers, closes the others, opens new ones, and writes the text. `line` may be incomplete once its kind is
 * determined.
 */
export function openLine(state: BlockState, line: string): void {
	const { matched, rest } = matchContainers(state.containers, line);
	const isInside = matched === state.containers.length;
	if (isBlank(rest)) {
		openBlankLine(state, matched, rest);
		return;
	}
	if (endDetails(state, matched, rest)) {
		return;
	}
	if (isInside ? continueLeaf(state, rest) : continueLazily(state, rest)) {
		return;
	}
	const sibling = state.containers[matched];
	closeContainers(state, matched);
	openBlocks(state, rest, sibling);
}

/** Closes the innermost details if a line ends them, except in code. */
function endDetails(state: BlockState, matched: number, rest: string): boolean {
	const index = state.containers.findLastIndex(({ kind }) => kind === "details");
	const isCode = state.leaf?.kind === "fence" && matched === state.containers.length;
	if (index === -1 || matched <= index || isCode || !isDetailsEnd(rest)) {
		return false;
	}
	closeContainers(state, index);
	return true;
}

/** Returns the number of containers that a line continues, and the rest of the line. */
function matchContainers(
	containers: readonly Container[],
	line: string,
): { readonly matched: number; readonly rest: string } {
	let rest = line;
	let matched = 0;
	for (const container of containers) {
		if (container.kind === "details") {
			matched++;
			continue;
		}
		if (container.kind === "quote") {
			const marker = /^ {0,3}> ?/.exec(rest)?.[0];
			if (marker === undefined) {
				break;
			}
			rest = rest.slice(marker.length);
		} else if (!isBlank(rest)) {
			if (indentOf(rest) < container.marker.width) {
				break;
			}
			rest = rest.slice(container.marker.width);
		}
		matched++;
	}
	return { matched, rest };
}

function openBlankLine(state: BlockState, matched: number, rest: string): void {
	const { leaf } = state;
	const isInside = matched === state.containers.length;
	if (isInside && leaf?.kind === "fence") {
		leaf.lines.endsAt("");
		leaf.block.append(rest.slice(leaf.fence.indent));
		state.isCodeLine = true;
	} else if (isInside && leaf?.kind === "indented") {
		leaf.block.append(rest.slice(4));
		state.isCodeLine = true;
	} else {
		closeContainers(state, matched);
	}
}

/** Adds a line to the open leaf if it belongs there. Otherwise the leaf must be closed. */
function continueLeaf(state: BlockState, rest: string): boolean {
	const { leaf } = state;
	switch (leaf?.kind) {
		case "fence":
			if (leaf.lines.endsAt(rest)) {
				closeLeaf(state);
				return true;
			}
			leaf.block.append(rest.slice(Math.min(leaf.fence.indent, indentOf(rest))));
			state.isCodeLine = true;
			return true;
		case "indented":
			if (indentOf(rest) < 4) {
				return false;
			}
			leaf.block.append(rest.slice(4));
			state.isCodeLine = true;
			return true;
		case "table":
			return !interruptsParagraph(rest) && leaf.table.addRow(rest);
		case "paragraph":
			return (
				becomeHeading(state, rest) || becomeTable(state, rest) || continueParagraph(state, rest)
			);
		default:
			return false;
	}
}

/** Lazy continuation: a paragraph continues on a line without its containers' markers, if the line starts no other block. */
function continueLazily(state: BlockState, rest: string): boolean {
	return parseListMarker(rest) === undefined && continueParagraph(state, rest);
}

function continueParagraph(state: BlockState, rest: string): boolean {
	const { leaf } = state;
	if (leaf?.kind !== "paragraph" || interruptsParagraph(rest)) {
		return false;
	}
	leaf.inline.breakLine();
	leaf.inline.write(rest.trimStart());
	leaf.line = undefined;
	return true;
}

/** Turns a paragraph into a heading at an underline of `=` or `-`. */
function becomeHeading(state: BlockState, rest: string): boolean {
	const { leaf } = state;
	const underline = /^ {0,3}(=+|-+)[ \t]*$/.exec(rest)?.[1];
	if (leaf?.kind !== "paragraph" || underline === undefined || leaf.element.localName !== "p") {
		return false;
	}
	closeLeaf(state);
	const heading = createElement(underline.startsWith("=") ? "h1" : "h2");
	heading.append(...leaf.element.childNodes);
	leaf.element.replaceWith(heading);
	return true;
}

/** Turns a single line into a table header at a delimiter row. */
function becomeTable(state: BlockState, rest: string): boolean {
	const { leaf } = state;
	if (leaf?.kind !== "paragraph" || leaf.line === undefined || leaf.element.localName !== "p") {
		return false;
	}
	const alignments = parseDelimiterRow(rest);
	const header = alignments ? cellsOf(leaf.line, alignments.length) : [];
	if (alignments?.length !== header.length || header.length > maxColumns) {
		return false;
	}
	const { block, table } = createTableFrame();
	leaf.element.replaceWith(block);
	state.leaf = { kind: "table", table: new TableWriter(table, header, alignments) };
	return true;
}

/** Opens the containers at the start of a line, then its leaf. */
function openBlocks(state: BlockState, line: string, closed: Container | undefined): void {
	let rest = line;
	let sibling = closed;
	while (state.containers.length < maxOpenContainers) {
		const quote = /^ {0,3}> ?/.exec(rest)?.[0];
		const marker = isThematicBreak(rest) ? undefined : parseListMarker(rest);
		if (quote !== undefined) {
			rest = rest.slice(quote.length);
			openQuote(state);
		} else if (marker) {
			rest = rest.slice(marker.width);
			openItem(state, marker, sibling);
		} else {
			const behind = openDetails(state, rest) ?? openSummary(state, rest) ?? openNote(state, rest);
			if (behind === undefined) {
				break;
			}
			rest = behind;
		}
		sibling = undefined;
	}
	const isOneLine = detailsStart(line) !== undefined && state.containers.at(-1)?.kind === "details";
	const body = isOneLine ? /^(.*)<\/details>[ \t]*$/i.exec(rest)?.[1] : undefined;
	openLeaf(state, body ?? rest);
	if (body !== undefined) {
		closeContainers(state, state.containers.length - 1);
	}
}

/** Opens details. Returns the text after their tag. */
function openDetails(state: BlockState, rest: string): string | undefined {
	const behind = detailsStart(rest);
	if (behind !== undefined) {
		const { details, summary } = createDetails();
		innermostElement(state).append(details);
		state.containers.push({ kind: "details", element: details, summary });
	}
	return behind;
}

/** Writes the summary of details that have none. Returns the text after it. */
function openSummary(state: BlockState, rest: string): string | undefined {
	const container = state.containers.at(-1);
	const found = container?.kind === "details" ? summaryAt(rest) : undefined;
	if (container?.kind !== "details" || !found || container.summary.hasChildNodes()) {
		return undefined;
	}
	const inline = new InlineWriter(container.summary);
	inline.write(found.words);
	inline.end();
	return found.rest;
}

/** Opens a footnote. Returns the text after its label. */
function openNote(state: BlockState, rest: string): string | undefined {
	const found = footnoteAt(rest);
	if (!found) {
		return undefined;
	}
	const list = innermostElement(state);
	const element = createFootnote(found.label);
	list.append(element);
	const marker = { kind: "[^", start: undefined, width: footnoteIndent, isEmpty: false };
	state.containers.push({ kind: "item", element, list, marker });
	return rest.slice(found.length);
}

function openQuote(state: BlockState): void {
	const element = createElement("blockquote");
	innermostElement(state).append(element);
	state.containers.push({ kind: "quote", element });
}

/** Opens an item: in the list of the item just closed if it is of the same kind, otherwise in a new list. */
function openItem(state: BlockState, marker: ListMarker, sibling: Container | undefined): void {
	const isSibling = sibling?.kind === "item" && sibling.marker.kind === marker.kind;
	const list = isSibling ? listWithRoom(sibling.list) : openList(state, marker);
	const element = createElement("li");
	list.append(element);
	state.containers.push({ kind: "item", element, list, marker });
}

function openList(state: BlockState, { start }: ListMarker): HTMLElement {
	const list = createElement(start === undefined ? "ul" : "ol");
	if (start !== undefined && start !== 1) {
		list.setAttribute("start", String(start));
	}
	innermostElement(state).append(list);
	return list;
}

const headings = ["h1", "h2", "h3", "h4", "h5", "h6"] as const;

function openLeaf(state: BlockState, rest: string): void {
	const parent = innermostElement(state);
	const fence = parseFence(rest);
	const heading = /^ {0,3}(#{1,6})(?:[ \t]+|$)/.exec(rest);
	if (isBlank(rest)) {
		return;
	}
	if (isThematicBreak(rest)) {
		parent.append(createElement("hr"));
	} else if (fence) {
		const block = new GrowingCodeBlock(fence.info);
		parent.append(block.element);
		state.leaf = { kind: "fence", fence, lines: new FencedLines(fence), block };
	} else if (heading) {
		const element = createElement(headings[(heading[1]?.length ?? 1) - 1] ?? "h6");
		parent.append(element);
		state.leaf = { kind: "heading", inline: new InlineWriter(element) };
		state.leaf.inline.write(rest.slice(heading[0].length));
	} else if (indentOf(rest) >= 4) {
		const block = new GrowingCodeBlock("");
		parent.append(block.element);
		block.append(rest.slice(4));
		state.leaf = { kind: "indented", block };
		state.isCodeLine = true;
	} else {
		openParagraph(state, parent, rest.trimStart());
	}
}

/** Opens a paragraph. The first text of a list item goes into the item itself, as in a tight list. */
function openParagraph(state: BlockState, parent: HTMLElement, text: string): void {
	const isTight = parent.localName === "li" && !parent.hasChildNodes();
	const element = isTight ? parent : createElement("p");
	if (!isTight) {
		parent.append(element);
	}
	if (startAlert(element, text) === "") {
		element.remove();
		return;
	}
	const task = startTaskItem(element, text);
	const inline = new InlineWriter(task.target);
	state.leaf = { kind: "paragraph", element, inline, line: text };
	inline.write(task.text);
}
