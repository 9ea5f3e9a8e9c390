import { markHidden, withoutHidden } from "../../common/hiddenText.ts";
import { fence } from "../../common/plainMarkdown.ts";
import { type NamedLines, placeIn } from "../../shared/namedLines.ts";
import { blockPath, type CodeBlock } from "../../tools/catalog/write/blockPath.ts";

/** A finding of a review. */
export interface Finding extends NamedLines {
	readonly line: number;
	/** Markdown without links and images, with hidden characters visible. */
	readonly text: string;
	/** The code that mends it, if the answer contains it. */
	readonly fix?: CodeBlock;
}

/** The longest answer to search and the longest text of a finding, in characters, and the most findings. */
const maxAnswer = 200_000;
const maxText = 8_000;
const maxFindings = 100;

/** How much of a line to search for a place, and the longest text before one in a paragraph. */
const maxHead = 400;
const maxLead = 40;

/** Returns the first line, counted from 0, of lines in a text, or undefined unless they are in exactly one place. */
export function onlyPlace(text: string, lines: string): number | undefined {
	const asLines = (each: string): string => `\n${each.replaceAll("\r\n", "\n")}\n`;
	const [all, wanted] = [asLines(text), asLines(lines)];
	// The search for a string takes about linear time, also among many lines that are alike.
	const at = all.indexOf(wanted);
	const isOnly = at !== -1 && !all.includes(wanted, at + 1);
	return isOnly ? all.slice(0, at).split("\n").length - 1 : undefined;
}

interface OpenFinding {
	readonly place: NamedLines & { readonly line: number };
	/** Depth of its first line. A line of the same or a lesser depth ends it. */
	readonly depth: number;
	readonly width: number;
	readonly lines: string[];
	length: number;
	fix?: CodeBlock;
}

/**
 * Finds the findings in the Markdown of a review: headings, list items and paragraphs that name a file with a line. Each has the text up to the next,
 * and its last code block.
 */
export function findingsIn(answer: string): Finding[] {
	const found: OpenFinding[] = [];
	let current: OpenFinding | undefined;
	let code: (CodeBlock & { readonly end: RegExp; readonly indent: number }) | undefined;
	let isAfterBlank = false;
	for (const line of [...answer.slice(0, maxAnswer).split(/\r\n?|\n/), undefined]) {
		if (code && (line === undefined || code.end.test(line))) {
			addCode(current, code);
			code = undefined;
		} else if (code && line !== undefined) {
			code = { ...code, text: `${code.text}${dedent(line, code.indent)}\n` };
		} else if (line !== undefined) {
			const [, space = "", ticks = "", info = ""] = fenceStart.exec(line) ?? [];
			if (ticks !== "") {
				const end = new RegExp(`^[ \\t]*${ticks}${ticks.charAt(0)}*[ \\t]*$`);
				code = { text: "", info: info.trim(), indent: space.length, end };
				continue;
			}
			const { finding, depth } = readStart(line);
			const ends = depth <= (current?.depth ?? Number.POSITIVE_INFINITY);
			if (ends && (finding || depth !== paragraph)) {
				current = finding;
				found.push(...(finding ? [finding] : []));
			} else if (isAfterBlank && depth === paragraph && (current?.depth ?? 0) > paragraph) {
				current = undefined;
			} else {
				addLine(current, line);
			}
			isAfterBlank = line.trim() === "";
		}
	}
	return found.slice(0, maxFindings).map(({ place, lines, fix }) => ({
		...place,
		text: markHidden(lines.join("\n").trim()).text,
		...(fix ? { fix } : {}),
	}));
}

const fenceStart = /^([ \t]*)(`{3,}|~{3,})([^`]*)$/;

/** Depths of headings and paragraphs. List items are deeper. */
const heading = 0;
const paragraph = 1;

