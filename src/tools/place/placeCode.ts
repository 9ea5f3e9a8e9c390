import type { Hunk } from "../tool/edits.ts";
import { languageById, type Language, languageOf } from "./language.ts";
import { lineChanges, type LineEdit, linesOf } from "./lineChanges.ts";
import { scanLines } from "./lines.ts";
import { Unplaced } from "./match.ts";
import { type KnownSymbol, mergeBlock } from "./merge.ts";
import { createIndenter, indentOf } from "./indentation.ts";
import { patchesOf, placePatches, trimBlank } from "./patches.ts";

/** Where a user's cursor or selection is in the text, in UTF-16 code units. */
export interface Selection {
	readonly start: number;
	readonly end: number;
}

/** Where a block goes that has no place of its own, as the user chose. */
export type BlockDestination = "cursor" | "end" | "whole";

/** What a block would change. */
export type CodePlacement =
	| { readonly type: "placed"; readonly hunks: readonly Hunk[] }
	/** The text has it already. */
	| { readonly type: "known" }
	| { readonly type: "empty" }
	/** Its place is not clear. `isPart` is for one that leaves code out or is a diff, which can go nowhere as it is. */
	| { readonly type: "unclear"; readonly isPart: boolean };

/**
 * Finds where a block of code goes in a text by the structure of both: declarations by name and kind, imports, sections,
 * keys, diffs. What the block does not name stays. `path` tells the language; `symbols` are what the editor knows.
 */
export function placeCode(
	text: string,
	code: string,
	path: string,
	symbols: readonly KnownSymbol[] = [],
): CodePlacement {
	const old = bareLines(text);
	const fresh = codeLines(code);
	if (fresh.length === 0) {
		return { type: "empty" };
	}
	if (old.every(line => line.trim() === "")) {
		return placed(text, [{ first: 0, end: old.length, lines: fresh }]);
	}
	const patches = patchesOf(fresh);
	const language = languageOf(path);
	const known = new Set(old.map(line => line.trim()));
	const lines = scanLines(old, language, undefined);
	const own = blockLanguage(language, fresh);
	const block = scanLines(own.id === "json" ? jsonLines(fresh, known) : fresh, own, known);
	try {
		return placed(
			text,
			patches ? placePatches(lines, patches, language) : mergeBlock(lines, block, symbols),
		);
	} catch (error) {
		if (error instanceof Unplaced) {
			return {
				type: "unclear",
				isPart: patches !== undefined || block.some(line => line.isElision),
			};
		}
		throw error;
	}
}

/** Puts a block where the user chose: in place of the selection or below the cursor, at the end, or as the whole text. */
export function placeAt(
	text: string,
	code: string,
	path: string,
	place: BlockDestination,
	selection: Selection | undefined,
): CodePlacement {
	const language = languageOf(path);
	const old = scanLines(bareLines(text), language, undefined);
	const fresh = codeLines(code);
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

function placed(text: string, edits: readonly LineEdit[]): CodePlacement {
	const hunks = lineChanges(text, edits);
	return hunks.length === 0 ? { type: "known" } : { type: "placed", hunks };
}

/** Script and style without the section of the page that they are in. */
function blockLanguage(language: Language, code: readonly string[]): Language {
	if (language.id !== "html" || code.some(line => /^\s*</.test(line))) {
		return language;
	}
	return languageById(/^\s*[.#@:\w-][^;(=]*\{\s*$/.test(code[0] ?? "") ? "css" : "js");
}

/** Keys without the braces around them get some; an object in one line gets lines where the text has lines for it. */
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
		return typeof value === "object" && value !== null
			? Object.entries(value).map(([key, own]) => `${JSON.stringify(key)}: ${JSON.stringify(own)}`)
			: undefined;
	} catch {
		return undefined;
	}
}

function codeLines(code: string): string[] {
	return trimBlank(code.replace(/^\uFEFF/, "").split(/\r\n|\r|\n/));
}

function bareLines(text: string): string[] {
	return linesOf(text).map(line => line.replace(/\r?\n$/, ""));
}
