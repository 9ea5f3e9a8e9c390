import { plainLooks } from "../common/clipLooks.ts";
import { longestCommon } from "../common/longestCommon.ts";
import { expandTabs } from "./columns.ts";

/** A line of a change. A gap replaces omitted lines, with the next location as its text if known. */
export interface ChangeLine {
	readonly kind: "same" | "removed" | "added" | "gap";
	readonly text: string;
	/** Its line numbers in the old and the new file, if the diff tells them. A removed line has only the old one, an added line only the new one. */
	readonly numbers?: { readonly before?: number; readonly after?: number };
}

interface Change {
	readonly lines: readonly ChangeLine[];
	/** Names of the changed files if known, without folders. */
	readonly files: readonly string[];
}

const hunkHead = /^@@+ .*? @@+(?!@)\s?(?<place>[^]*)$/;
const hunkStart = /^@@ -(?<before>\d{1,7})(?:,\d+)? \+(?<after>\d{1,7})(?:,\d+)? @@/;
const fileHead =
	/^(?:diff --|index [\da-f]+\.\.|(?:old|new) mode |new file mode|deleted file mode|(?:dis)?similarity index|(?:rename|copy) (?:from|to) |Binary files |\\ No newline)/;

/** Without a hunk header below, a removed comment may look like a file header. Only names with a path or an extension count. */
const namesFile = /^\+\+\+ "?(?:\/dev\/null|\S*[\w)\]]\.\w+|[ab]\/\S+)"?(?:\t.*)?\s*$/;

/** Whether a text consists mainly of hunks of a unified diff. */
export function looksLikeDiff(text: string): boolean {
	const lines = text.trim().split("\n");
	const isPart = (line: string): boolean => /^(?:[ +\-\\]|$)/.test(line) || fileHead.test(line);
	const heads = lines.filter(line => /^@@+ -\d/.test(line)).length;
	const parts = lines.filter(isPart).length;
	return heads > 0 && parts + heads >= lines.length * 0.9;
}

/** Reads a unified diff, or lines that start with `+`, `-` or a space. Returns undefined if nothing changes. */
export function readDiff(diff: string, tabSize = plainLooks.tabSize): Change | undefined {
	const lines: ChangeLine[] = [];
	const files: string[] = [];
	const rows = diff.split("\n");
	let isInHead = false;
	let next: { before: number; after: number } | undefined;
	for (const [index, row] of rows.entries()) {
		const isFileName =
			row.startsWith("--- ") &&
			rows[index + 1]?.startsWith("+++ ") === true &&
			(rows[index + 2]?.startsWith("@@") === true || namesFile.test(rows[index + 1] ?? ""));
		isInHead = isFileName || fileHead.test(row) || (isInHead && row.startsWith("+++ "));
		const hunk = hunkHead.exec(row);
		if (isInHead) {
			const name = isFileName ? changedFile(row, rows[index + 1] ?? "") : undefined;
			files.push(...(name !== undefined && !files.includes(name) ? [name] : []));
		} else if (hunk) {
			const text = hunk.groups?.["place"] ?? "";
			const { before, after } = hunkStart.exec(row)?.groups ?? {};
			next = before && after ? { before: Number(before), after: Number(after) } : undefined;
			lines.push(...(lines.length > 0 ? [{ kind: "gap" as const, text: text.trim() }] : []));
		} else {
			const line = lineOf(row, tabSize);
			lines.push(next ? { ...line, numbers: numbersOf(line, next) } : line);
		}
	}
	return lines.some(({ kind }) => kind === "removed" || kind === "added")
		? { lines: trimmed(lines), files }
		: undefined;
}

function changedFile(removed: string, added: string): string | undefined {
	const path = added.startsWith("+++ /dev/null") ? removed : added;
	const [shown = ""] = path.slice(4).split("\t", 1);
	const name = shown.trimEnd().replaceAll('"', "");
	return name === "/dev/null" ? undefined : name.slice(name.lastIndexOf("/") + 1);
}

/** Returns a line's numbers, and counts it in `next`. */
function numbersOf(
	{ kind }: ChangeLine,
	next: { before: number; after: number },
): ChangeLine["numbers"] {
	return {
		...(kind !== "added" && { before: next.before++ }),
		...(kind !== "removed" && { after: next.after++ }),
	};
}

function lineOf(row: string, tabSize: number): ChangeLine {
	const { kind, text } = signedLine(row);
	return { kind, text: expandTabs(text, tabSize) };
}

function signedLine(row: string): ChangeLine {
	if (row.startsWith("-")) {
		return { kind: "removed", text: row.slice(1) };
	}
	if (row.startsWith("+")) {
		return { kind: "added", text: row.slice(1) };
	}
	return { kind: "same", text: row.startsWith(" ") ? row.slice(1) : row };
}

/** Compares two versions. Common lines, in order, are unchanged. Returns undefined if the versions are equal. */
export function compareCode(
	before: string,
	after: string,
	tabSize = plainLooks.tabSize,
): Change | undefined {
	const [left, right] = [before, after].map(text =>
		text.split("\n").map(line => expandTabs(line, tabSize)),
	);
	if (!left || !right || before === after) {
		return undefined;
	}
	const lines: ChangeLine[] = [];
	let removed = 0;
	let added = 0;
	const lengthOf = (row: number, column: number): number =>
		left[row] === right[column] ? (left[row] ?? "").trim().length * 2 + 1 : 0;
	const end = [left.length, right.length] as const;
	for (const [row, column] of [...longestCommon(...end, lengthOf), end]) {
		lines.push(...left.slice(removed, row).map(text => ({ kind: "removed" as const, text })));
		lines.push(...right.slice(added, column).map(text => ({ kind: "added" as const, text })));
		lines.push(...left.slice(row, row + 1).map(text => ({ kind: "same" as const, text })));
		removed = row + 1;
		added = column + 1;
	}
	return { lines: trimmed(lines), files: [] };
}

/** Removes empty lines at both ends and the common indentation. */
function trimmed(lines: readonly ChangeLine[]): readonly ChangeLine[] {
	const isFull = ({ kind, text }: ChangeLine): boolean => kind !== "gap" && text.trim() !== "";
	const shared = Math.min(
		...lines.filter(isFull).map(({ text }) => text.length - text.trimStart().length),
	);
	const matters = (line: ChangeLine): boolean => isFull(line) || line.kind !== "same";
	return lines
		.slice(lines.findIndex(matters), lines.findLastIndex(matters) + 1)
		.map(line => (line.kind === "gap" ? line : { ...line, text: line.text.slice(shared) }));
}

/** Number of context lines kept around a change that doesn't fit. */
const contextLines = 2;

export function withoutFarLines<Line extends ChangeLine>(lines: readonly Line[]): readonly Line[] {
	const isChange = (line: ChangeLine | undefined): boolean =>
		line?.kind === "removed" || line?.kind === "added";
	const isNear = lines.map((_, index) =>
		lines.slice(Math.max(0, index - contextLines), index + contextLines + 1).some(isChange),
	);
	return lines.flatMap((line, index) => {
		if (isNear[index] === true) {
			return [line];
		}
		// The last of several omitted lines becomes the gap.
		const isLast = isNear[index + 1] === true && index > 0;
		const text = line.kind === "gap" ? line.text : "";
		return isLast ? [{ ...line, kind: "gap" as const, text, numbers: undefined }] : [];
	});
}
