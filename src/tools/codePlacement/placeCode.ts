import { isRecord } from "../../common/json.ts";
import type { Hunk } from "../contract/edits.ts";
import { languageById, type Language } from "./language.ts";
import { languageOf } from "./languageNames.ts";
import { lineChanges, type LineEdit, linesOf } from "./lineChanges.ts";
import { type Line, scanLines, createIndenter, indentOf, withPythonBodies } from "./lines.ts";
import { Unplaced } from "./match.ts";
import { type KnownSymbol, mergeBlock } from "./merge.ts";
import { placePatches } from "./patches.ts";
import { hasMarks, hasSigns, newSide, patchesOf, trimBlank } from "./readPatches.ts";

/** The user's cursor or selection in the text, in UTF-16 code units. */
export interface Selection {
	readonly start: number;
	readonly end: number;
}

/** The user's choice for a block without a place. */
export type BlockDestination = "cursor" | "end" | "whole";

export type CodePlacement =
	| { readonly type: "placed"; readonly hunks: readonly Hunk[] }
	/** The text already has the block; `isPart` means, except what the block leaves out. */
	| { readonly type: "known"; readonly isPart: boolean }
	| { readonly type: "empty" }
	/** The place is unclear. `isPart` means that the block omits code or is a diff, so it can't be inserted as it is. */
	| { readonly type: "unclear"; readonly isPart: boolean };

/**
 * Finds the place of a code block in a text by their structure: declarations by name and kind, imports, sections, keys, diffs. Keeps everything that
 * the block doesn't name. `path` determines the language; `symbols` come from the editor; `isDiff` tells that the block is called a diff.
 */
export function placeCode(
	text: string,
	code: string,
	path: string,
	symbols: readonly KnownSymbol[] = [],
	isDiff = false,
): CodePlacement {
	const old = bareLines(text);
	const fresh = codeLines(code);
	if (fresh.length === 0) {
		return { type: "empty" };
	}
	const language = languageOf(path, `${text}\n${code}`);
	const isMarked = isDiff || isPatch(fresh, path);
	if (old.every(line => line.trim() === "")) {
		const lines = isMarked ? newSide(fresh) : fresh;
		return lines
			? placed(text, [{ first: 0, end: old.length, lines }])
			: { type: "unclear", isPart: true };
	}
	const patches = isPatchFile(path) ? undefined : patchesOf(fresh, isMarked);
	if (isMarked && !patches) {
		return { type: "unclear", isPart: true };
	}
	const known = new Set(old.map(line => line.trim()));
	const lines = scanLines(old, language, undefined);
	const own = blockLanguage(language, fresh);
	const whole = own.id === "json" ? jsonLines(fresh, known) : fresh;
	if (!patches && isTorn(whole, own) && !isTorn(old, language)) {
		// A declaration of which the block has only the start, as in a stopped answer, would lose its rest.
		return { type: "unclear", isPart: true };
	}
	const block = withPythonBodies(scanLines(whole, own, known), path);
	const isHead = ({ text: line }: Line): boolean =>
		own.id === "python" && /:\s*\.{3}$/.test(line) && !known.has(line.trim());
	const isPart = block.some(line => line.isElision);
	try {
		return placed(
			text,
			patches ? placePatches(lines, patches, language) : mergeBlock(lines, block, symbols),
			isPart || block.some(isHead),
		);
	} catch (error) {
		if (error instanceof Unplaced) {
			return { type: "unclear", isPart: patches !== undefined || isPart };
		}
		throw error;
	}
}

/** Inserts a block where the user chose: over the selection or below the cursor, at the end, or as the whole text. */
export function placeAt(
	text: string,
	code: string,
	path: string,
	place: BlockDestination,
	selection: Selection | undefined,
): CodePlacement {
	const language = languageOf(path, text);
	const old = scanLines(bareLines(text), language, undefined);
	const fresh = codeLines(code);
	if (isPatch(fresh, path)) {
		return { type: "unclear", isPart: true };
	}
	if (place === "whole") {
		return placed(text, [{ first: 0, end: old.length, lines: fresh }]);
	}
	const lineAt = (offset: number): number => text.slice(0, offset).split("\n").length - 1;
	const isSelected =
		place === "cursor" && selection !== undefined && selection.start < selection.end;
	const line = place === "cursor" && selection ? lineAt(selection.end) : old.length - 1;
	const indent =
		place === "cursor" ? indentOf(old[isSelected ? lineAt(selection.start) : line]?.text) : "";
	const block = scanLines(fresh, language, undefined);
	const lines = createIndenter(old, block).indent(block, indent);
	if (isSelected) {
		const { start, end } = selection;
		const oldText = text.slice(start, end);
		const lineEnd = text.includes("\r\n") ? "\r\n" : "\n";
		const isWholeLine = text.slice(0, start).endsWith("\n") || start === 0;
		const own = isWholeLine ? lines : [(lines[0] ?? "").trimStart(), ...lines.slice(1)];
		const newText = `${own.join(lineEnd)}${oldText.endsWith("\n") ? lineEnd : ""}`;
		return {
			type: "placed",
			hunks: [{ start, end, oldText, newText, startLine: lineAt(start) + 1 }],
		};
	}
	const at = Math.min(old[line]?.isBlank === true ? line : line + 1, old.length);
	return placed(text, [{ first: at, end: at, lines }]);
}

