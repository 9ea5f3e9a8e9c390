import * as l10n from "@vscode/l10n";
import { ToolFailure } from "../../common/errors.ts";
import { countHidden } from "../../common/hiddenText.ts";
import type { PathTarget } from "../../paths/resolveTarget.ts";
import { shorten } from "../../common/shortText.ts";

/** A replacement requested by a model; `find` is the exact current text. */
interface RequestedEdit {
	readonly find: string;
	readonly replace: string;
	/** The line, counted from 1, in which `find` must start. */
	readonly startLine?: number | undefined;
}

/** A replacement with its position in the original text, in UTF-16 code units. */
export interface Hunk {
	readonly start: number;
	readonly end: number;
	readonly oldText: string;
	readonly newText: string;
	/** The first line it changes, counted from 1. */
	readonly startLine: number;
}

export interface FilePreview {
	readonly target: PathTarget;
	readonly change: "edit" | "create" | "delete" | "rename";
	/** Current text; empty for a new file. */
	readonly before: string;
	/** Text with all hunks applied; empty for a deleted file. */
	readonly after: string;
	readonly hunks: readonly Hunk[];
}

/** Preview of a change. Hunks are numbered across all files, from 0. */
export interface EditPreview {
	readonly files: readonly FilePreview[];
}

/**
 * Finds the positions of a file's edits. Each text must occur exactly once, or start in the named line. Line breaks are treated as equal, and the
 * file's are kept. Never matches approximately. Throws `ToolFailure`.
 */
export function placeEdits(text: string, edits: readonly RequestedEdit[], label: string): Hunk[] {
	const lines = unifyLineEnds(text);
	const hunks = edits
		.map((edit, index) => placeEdit(text, lines, edit, `Edit ${index + 1} of ${label}`))
		.sort((a, b) => a.start - b.start);
	if (hunks.some((hunk, index) => hunk.start < (hunks[index - 1]?.end ?? 0))) {
		throw new ToolFailure(`Two edits of ${label} overlap. Nothing was changed.`);
	}
	return hunks;
}

/** Replaces the texts of hunks, which are in the order of the text. */
export function applyHunks(text: string, hunks: readonly Hunk[]): string {
	let result = "";
	let position = 0;
	for (const hunk of hunks) {
		result += text.slice(position, hunk.start) + hunk.newText;
		position = hunk.end;
	}
	return result + text.slice(position);
}

/** Returns warnings about new text: URLs that an editor may load, hidden characters, and line breaks changed outside the hunks. docs/security.md. */
export function warningsOf({ files }: EditPreview): string[] {
	return files.flatMap(({ target, change, before, after }) => {
		const known = new Set(addressesIn(before));
		const added = [...new Set(addressesIn(after))].filter(address => !known.has(address));
		const hidden = countHidden(after) - countHidden(before);
		return [
			...(added.length > 0
				? [
						l10n.t(
							"{0}: adds the network address {1}",
							target.label,
							added
								.slice(0, 3)
								.map(address => shorten(address, 200))
								.join(", "),
						),
					]
				: []),
			...(hidden > 0 ? [l10n.t("{0}: adds {1} hidden characters", target.label, hidden)] : []),
			// The editor uses one kind per document, so an edit of one line changes others.
			...(change === "edit" && hasMixedLineEndings(before)
				? [l10n.t("{0}: has mixed line endings, which become the same everywhere", target.label)]
				: []),
		];
	});
}

function hasMixedLineEndings(text: string): boolean {
	return new Set(text.match(/\r\n|\r|\n/g)).size > 1;
}

interface UnifiedText {
	/** The text with CRLF replaced by LF. */
	readonly text: string;
	/** Offsets in `text` of the line feeds that were CRLF, ascending. */
	readonly wide: readonly number[];
	readonly lineEnd: "\n" | "\r\n";
}

function unifyLineEnds(text: string): UnifiedText {
	const wide: number[] = [];
	for (let at = text.indexOf("\r\n"); at !== -1; at = text.indexOf("\r\n", at + 2)) {
		wide.push(at - wide.length);
	}
	const unified = text.replaceAll("\r\n", "\n");
	const ends = unified.split("\n").length - 1;
	return { text: unified, wide, lineEnd: wide.length * 2 > ends ? "\r\n" : "\n" };
}

