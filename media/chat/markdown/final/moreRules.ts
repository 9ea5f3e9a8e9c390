import type { MarkdownIt, StateBlock, StateInline } from "markdown-it";
import {
	detailsStart,
	dunderLength,
	footnoteAt,
	footnoteIndent,
	isDetailsEnd,
	summaryAt,
	tagAt,
} from "../elements/moreMarkdown.ts";
import { type Fence, FencedLines, parseFence } from "../elements/lineShape.ts";
import { flanking } from "../elements/flanking.ts";

export type ParsingEnvironment = {
	/** Definitions of links, and of footnotes under separate keys. */
	references?: Record<string, { readonly title: string; readonly href: string }>;
	/** Whether more text follows, so that an unclosed block may still be closed. */
	readonly isPartial?: boolean;
	/** The number of Markdown blocks whose inner fences aren't paired. */
	unpaired?: number;
};

/** Adds the extensions beyond GFM to the parser, including fences within Markdown code. */
export function addMoreRules(parser: MarkdownIt): void {
	const ends = { alt: ["paragraph", "reference", "blockquote", "list"] };
	parser.block.ruler.at("fence", readFence, ends);
	parser.block.ruler.before("blockquote", "details", readDetails, ends);
	parser.block.ruler.before("reference", "footnote", readFootnote, {
		alt: ["paragraph", "reference"],
	});
	parser.inline.ruler.before("emphasis", "dunder", readDunder);
	parser.inline.ruler.before("link", "footnote_mark", readFootnoteMark);
	parser.inline.ruler.before("autolink", "tag", readTag);
	const State = parser.inline.State;
	parser.inline.State = class extends State {
		override scanDelims(
			start: number,
			_canSplitWord: boolean,
		): ReturnType<StateInline["scanDelims"]> {
			return delimitersAt(this, start);
		}
	};
}

function delimitersAt(
	{ src, posMax }: StateInline,
	start: number,
): ReturnType<StateInline["scanDelims"]> {
	const marker = src.charAt(start);
	let end = start;
	while (end < posMax && src[end] === marker) {
		end++;
	}
	const before = /[^\uD800-\uDBFF][\uDC00-\uDFFF]$/.test(src.slice(Math.max(0, start - 2), start))
		? " "
		: Array.from(src.slice(Math.max(0, start - 2), start)).at(-1);
	const next = end < posMax ? String.fromCodePoint(src.codePointAt(end) ?? 32) : " ";
	const { canOpen, canClose } = flanking(marker, before ?? " ", next);
	return { can_open: canOpen, can_close: canClose, length: end - start };
}

/** Returns a line without the indentation of its container. */
function lineOf(
	{ src, bMarks, tShift, eMarks, sCount, blkIndent }: StateBlock,
	line: number,
): string {
	const indent = Math.max(0, (sCount[line] ?? 0) - blkIndent);
	const text = src.slice((bMarks[line] ?? 0) + (tShift[line] ?? 0), eMarks[line]);
	return text === "" ? "" : " ".repeat(Math.min(indent, 4)) + text;
}

/** Whether a nonblank line is outside the current container. */
function isOutside(state: StateBlock, line: number): boolean {
	return !state.isEmpty(line) && (state.sCount[line] ?? 0) < state.blkIndent;
}

/** The most unpaired Markdown blocks. Further blocks are parsed as plain CommonMark, because each search scans to the end. */
const maxUnpaired = 10;

/** Parses fenced code (CommonMark 0.31.2 §4.5). Markdown code may contain fences. */
function readFence(
	state: StateBlock,
	startLine: number,
	endLine: number,
	isSilent: boolean,
): boolean {
	const fence = parseFence(lineOf(state, startLine));
	if (!fence || isSilent) {
		return fence !== undefined;
	}
	const end = fenceEnd(state, fence, startLine + 1, endLine);
	const token = state.push("fence", "code", 0);
	token.info = fence.info;
	token.content = state.getLines(startLine + 1, end.line, state.sCount[startLine] ?? 0, true);
	token.map = [startLine, end.line];
	state.line = end.line + (end.isClosed ? 1 : 0);
	return true;
}

interface BlockEnd {
	readonly line: number;
	readonly isClosed: boolean;
}

