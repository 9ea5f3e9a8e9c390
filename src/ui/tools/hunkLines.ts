import type { FilePreview, Hunk } from "../../tools/tool/index.ts";

/** The whole lines a hunk changes, with line feeds alone, and the number of the first one before and after. */
export interface HunkLines {
	readonly before: string;
	readonly after: string;
	readonly firstLines: { readonly before: number; readonly after: number };
}

/** What is shown of a line on either side of the change, in UTF-16 code units: a minified file is one line. */
const maxBeside = 400;

/** The hunks of a file as its lines, each as if it were the only one that is taken, but numbered behind those before it. */
export function hunkLines({
	before: text,
	hunks,
}: Pick<FilePreview, "before" | "hunks">): HunkLines[] {
	let shift = 0;
	return hunks.map(hunk => {
		const { startLine, oldText, newText } = hunk;
		const firstLines = { before: startLine, after: startLine + shift };
		shift += countLineEnds(newText) - countLineEnds(oldText);
		const [head, tail] = besides(text, hunk);
		return { before: lines(head, oldText, tail), after: lines(head, newText, tail), firstLines };
	});
}

/** What the first and the last line of a hunk hold besides it; of lines that come or go as a whole there is no rest. */
function besides(text: string, { start, end, newText }: Hunk): [head: string, tail: string] {
	const lineStart = text.lastIndexOf("\n", start - 1) + 1;
	const head = start === 0 ? "" : text.slice(lineStart, start);
	const isAtStart = (at: number): boolean => at === 0 || text[at - 1] === "\n";
	const isWhole = isAtStart(end) && (newText === "" ? head === "" : newText.endsWith("\n"));
	const lineEnd = text.indexOf("\n", end);
	const tail = isWhole ? "" : text.slice(end, lineEnd === -1 ? undefined : lineEnd);
	return [
		head.length > maxBeside ? `…${head.slice(-maxBeside)}` : head,
		tail.length > maxBeside ? `${tail.slice(0, maxBeside)}…` : tail,
	];
}

function lines(head: string, changed: string, tail: string): string {
	return `${head}${changed}${tail}`.replaceAll("\r\n", "\n").replace(/[\r\n]$/, "");
}

function countLineEnds(text: string): number {
	return text.split("\n").length - 1;
}
