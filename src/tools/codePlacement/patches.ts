import { createIndenter, indentOf, type Line, scanLines } from "./lines.ts";
import type { Language } from "./language.ts";
import type { LineEdit } from "./lineChanges.ts";
import { Unplaced } from "./match.ts";
import { type Patch, trimBlank } from "./readPatches.ts";

/** Converts patches to edits. Skips patches that are already applied. Throws `Unplaced` if a place is unclear. */
export function placePatches(
	old: readonly Line[],
	patches: readonly Patch[],
	language: Language,
): LineEdit[] {
	const texts = old.map(({ text }) => text);
	const edits = patches.flatMap((patch): LineEdit[] => {
		const first = placeOfPatch(texts, patch);
		const done = placeOfPatch(texts, { ...patch, old: patch.fresh });
		const isInside =
			first === undefined ||
			(done !== undefined && first >= done && first < done + patch.fresh.length);
		const added = trimBlank(patch.fresh).length;
		// A single line without others around it may be in the text at another place.
		const isTold = patch.old.length > 0 || added > 1;
		if (
			(done !== undefined && isInside && isTold && added > patch.old.length) ||
			isDoneThere(texts, patch, first, done)
		) {
			return [];
		}
		if (first === undefined) {
			throw new Unplaced();
		}
		const [wanted, fresh] = [trimBlank(patch.old), trimBlank(patch.fresh)];
		const scanned = scanLines(fresh, language, undefined);
		const [lead, freshLead] = [leadOf(patch.old), leadOf(patch.fresh)];
		const kept = (patch.kept ?? []).map(([from, to]) => [from - lead, to - freshLead] as const);
		const isExact = wanted.every((line, at) => {
			const text = (texts[first + at] ?? "").trimEnd();
			// A line that stays may have lost the space before it.
			return (
				text === line.trimEnd() ||
				(text === ` ${line.trimEnd()}` && kept.some(([place]) => place === at))
			);
		});
		const indent = indentOf(texts[first]);
		const lines = isExact ? [...fresh] : createIndenter(old, scanned).indent(scanned, indent);
		for (const [from, to] of kept) {
			if (from >= 0 && from < wanted.length && to >= 0 && to < lines.length) {
				lines[to] = texts[first + from] ?? "";
			}
		}
		return [{ first, end: first + wanted.length, lines }];
	});
	const sorted = edits.toSorted((a, b) => a.first - b.first);
	if (sorted.some((edit, at) => edit.first < (sorted[at - 1]?.end ?? 0))) {
		throw new Unplaced();
	}
	return sorted;
}

/** Whether the place that a diff names has the new lines already, so the old ones elsewhere aren't meant. */
function isDoneThere(
	texts: readonly string[],
	{ at, below, fresh }: Patch,
	first: number | undefined,
	done: number | undefined,
): boolean {
	const named = at === undefined ? undefined : at + leadOf(fresh);
	const head = below === undefined ? -1 : texts.findIndex(line => line.trim() === below);
	return (
		done !== undefined &&
		first !== done &&
		(done === named ||
			(head !== -1 && done > head && (first === undefined || first < head || done < first)))
	);
}

/**
 * Finds a patch's old lines in a text: the only exact match, or else the only match regardless of indentation and trailing whitespace. Of several
 * matches, the one at the line that the diff names counts. Returns undefined if there is none or it is unclear.
 */
function placeOfPatch(lines: readonly string[], { old, at, below }: Patch): number | undefined {
	const wanted = trimBlank(old);
	const named = at === undefined ? undefined : at + leadOf(old);
	if (wanted.length === 0) {
		return undefined;
	}
	for (const form of [(line: string) => line.trimEnd(), (line: string) => line.trim()]) {
		const places = lines.flatMap((_, place) =>
			wanted.every((line, index) => form(lines[place + index] ?? "\0") === form(line))
				? [place]
				: [],
		);
		if (places.length > 0) {
			const [head, ...others] = lines.flatMap((line, place) =>
				line.trim() === below ? [place] : [],
			);
			return places.length === 1
				? places[0]
				: (places.find(place => place === named) ??
						(others.length === 0 && head !== undefined
							? places.find(place => place > head)
							: undefined));
		}
	}
	return undefined;
}

/** Returns the number of blank lines at the start. */
function leadOf(lines: readonly string[]): number {
	return Math.max(
		0,
		lines.findIndex(line => line.trim() !== ""),
	);
}