function fenceEnd(state: StateBlock, fence: Fence, from: number, endLine: number): BlockEnd {
	const env: ParsingEnvironment = state.env;
	const mayNest = (env.unpaired ?? 0) < maxUnpaired;
	const end = codeEnd(state, new FencedLines(fence, mayNest ? undefined : false), from, endLine);
	if (end.isClosed || env.isPartial || !mayNest) {
		return end;
	}
	const plain = codeEnd(state, new FencedLines(fence, false), from, endLine);
	env.unpaired = (env.unpaired ?? 0) + (plain.isClosed ? 1 : 0);
	return plain;
}

function codeEnd(state: StateBlock, lines: FencedLines, from: number, endLine: number): BlockEnd {
	for (let line = from; line < endLine; line++) {
		if (isOutside(state, line)) {
			return { line, isClosed: false };
		}
		const following = line + 1 < endLine ? lineOf(state, line + 1) : "";
		if (lines.endsAt(lineOf(state, line), following)) {
			return { line, isClosed: true };
		}
	}
	return { line: endLine, isClosed: false };
}

/** Parses details up to the closing line or the end of their container. Their content is Markdown. */
function readDetails(
	state: StateBlock,
	startLine: number,
	endLine: number,
	isSilent: boolean,
): boolean {
	const behind = detailsStart(lineOf(state, startLine));
	if (behind === undefined || isSilent) {
		// The closing line of details also ends the paragraph or list before it.
		return behind !== undefined || isDetailsEnd(lineOf(state, startLine));
	}
	const sameLine = /^(.*)<\/details>[ \t]*$/i.exec(behind)?.[1];
	const end = sameLine === undefined ? detailsEnd(state, startLine + 1, endLine) : undefined;
	const summary = summaryIn(state, sameLine ?? behind, startLine, end?.line ?? startLine + 1);
	const open = state.push("details_open", "details", 1);
	if (end && !end.isClosed) {
		// Keeps details without a closing tag open, so that nothing is hidden.
		open.attrs = [["open", ""]];
	}
	state.push("summary_open", "summary", 1);
	pushInline(state, summary.words);
	state.push("summary_close", "summary", -1);
	if (summary.rest.trim() !== "") {
		state.push("paragraph_open", "p", 1);
		pushInline(state, summary.rest.trim());
		state.push("paragraph_close", "p", -1);
	}
	if (end) {
		tokenizeLines(state, summary.nextLine, end.line);
	}
	state.push("details_close", "details", -1);
	state.line = end ? end.line + (end.isClosed ? 1 : 0) : startLine + 1;
	open.map = [startLine, state.line];
	return true;
}

function pushInline(state: StateBlock, content: string): void {
	const token = state.push("inline", "", 0);
	token.content = content;
	token.children = [];
}

/** Returns the summary, on the line of the opening tag or the next nonblank line. */
function summaryIn(
	state: StateBlock,
	behind: string,
	startLine: number,
	endLine: number,
): { readonly words: string; readonly rest: string; readonly nextLine: number } {
	let line = startLine;
	let text = behind;
	while (text.trim() === "" && line + 1 < endLine) {
		line++;
		text = lineOf(state, line);
	}
	const found = summaryAt(text);
	if (found) {
		return { ...found, nextLine: line + 1 };
	}
	return { words: "", rest: behind, nextLine: startLine + 1 };
}

/** Finds the closing line of details. Skips nested details and code. */
function detailsEnd(state: StateBlock, from: number, endLine: number): BlockEnd {
	let depth = 1;
	let code: FencedLines | undefined;
	for (let line = from; line < endLine; line++) {
		if (isOutside(state, line)) {
			return { line, isClosed: false };
		}
		const text = lineOf(state, line);
		if (code) {
			code = code.endsAt(text) ? undefined : code;
			continue;
		}
		const fence = parseFence(text.trimStart());
		code = fence && new FencedLines(fence);
		const behind = detailsStart(text);
		depth += behind !== undefined && !/<\/details>[ \t]*$/i.test(behind) ? 1 : 0;
		depth -= isDetailsEnd(text) ? 1 : 0;
		if (depth === 0) {
			return { line, isClosed: true };
		}
	}
	return { line: endLine, isClosed: false };
}

function tokenizeLines(state: StateBlock, from: number, to: number): void {
	const { lineMax, parentType } = state;
	state.lineMax = to;
	state.parentType = "root";
	state.md.block.tokenize(state, from, to);
	state.lineMax = lineMax;
	state.parentType = parentType;
}