/** Reads a line outside of code: its depth, and the finding that may start there. Continued lines are the deepest. */
function readStart(line: string): { readonly finding?: OpenFinding; readonly depth: number } {
	const [mark = "", space = "", hash, bullet] =
		/^([ \t]*)(?:(#{1,6})[ \t]+|((?:[-*+]|\d{1,4}[.)])[ \t]+))?/.exec(line) ?? [];
	const isItem = bullet !== undefined;
	if (line.trim() === "" || (!isItem && space !== "")) {
		return { depth: Number.POSITIVE_INFINITY };
	}
	const depth = hash ? heading : isItem ? paragraph + 1 + space.length : paragraph;
	const text = line.slice(mark.length);
	const { before, place } = firstPlace(text);
	const isLead = before.length <= maxLead && /^\W*(?:[\p{L} ]+:)?\W*$/u.test(before);
	if (!place || (depth === paragraph && !isLead)) {
		return { depth };
	}
	const finding: OpenFinding = { place, depth, width: mark.length, lines: [], length: 0 };
	addLine(finding, isLead ? text.replace(leadingPlace, "").replace(strongPlace, "$1") : text);
	return { finding, depth };
}

/** A place with its marks at the beginning of a text, which a comment at that place doesn't repeat. */
const leadingPlace =
	/^(\**)\[?(`?)[^\s*`()[\]"'<>—]+\2(?:\]\([^()\s]*\))?\1\s*(?:[:—–-]\s+(?=\S)|:?$)/;

/** A place at the beginning of a strong text that goes on. */
const strongPlace = /^(\*\*)(`?)[^\s*`()[\]"'<>—]+\2\s*[:—–-]\s+(?=\S)/;

/** The longest first line without an end of a sentence that is a head. */
const maxTitle = 120;

/** Returns the text of a finding with its first sentence as its head, unless that is marked already or no sentence. */
export function withHead(text: string): string {
	const [line = ""] = text.split("\n", 1);
	const [, first = line] = /^(.+?[.!?])(?=\s|$)/.exec(line) ?? [];
	const hasWholeCode = first.split("`").length % 2 === 1;
	const sentence = hasWholeCode ? first : line;
	const isPlain = !/^[\s>#|~+-]|^\d+[.)]|[*_]/.test(sentence) && !/^`{3}/.test(line);
	const isShort = sentence !== line || line.length <= maxTitle;
	return line !== "" && isPlain && isShort ? `**${sentence}**${text.slice(sentence.length)}` : text;
}

/** Returns the first place with a line, and the text before it. */
function firstPlace(text: string): {
	readonly before: string;
	readonly place?: OpenFinding["place"];
} {
	for (const { 0: token, index } of text.slice(0, maxHead).matchAll(/[^\s*`()[\]"'<>—]+/g)) {
		const place = placeIn(token.replace(/[.,:;–-]+$/, ""));
		if (place?.line !== undefined) {
			return { before: text.slice(0, index), place: { ...place, line: place.line } };
		}
	}
	return { before: text };
}

function addLine(finding: OpenFinding | undefined, line: string): void {
	if (line.length <= maxText) {
		add(finding, withoutLinks(dedent(line, finding?.width ?? 0)));
	}
}

/** An escaped character, code in backticks, or what begins a link, an image, a tag, an address or a fence. CommonMark §6. */
const linkParts = /(\\[!-/:-@[-`{-~]|(`+)(?!`)[^]*?[^`]\2(?!`))|`+|[[<~@]|:(?=\/\/)|(?<=\bwww)\./gi;

/** The line below a table's head. In a table, a `|` within code ends the code. */
const tableRule = /^[\s>]*[|:-][\s|:-]*$/;

/**
 * Escapes the links and images of a line, which then show their addresses. The editor would fetch images, and follow links without the question that
 * the chat asks. docs/security.md. Code within the line stays as it is.
 */
function withoutLinks(line: string): string {
	return tableRule.test(line)
		? line.replaceAll(/[|:]/g, "\\$&")
		: line.replaceAll(
				linkParts,
				(found, kept: string | undefined) => kept ?? found.replaceAll(/./g, "\\$&"),
			);
}

function addCode(finding: OpenFinding | undefined, { text, info }: CodeBlock): void {
	const [language = ""] = /^[\w+#-]*/.exec(info) ?? [];
	add(finding, text.length > maxText ? "…" : fence(text, language));
	const { path, code } = blockPath({ text, info });
	if (
		finding &&
		(path ?? finding.place.path) === finding.place.path &&
		!/^(?:diff|patch)$/.test(language)
	) {
		finding.fix = { text: withoutHidden(code), info: language };
	}
}

function add(finding: OpenFinding | undefined, text: string): void {
	if (finding && finding.length + text.length <= maxText) {
		finding.length += text.length;
		finding.lines.push(text);
	}
}

/** Removes at most `width` leading white space characters. */
function dedent(line: string, width: number): string {
	const space = line.length - line.trimStart().length;
	return line.slice(Math.min(space, width));
}
