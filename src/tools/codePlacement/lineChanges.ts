import { longestCommon } from "../../common/longestCommon.ts";
import type { Hunk } from "../contract/edits.ts";

/** The most pairs of lines to compare. Larger changes become a single hunk. */
const maxPairs = 1_000_000;

/** Replaces lines `first` to `end` (exclusive, counted from 0) by others without line breaks. */
export interface LineEdit {
	readonly first: number;
	readonly end: number;
	readonly lines: readonly string[];
}

/** Splits a text into lines with their line breaks. */
export function linesOf(text: string): string[] {
	return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** Converts edits to hunks in order. New lines get the document's line breaks. Unchanged lines are in no hunk. */
export function lineChanges(text: string, edits: readonly LineEdit[]): Hunk[] {
	const lines = linesOf(text);
	const offsets = offsetsOf(lines);
	const lineEnd = text.includes("\r\n") ? "\r\n" : "\n";
	const offset = (line: number): number => offsets[line] ?? text.length;
	return edits.flatMap(({ first, end, lines: newLines }) => {
		const fresh = newLines.map(line => `${line}${lineEnd}`);
		const isLast = end >= lines.length && text !== "" && !text.endsWith("\n");
		if (isLast && fresh.length > 0) {
			// Keeps the end of a text without a final line break.
			fresh.push((fresh.pop() ?? "").slice(0, -lineEnd.length));
		}
		return changedRuns(lines.slice(first, end), fresh).map(run => {
			const [start, stop] = [offset(first + run.start), offset(first + run.end)];
			const isGlued = start === text.length && text !== "" && !text.endsWith("\n");
			return {
				start,
				end: stop,
				oldText: text.slice(start, stop),
				newText: `${isGlued ? lineEnd : ""}${fresh.slice(run.freshStart, run.freshEnd).join("")}`,
				startLine: first + run.start + 1,
			};
		});
	});
}

/** Lines `start` to `end` (exclusive) of a list that are replaced by lines `freshStart` to `freshEnd` of another. */
export interface ChangedRun {
	readonly start: number;
	readonly end: number;
	readonly freshStart: number;
	readonly freshEnd: number;
}

function offsetsOf(lines: readonly string[]): number[] {
	const offsets = [0];
	for (const line of lines) {
		offsets.push((offsets.at(-1) ?? 0) + line.length);
	}
	return offsets;
}

/** Returns the differences of two lists of lines, by their longest common subsequence. */
export function changedRuns(old: readonly string[], fresh: readonly string[]): ChangedRun[] {
	const runs: ChangedRun[] = [];
	let [start, freshStart] = [0, 0];
	for (const [at, freshAt] of [...commonLines(old, fresh), [old.length, fresh.length] as const]) {
		if (at > start || freshAt > freshStart) {
			runs.push({ start, end: at, freshStart, freshEnd: freshAt });
		}
		[start, freshStart] = [at + 1, freshAt + 1];
	}
	return runs;
}

function commonLines(old: readonly string[], fresh: readonly string[]): [number, number][] {
	const limit = Math.min(old.length, fresh.length);
	let head = 0;
	while (head < limit && old[head] === fresh[head]) {
		head += 1;
	}
	let tail = 0;
	while (tail < limit - head && old.at(-1 - tail) === fresh.at(-1 - tail)) {
		tail += 1;
	}
	const middle = longestCommon(
		old.length - head - tail,
		fresh.length - head - tail,
		(at, freshAt) => (old[at + head] === fresh[freshAt + head] ? 1 : 0),
		maxPairs,
	).map(([at, freshAt]): [number, number] => [at + head, freshAt + head]);
	return [
		...Array.from({ length: head }, (_, at): [number, number] => [at, at]),
		...middle,
		...Array.from({ length: tail }, (_, at): [number, number] => [
			old.length - tail + at,
			fresh.length - tail + at,
		]),
	];
}