/** Key of a footnote among the link definitions. Link labels can't contain the bracket. */
const footnoteKey = (label: string): string => `]${label.toUpperCase()}`;

/** Parses a footnote: its first line, and the indented lines below. */
function readFootnote(
	state: StateBlock,
	startLine: number,
	endLine: number,
	isSilent: boolean,
): boolean {
	const found = footnoteAt(lineOf(state, startLine));
	if (!found || isSilent) {
		return found !== undefined;
	}
	const env: ParsingEnvironment = state.env;
	env.references ??= {};
	env.references[footnoteKey(found.label)] ??= { title: "", href: "" };
	const open = state.push("footnote_open", "div", 1);
	open.attrs = [["label", found.label]];
	const { bMarks, tShift, sCount, blkIndent, parentType } = state;
	const before = [bMarks[startLine], tShift[startLine], sCount[startLine]] as const;
	const indent = Math.max(0, (before[2] ?? 0) - blkIndent);
	bMarks[startLine] = (before[0] ?? 0) + (before[1] ?? 0) + found.length - indent;
	tShift[startLine] = 0;
	state.blkIndent += footnoteIndent;
	sCount[startLine] = state.blkIndent;
	state.parentType = "root";
	state.md.block.tokenize(state, startLine, endLine);
	state.blkIndent = blkIndent;
	state.parentType = parentType;
	[bMarks[startLine], tShift[startLine], sCount[startLine]] = [
		before[0] ?? 0,
		before[1] ?? 0,
		before[2] ?? 0,
	];
	state.line = Math.max(state.line, startLine + 1);
	open.map = [startLine, state.line];
	state.push("footnote_close", "div", -1);
	return true;
}

/** Parses a reference to an existing footnote. */
function readFootnoteMark(state: StateInline, isSilent: boolean): boolean {
	const { src, pos, posMax } = state;
	const label = src.startsWith("[^", pos)
		? /^\[\^([^\]\s[]{1,64})\]/.exec(src.slice(pos, Math.min(posMax, pos + 68)))?.[1]
		: undefined;
	const env: ParsingEnvironment = state.env;
	if (label === undefined || !Object.hasOwn(env.references ?? {}, footnoteKey(label))) {
		return false;
	}
	if (!isSilent) {
		state.push("footnote_mark", "sup", 0).content = label;
	}
	state.pos = pos + label.length + 3;
	return true;
}

/** Parses a Python name with leading and trailing underscores. */
function readDunder(state: StateInline, isSilent: boolean): boolean {
	const { src, pos, posMax } = state;
	const isInWord = pos > 0 && /\w/.test(src[pos - 1] ?? "");
	const length = isInWord ? 0 : dunderLength(src.slice(pos, Math.min(posMax, pos + 70)));
	if (length > 0 && !isSilent) {
		state.pending += src.slice(pos, pos + length);
	}
	state.pos = pos + length;
	return length > 0;
}

/** Parses a line break, or a supported tag with its closing tag. */
function readTag(state: StateInline, isSilent: boolean): boolean {
	const { src, pos, posMax } = state;
	const tag = src[pos] === "<" ? tagAt(src.slice(pos, Math.min(posMax, pos + 16))) : undefined;
	if (!tag || tag.kind === "close") {
		return false;
	}
	if (tag.kind === "break") {
		if (!isSilent) {
			state.push("hardbreak", "br", 0);
		}
		state.pos = pos + tag.length;
		return true;
	}
	const from = pos + tag.length;
	const end = closingTag(state, `</${tag.name}>`, from);
	if (end === -1) {
		return false;
	}
	if (!isSilent) {
		state.pos = from;
		state.posMax = end;
		state.push("tag_open", tag.name, 1);
		state.md.inline.tokenize(state);
		state.push("tag_close", tag.name, -1);
		state.posMax = posMax;
	}
	state.pos = end + tag.name.length + 3;
	return true;
}

/** Returns the position of the closing tag before `from`, or -1. Restores the state. */
function closingTag(state: StateInline, closer: string, from: number): number {
	const { pos, posMax } = state;
	state.pos = from;
	let end = -1;
	while (end === -1 && state.pos < posMax) {
		if (state.src.slice(state.pos, state.pos + closer.length).toLowerCase() === closer) {
			end = state.pos;
		} else {
			state.md.inline.skipToken(state);
		}
	}
	state.pos = pos;
	return end;
}
