import { createIndenter, indentOf, type Line, scanLines } from "./lines.ts";
import type { Language } from "./language.ts";
import type { LineEdit } from "./lineChanges.ts";
import { Unplaced } from "./match.ts";

/** Replacement of lines: a hunk of a diff, or a pair of SEARCH and REPLACE. */
export interface Patch {
	readonly old: readonly string[];
	readonly fresh: readonly string[];
}

/** Reads a block that is a unified diff or a list of SEARCH/REPLACE pairs. Returns undefined for any other. */
export function patchesOf(code: readonly string[]): Patch[] | undefined {
	const patches = searchPatches(code) ?? diffPatches(code);
	return patches && patches.length > 0 ? patches : undefined;
}

function searchPatches(code: readonly string[]): Patch[] | undefined {
	const patches: { old: string[]; fresh: string[] }[] = [];
	let side: "old" | "fresh" | undefined;
	for (const line of code) {
		if (/^[<-]{5,}\s*(?:SEARCH|ORIGINAL|HEAD)>?\s*$/.test(line)) {
			patches.push({ old: [], fresh: [] });
			side = "old";
		} else if (side === "old" && /^={5,}\s*$/.test(line)) {
			side = "fresh";
		} else if (side === "fresh" && /^[>+]{5,}\s*\w*>?\s*$/.test(line)) {
			side = undefined;
		} else if (side) {
			patches.at(-1)?.[side].push(line);
		}
	}
	return patches.length > 0 && side === undefined ? patches : undefined;
}

const header =
	/^(?:diff --git |index [0-9a-f]|(?:new|deleted) file |similarity |rename |\*\*\* (?:Begin|End|Update|Add|Move) )/;

function diffPatches(code: readonly string[]): Patch[] | undefined {
	// A removed line may start with dashes, too. The two names of a file are on consecutive lines.
	const isName = (at: number): boolean =>
		(code[at]?.startsWith("--- ") === true && code[at + 1]?.startsWith("+++ ") === true) ||
		(code[at]?.startsWith("+++ ") === true && code[at - 1]?.startsWith("--- ") === true);
	const body = code.filter((line, at) => !header.test(line) && !isName(at));
	const hasHunks = body.some(line => line.startsWith("@@"));
	const isMarked = body.every(line => line === "" || /^[-+ @\\]/.test(line));
	const has = (mark: string): boolean => body.some(line => line.startsWith(mark));
	if (!isMarked || !(has("-") || has("+")) || !(hasHunks || (has("-") && has("+")))) {
		return undefined;
	}
	const patches: { old: string[]; fresh: string[] }[] = [{ old: [], fresh: [] }];
	for (const line of body) {
		const current = patches.at(-1);
		if (line.startsWith("@@")) {
			patches.push({ old: [], fresh: [] });
		} else if (line.startsWith("-")) {
			current?.old.push(line.slice(1));
		} else if (line.startsWith("+")) {
			current?.fresh.push(line.slice(1));
		} else if (!line.startsWith("\\")) {
			current?.old.push(line.replace(/^ /, ""));
			current?.fresh.push(line.replace(/^ /, ""));
		}
	}
	return patches.filter(({ old, fresh }) => old.join("\n") !== fresh.join("\n"));
}

/** Converts patches to edits. Skips patches that are already applied. Throws `Unplaced` if a place is unclear. */
export function placePatches(
	old: readonly Line[],
	patches: readonly Patch[],
	language: Language,
): LineEdit[] {
	const texts = old.map(({ text }) => text);
	const edits = patches.flatMap((patch): LineEdit[] => {
		const first = placeOfPatch(texts, patch);
		const done = placeOfPatch(texts, { old: patch.fresh, fresh: [] });
		const isInside =
			first === undefined ||
			(done !== undefined && first >= done && first < done + patch.fresh.length);
		const added = trimBlank(patch.fresh).length;
		// A single line without others around it may be in the text at another place.
		const isTold = patch.old.length > 0 || added > 1;
		if (done !== undefined && isInside && isTold && added > patch.old.length) {
			return [];
		}
		if (first === undefined) {
			throw new Unplaced();
		}
		const [wanted, fresh] = [trimBlank(patch.old), trimBlank(patch.fresh)];
		const scanned = scanLines(fresh, language, undefined);
		const isExact = wanted.every(
			(line, at) => line.trimEnd() === (texts[first + at] ?? "").trimEnd(),
		);
		const indent = indentOf(texts[first]);
		const lines = isExact ? fresh : createIndenter(old, scanned).indent(scanned, indent);
		return [{ first, end: first + wanted.length, lines }];
	});
	const sorted = edits.toSorted((a, b) => a.first - b.first);
	if (sorted.some((edit, at) => edit.first < (sorted[at - 1]?.end ?? 0))) {
		throw new Unplaced();
	}
	return sorted;
}

/**
 * Finds a patch's old lines in a text: the only exact match, or else the only match regardless of indentation and trailing whitespace. Returns
 * undefined if there is none or more than one.
 */
function placeOfPatch(lines: readonly string[], { old }: Patch): number | undefined {
	const wanted = trimBlank(old);
	if (wanted.length === 0) {
		return undefined;
	}
	for (const form of [(line: string) => line.trimEnd(), (line: string) => line.trim()]) {
		const places = lines.flatMap((_, at) =>
			wanted.every((line, index) => form(lines[at + index] ?? "\0") === form(line)) ? [at] : [],
		);
		if (places.length > 0) {
			return places.length === 1 ? places[0] : undefined;
		}
	}
	return undefined;
}

/** Removes blank lines at both ends. */
export function trimBlank(lines: readonly string[]): string[] {
	const first = lines.findIndex(line => line.trim() !== "");
	return first === -1
		? []
		: lines.slice(first, lines.findLastIndex(line => line.trim() !== "") + 1);
}