/** Returns the text of a new file, or undefined for a patch of lines that have to be there. */
export function textOfNewFile(code: string, path: string, isDiff: boolean): string | undefined {
	const lines = codeLines(code);
	return isDiff || isPatch(lines, path) ? newSide(lines)?.join("\n") : code;
}

/** Languages whose lists have the signs of a diff. */
const listLanguages: ReadonlySet<string> = new Set(["markdown", "text", "yaml"]);

/** Whether a block has marks of a patch or a conflict that are no part of the file's own text. */
function isPatch(code: readonly string[], path: string): boolean {
	const language = languageOf(path);
	if (isPatchFile(path)) {
		return false;
	}
	let isFenced = false;
	const own = scanLines(code, language, undefined).map(({ text, isInString }) => {
		const isFence = language.id === "markdown" && /^ {0,3}(?:`{3,}|~{3,})/.test(text);
		isFenced = isFence ? !isFenced : isFenced;
		return isInString || isFenced ? "" : text;
	});
	return hasMarks(own) || (!listLanguages.has(language.id) && hasSigns(own));
}

/** Whether a file consists of patches itself. */
function isPatchFile(path: string): boolean {
	return /\.(?:diff|patch|rej)$/i.test(path);
}

/** Whether lines start or end inside brackets, a string or a comment. */
function isTorn(texts: readonly string[], language: Language): boolean {
	const lines = scanLines([...texts, ""], language, undefined);
	const end = lines.at(-1);
	return (
		(end !== undefined && (end.before > 0 || end.isInside)) ||
		lines.some(({ before, code }) => {
			const bracket = language.brackets.indexOf(code.trim().charAt(0) || "\0");
			return before === 0 && bracket % 2 === 1;
		})
	);
}

function placed(text: string, edits: readonly LineEdit[], isPart = false): CodePlacement {
	const hunks = lineChanges(text, edits);
	return hunks.length === 0 ? { type: "known", isPart } : { type: "placed", hunks };
}

/** Detects script and style code without the surrounding section of the page. */
function blockLanguage(language: Language, code: readonly string[]): Language {
	if (language.id !== "html" || code.some(line => /^\s*</.test(line))) {
		return language;
	}
	return languageById(/^\s*[.#@:\w-][^;(=]*\{\s*$/.test(code[0] ?? "") ? "css" : "js");
}

/** Adds braces around bare keys, and splits an object on one line if the text has it on several. */
function jsonLines(code: readonly string[], known: ReadonlySet<string>): string[] {
	const lines = /^\s*"/.test(code[0] ?? "") ? ["{", ...code.map(line => `  ${line}`), "}"] : code;
	return lines.flatMap(line => {
		const [, indent = "", key = "", inner = "", comma = ""] =
			/^(\s*)("(?:[^"\\]|\\.)*"\s*:\s*)(\{.+\})(,?)\s*$/.exec(line) ?? [];
		const entries = known.has(`${key}{`) ? parsedEntries(inner) : undefined;
		return entries
			? [
					`${indent}${key}{`,
					...entries.map((entry, at) => `${indent}  ${entry}${at < entries.length - 1 ? "," : ""}`),
					`${indent}}${comma}`,
				]
			: [line];
	});
}

function parsedEntries(text: string): string[] | undefined {
	try {
		const value: unknown = JSON.parse(text);
		return isRecord(value)
			? Object.entries(value).map(([key, own]) => `${JSON.stringify(key)}: ${JSON.stringify(own)}`)
			: undefined;
	} catch {
		// It isn't JSON, or is nested too deeply to be written.
		return undefined;
	}
}

function codeLines(code: string): string[] {
	return trimBlank(code.replace(/^\uFEFF/, "").split(/\r\n|\r|\n/));
}

function bareLines(text: string): string[] {
	return linesOf(text).map(line => line.replace(/\r?\n$/, ""));
}