function placeEdit(text: string, lines: UnifiedText, edit: RequestedEdit, what: string): Hunk {
	const find = edit.find.replaceAll("\r\n", "\n");
	if (find === "") {
		throw new ToolFailure(`${what} has no text to find. Nothing was changed.`);
	}
	if (text.trim() === "") {
		throw new ToolFailure(`${what}: the file is empty. Call create_file with its whole text.`);
	}
	const at =
		edit.startLine === undefined
			? onlyPlace(lines.text, find, what)
			: placeInLine(lines.text, find, edit.startLine, what);
	const start = original(lines, at);
	const end = original(lines, at + find.length);
	const oldText = text.slice(start, end);
	const newText = edit.replace.replaceAll("\r\n", "\n").replaceAll("\n", lines.lineEnd);
	if (oldText === newText) {
		throw new ToolFailure(`${what} changes nothing.`);
	}
	return { start, end, oldText, newText, startLine: lineOf(lines.text, at) };
}

function onlyPlace(text: string, find: string, what: string): number {
	const at = text.indexOf(find);
	if (at === -1) {
		throw new ToolFailure(
			`${what}: the text to find does not stand in the file. Read the file and copy the text exactly. Nothing was changed.`,
		);
	}
	if (text.includes(find, at + 1)) {
		throw new ToolFailure(
			`${what}: the text to find occurs more than once. Give startLine, or more lines around it. Nothing was changed.`,
		);
	}
	return at;
}

function placeInLine(text: string, find: string, line: number, what: string): number {
	const lineStart = startOfLine(text, line);
	const lineEnd = lineStart === -1 ? -1 : endOfLine(text, lineStart);
	const at = lineStart === -1 ? -1 : text.indexOf(find, lineStart);
	if (at === -1 || at > lineEnd) {
		throw new ToolFailure(
			`${what}: the text to find does not begin in line ${line}. Nothing was changed.`,
		);
	}
	const again = text.indexOf(find, at + 1);
	if (again !== -1 && again <= lineEnd) {
		throw new ToolFailure(
			`${what}: the text to find begins in line ${line} more than once. Nothing was changed.`,
		);
	}
	return at;
}

function startOfLine(text: string, line: number): number {
	let start = 0;
	for (let current = 1; current < line; current += 1) {
		const end = text.indexOf("\n", start);
		if (end === -1) {
			return -1;
		}
		start = end + 1;
	}
	return start;
}

function endOfLine(text: string, start: number): number {
	const end = text.indexOf("\n", start);
	return end === -1 ? text.length : end;
}

/** The line of a position, counted from 1. */
export function lineOf(text: string, offset: number): number {
	return text.slice(0, offset).split("\n").length;
}

function original({ wide }: UnifiedText, offset: number): number {
	let [low, high] = [0, wide.length];
	while (low < high) {
		const middle = (low + high) >> 1;
		if ((wide[middle] ?? 0) < offset) {
			low = middle + 1;
		} else {
			high = middle;
		}
	}
	return offset + low;
}

/** URLs are compared up to this length. */
const tail = String.raw`[^\s"'<>)\]}]{0,4096}`;

/** A slash, an escaped slash as in JSON and scripts, or a backslash, which browsers treat as a slash. */
const slash = String.raw`(?:\\?\/|\\)`;

/** With a scheme. Browsers treat `https:/host`, `https:\host` and `https:host.example` like `https://host`. */
const withScheme = String.raw`\b(?:https?|wss?|ftp|git|ssh):(?:${slash}{1,8}[\p{L}\p{N}[%@_]|[\p{L}\p{N}-]{1,63}\.[\p{L}\p{N}])${tail}`;

/** `//host` where a URL may be. After a space it needs a path, or every comment would match. */
const withoutScheme = [
	String.raw`(?<=["'\x60(=])(?:${slash}{0,7}\/${slash}{0,7}(?<=[\\/]{2})|\\\\(?=[\p{L}\p{N}.-]+[\\/]))[\p{L}\p{N}[]${tail}`,
	String.raw`(?<=^|[\s,:])(?:\\?\/){2}[\p{L}\p{N}.-]{1,253}(?::\d{1,5})?\\?\/${tail}`,
];

const address = new RegExp([withScheme, ...withoutScheme].join("|"), "gimu");

/** Returns the URLs in a text, in every spelling that a browser or editor would follow. */
export function addressesIn(text: string): string[] {
	return text.match(address) ?? [];
}

/** Replaces long Base64 data in a text by its size, which is all that readers need. */
export function shortenData(text: string): string {
	return text.replaceAll(
		// Begins where a run does. Otherwise it would begin at each character of one that is a little too short.
		/(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{400,}={0,2}/g,
		data => `[data, ${sizeWords(bytesOf(data))}]`,
	);
}

export function bytesOf(base64: string): number {
	return Math.floor((base64.replaceAll(/[\s=]/g, "").length * 3) / 4);
}

/** Formats a size for a model, such as `75 KB`. */
export function sizeWords(bytes: number): string {
	return bytes < 1e6
		? `${Math.max(1, Math.round(bytes / 1e3))} KB`
		: `${(bytes / 1e6).toFixed(1)} MB`;
}
