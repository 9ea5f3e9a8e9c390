import type { ChangeLine } from "./changeLines.ts";

/** A file's lines, and which of them a clip shows. */
export interface SourceLines {
	readonly lines: readonly string[];
	/** The index in `lines` of each shown line. */
	readonly at: readonly number[];
}

/** Returns the file before a change, made from the file after it; undefined if the change has no line numbers or doesn't fit the file. */
export function linesBefore(
	after: readonly string[],
	change: readonly ChangeLine[],
): SourceLines | undefined {
	const lines: string[] = [];
	const at: number[] = [];
	let next = 0;
	for (const { kind, text, numbers } of change) {
		const isOld = kind === "same" || kind === "removed";
		const wanted = kind === "same" || kind === "added" ? numbers?.after : undefined;
		if (kind === "gap") {
			continue;
		}
		if (!numbers || (wanted !== undefined && wanted - 1 < next)) {
			return undefined;
		}
		while (wanted !== undefined ? next < wanted - 1 : lines.length + 1 < (numbers.before ?? 0)) {
			if (next >= after.length) {
				return undefined;
			}
			lines.push(after[next] ?? "");
			next += 1;
		}
		if (isOld) {
			at.push(lines.length);
			lines.push(kind === "same" ? (after[next] ?? "") : text);
		}
		next += kind === "removed" ? 0 : 1;
	}
	return { lines: [...lines, ...after.slice(next)], at };
}
