import * as l10n from "@vscode/l10n";
import { type Hunk, ToolFailure } from "../tool/index.ts";
import { lineChanges, linesOf } from "./lineChanges.ts";

/** Where a user's cursor or selection is in the text, in UTF-16 code units. */
export interface Selection {
	readonly start: number;
	readonly end: number;
}

/** Lines of the text, counted from 0, the last one exclusive. */
interface LineRegion {
	readonly first: number;
	readonly end: number;
}

/** Share of the text's lines that a block must repeat to stand for the whole text. */
const wholeShare = 0.5;

/** A line that stands for code left out, such as `// ...` or `# … existing code`. */
const elision = /^\s*(?:\/\/|#|--|\/\*|<!--|\{\/\*)?\s*(?:\.\.\.|…)(?!\w)/;

const comment = /^\s*(?:\/\/|\/\*|\*|#(?!\w)|@)/;

const declaration =
	/^\s*(?:(?:export|default|public|private|protected|static|abstract|final|async|pub|unsafe|override)\s+)*(function\*?|class|interface|type|enum|const|let|var|def|fn|func|struct|trait|impl|module|namespace)\s+([\p{L}_$][\p{L}\p{N}_$]*)/u;

/**
 * Places a block of code in a text: as the whole text where it repeats most of it, in place of the part with the same first
 * line and end or the same declaration, else in place of the selection, below the cursor, or at the end. By fixed rules
 * and never by likeness of words; the user sees the result as a diff. Throws `ToolFailure` when nothing would change or
 * a block that leaves parts out cannot be placed.
 */
export function placeCode(text: string, code: string, selection: Selection | undefined): Hunk[] {
	const codeLines = trimBlank(code.split(/\r\n|\n/));
	if (codeLines.length === 0) {
		throw new ToolFailure(l10n.t("The block is empty. Nothing was changed."));
	}
	const hunks = codeLines.some(line => elision.test(line))
		? placeParts(text, codeLines)
		: placeWhole(text, codeLines, selection);
	if (hunks.length === 0) {
		throw new ToolFailure(l10n.t("The file already contains this code. Nothing was changed."));
	}
	return hunks;
}

function placeWhole(
	text: string,
	codeLines: readonly string[],
	selection: Selection | undefined,
): Hunk[] {
	const lines = bareLines(text);
	if (standsFor(codeLines, lines)) {
		return lineChanges(text, 0, lines.length, codeLines);
	}
	const region = regionOf(lines, codeLines);
	if (region) {
		return replaceRegion(text, lines, region, codeLines);
	}
	if (selection && selection.start < selection.end) {
		return [replaceSelection(text, codeLines, selection)];
	}
	const at = selection ? lineAfter(text, lines, selection.end) : lines.length;
	const indent = selection ? indentOf(lines[at - 1] ?? "") : "";
	return lineChanges(text, at, at, indented(codeLines, indent));
}

/** Places a block with parts left out piece by piece; every piece must have its place. */
function placeParts(text: string, codeLines: readonly string[]): Hunk[] {
	const lines = bareLines(text);
	const pieces: string[][] = [[]];
	for (const line of codeLines) {
		if (elision.test(line)) {
			pieces.push([]);
		} else {
			pieces.at(-1)?.push(line);
		}
	}
	const hunks = pieces
		.map(trimBlank)
		.filter(piece => piece.length > 0)
		.flatMap(piece => {
			const region = regionOf(lines, piece);
			if (!region) {
				throw new ToolFailure(
					l10n.t(
						"The block omits code, and its place in the file isn't clear. Nothing was changed.",
					),
				);
			}
			return replaceRegion(text, lines, region, piece);
		})
		.toSorted((a, b) => a.start - b.start);
	if (hunks.some((hunk, index) => hunk.start < (hunks[index - 1]?.end ?? 0))) {
		throw new ToolFailure(l10n.t("Parts of the block overlap. Nothing was changed."));
	}
	return hunks;
}

function replaceRegion(
	text: string,
	lines: readonly string[],
	{ first, end }: LineRegion,
	codeLines: readonly string[],
): Hunk[] {
	return lineChanges(text, first, end, indented(codeLines, indentOf(lines[first] ?? "")));
}

/** Whether a block repeats so much of a text that it stands for all of it. */
function standsFor(codeLines: readonly string[], lines: readonly string[]): boolean {
	const told = lines.map(line => line.trim()).filter(line => line !== "");
	const known = new Set(codeLines.map(line => line.trim()));
	const isLongEnough = codeLines.length >= lines.length * wholeShare;
	return isLongEnough && told.filter(line => known.has(line)).length >= told.length * wholeShare;
}

/** The part of the text that a block is another form of. */
function regionOf(lines: readonly string[], codeLines: readonly string[]): LineRegion | undefined {
	return regionByEnds(lines, codeLines) ?? regionByDeclaration(lines, codeLines);
}

/** By its first line, which must occur exactly once, and its last at the fitting depth. */
function regionByEnds(
	lines: readonly string[],
	codeLines: readonly string[],
): LineRegion | undefined {
	const [head, tail] = [codeLines[0] ?? "", codeLines.at(-1) ?? ""];
	const first = onlyIndex(lines, line => line.trim() === head.trim());
	if (first === undefined || codeLines.length < 2 || !/\w{2}/.test(head)) {
		return undefined;
	}
	const depth = widthOf(lines[first] ?? "") - widthOf(head) + widthOf(tail);
	const last = lines.findIndex(
		(line, index) => index > first && line.trim() === tail.trim() && widthOf(line) === depth,
	);
	return last === -1 ? undefined : { first, end: last + 1 };
}

/** By the name it declares, with the comments above it where the block has some. */
function regionByDeclaration(
	lines: readonly string[],
	codeLines: readonly string[],
): LineRegion | undefined {
	const at = codeLines.findIndex(line => !comment.test(line) && line.trim() !== "");
	const [, kind, name] = declaration.exec(codeLines[at] ?? "") ?? [];
	const start = onlyIndex(lines, line => {
		const [, otherKind, otherName] = declaration.exec(line) ?? [];
		return name !== undefined && otherKind === kind && otherName === name;
	});
	if (start === undefined) {
		return undefined;
	}
	let first = start;
	while (at > 0 && first > 0 && comment.test(lines[first - 1] ?? "")) {
		first -= 1;
	}
	return { first, end: endOfBlock(lines, start) };
}

/** Where a declaration ends: by its indentation and the bracket that closes it. */
function endOfBlock(lines: readonly string[], start: number): number {
	const depth = widthOf(lines[start] ?? "");
	if (!/[{([:,=]\s*$/.test(lines[start] ?? "")) {
		return start + 1;
	}
	const next = lines.findIndex(
		(line, index) => index > start && line.trim() !== "" && widthOf(line) <= depth,
	);
	const end = next === -1 ? lines.length : next;
	if (/^\s*(?:[}\])]|end\b)/.test(lines[end] ?? "")) {
		return /[{([]\s*$/.test(lines[end] ?? "") ? endOfBlock(lines, end) : end + 1;
	}
	return lines.findLastIndex((line, index) => index < end && line.trim() !== "") + 1;
}

function replaceSelection(
	text: string,
	codeLines: readonly string[],
	{ start, end }: Selection,
): Hunk {
	const lineEnd = text.includes("\r\n") ? "\r\n" : "\n";
	const oldText = text.slice(start, end);
	const newText = `${codeLines.join(lineEnd)}${oldText.endsWith("\n") ? lineEnd : ""}`;
	return { start, end, oldText, newText, startLine: linesOf(text.slice(0, start)).length || 1 };
}

/** The line below an offset; the line itself where it is blank. */
function lineAfter(text: string, lines: readonly string[], offset: number): number {
	const line = text.slice(0, offset).split("\n").length - 1;
	return Math.min((lines[line] ?? "").trim() === "" ? line : line + 1, lines.length);
}

function indented(codeLines: readonly string[], indent: string): string[] {
	const own = codeLines.filter(line => line.trim() !== "").map(indentOf);
	const least = own.reduce((a, b) => (b.length < a.length ? b : a), own[0] ?? "");
	return codeLines.map(line =>
		line.trim() === ""
			? ""
			: `${indent}${line.startsWith(least) ? line.slice(least.length) : line}`,
	);
}

function bareLines(text: string): string[] {
	return linesOf(text).map(line => line.replace(/\r?\n$/, ""));
}

function trimBlank(lines: readonly string[]): string[] {
	const first = lines.findIndex(line => line.trim() !== "");
	return first === -1
		? []
		: lines.slice(first, lines.findLastIndex(line => line.trim() !== "") + 1);
}

function onlyIndex(
	lines: readonly string[],
	isWanted: (line: string) => boolean,
): number | undefined {
	const first = lines.findIndex(isWanted);
	return first !== -1 && lines.findLastIndex(isWanted) === first ? first : undefined;
}

function indentOf(line: string): string {
	return /^[ \t]*/.exec(line)?.[0] ?? "";
}

/** How deep a line is; a tab counts as four columns. */
function widthOf(line: string): number {
	return indentOf(line).replaceAll("\t", "    ").length;
}
