import type { Finding } from "../tools/findings.ts";

/** What a model reads above a diff with numbers. */
const head = "[After the sign of a line is its number in the new file.]";

const hunkStart = /^@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

/** Adds to each line of the new files in a diff its number, because models miscount lines. */
export function numberLines(diff: string): string {
	let number = 0;
	let left = { old: 0, new: 0 };
	const lines = diff.split("\n").map(line => {
		const [start, oldCount = "1", first, newCount = "1"] = hunkStart.exec(line) ?? [];
		if (start !== undefined) {
			number = Number(first);
			left = { old: Number(oldCount), new: Number(newCount) };
			return line;
		}
		const sign = line.charAt(0);
		if (left.old + left.new <= 0 || sign === "\\") {
			return line;
		}
		if (sign !== "+" && sign !== "-" && sign !== " ") {
			// A masked line, which may be of either file.
			left = { old: 0, new: 0 };
			return line;
		}
		left = { old: left.old - (sign === "+" ? 0 : 1), new: left.new - (sign === "-" ? 0 : 1) };
		if (sign === "-") {
			return line;
		}
		const numbered = `${sign}${number}: ${line.slice(1)}`;
		number += 1;
		return numbered;
	});
	return [head, ...lines].join("\n");
}

/** The lines of each file in diffs with numbers, by path and number. */
export type ReviewedLines = ReadonlyMap<string, ReadonlyMap<number, string>>;

/** Reads the lines from diffs with numbers. Empty for other texts. */
export function reviewedLines(diffs: readonly string[]): ReviewedLines {
	const files = new Map<string, Map<number, string>>();
	for (const diff of diffs) {
		let path = "";
		for (const line of diff.startsWith(head) ? diff.split("\n") : []) {
			const [isHeader, name = ""] = /^\+\+\+ (?:b\/(.+?)\t?$)?/.exec(line) ?? [];
			const [, number, text] = /^[+ ](\d+): (.*)$/s.exec(line) ?? [];
			if (isHeader !== undefined) {
				// Git writes a name with other letters than ASCII in quotation marks. No finding is placed in such a file.
				path = name;
				files.set(path, files.get(path) ?? new Map());
			} else if (number !== undefined && text !== undefined) {
				files.get(path)?.set(Number(number), plainLine(text));
			}
		}
	}
	return files;
}

/**
 * Returns the text of a finding's lines when they were reviewed: empty if the diff doesn't have all of them, undefined if it has no line of the file.
 */
export function reviewedText(
	files: ReviewedLines,
	{ path, line, endLine = line }: Pick<Finding, "path" | "line" | "endLine">,
): string | undefined {
	const [, lines] =
		[...files].find(([name]) => name === path || `/${name}`.endsWith(`/${path}`)) ?? [];
	if (!lines?.size) {
		return undefined;
	}
	const count = endLine - line + 1;
	const texts = Array.from({ length: Math.min(count, lines.size) }, (_, index) =>
		lines.get(line + index),
	);
	const isWhole = texts.every(text => text !== undefined && !text.includes("[masked]"));
	return isWhole && texts.length === count ? texts.join("\n") : "";
}

/** Removes what the editor's text of a line lacks: a byte order mark and a carriage return. */
function plainLine(text: string): string {
	return text.replace(/^\uFEFF/, "").replace(/\r$/, "");
}
