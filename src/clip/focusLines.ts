import { readPrompt } from "./promptContent.ts";

/** Lines of a prompt's code, by their numbers in the clip. */
export interface FocusLines {
	readonly first: number;
	readonly last: number;
	/** The lines its fence names, such as “12, 18-20”, or else the one in the middle. */
	readonly named: string;
}

/** Returns the lines that a clip of the prompt can focus on; undefined for a prompt that isn't code. */
export function focusLinesOf(prompt: string): FocusLines | undefined {
	const content = readPrompt(prompt);
	if (content.type !== "code") {
		return undefined;
	}
	const { code, firstLine = 1, lit } = content;
	const count = code.split("\n").length;
	const lines = lit ?? [Math.ceil(count / 2)];
	const starts = lines.filter(line => !lines.includes(line - 1));
	const ends = lines.filter(line => !lines.includes(line + 1));
	const spans = starts.map((from, index) => ({ from, to: ends[index] ?? from }));
	return {
		first: firstLine,
		last: firstLine + count - 1,
		named: spanNames(spans, firstLine - 1).join(", "),
	};
}

/**
 * Returns the prompt with these lines, such as “12, 18-20”, named in its fence, which is added where there is none. Undefined if the code doesn't
 * have all of them.
 */
export function focusOn(prompt: string, lines: string): string | undefined {
	const code = focusLinesOf(prompt);
	const spans = lines.split(",").map(readSpan);
	if (
		!code ||
		spans.some(({ from, to }) => !(code.first <= from && from <= to && to <= code.last))
	) {
		return undefined;
	}
	const text = prompt.replaceAll(/\r\n?/g, "\n");
	const named = (blank: string): string =>
		` {${spanNames(spans, blank.split("\n").length - code.first).join(",")}}`;
	const fenced = text.replace(
		fenceHead,
		(_head, fence: string, meta: string, blank: string) =>
			`${fence}${named(blank)}${meta.replace(/ *\{[\d\s,-]+\}/, "")}\n${blank}`,
	);
	const content = readPrompt(fenced);
	if (content.type === "code" && content.lit) {
		return fenced;
	}
	const fence = text.includes("```") ? "~~~~" : "```";
	return `${fence}${content.type === "code" ? (content.language ?? "") : ""}${named("")}\n${text}\n${fence}`;
}

/** A fence with its language, the words after it, and the empty lines that its clip leaves out. */
const fenceHead = /((?:^|\n)(?:`{3,}(?!`)|~{3,}(?!~))[ \t]*[\w+#.-]*)([^\n]*)\n((?:[ \t]*\n)*)/;

interface LineSpan {
	readonly from: number;
	readonly to: number;
}

function readSpan(text: string): LineSpan {
	const [, from = "", to = from] = /^\s*(\d+)\s*(?:[-–]\s*(\d+)\s*)?$/.exec(text) ?? [];
	return { from: Number.parseInt(from, 10), to: Number.parseInt(to, 10) };
}

const spanNames = (spans: readonly LineSpan[], offset: number): readonly string[] =>
	spans.map(({ from, to }) =>
		from === to ? String(from + offset) : `${from + offset}-${to + offset}`,
	);
