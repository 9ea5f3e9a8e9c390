import type { Item, Region } from "./item.ts";
import type { LanguageId } from "./language.ts";
import { type Line, widthOf } from "./lines.ts";

/** A heading, or a line that ends all sections above it. */
interface Heading {
	/** A lower one contains a higher one. */
	readonly level: number;
	readonly name: string;
	/** How many lines it has. */
	readonly length: number;
}

type HeadingReader = (lines: readonly Line[], at: number, end: number) => Heading | undefined;

/** Splits a text into sections: a heading with everything below it. The text before the subsections is one item. */
export function sectionsIn(
	lines: readonly Line[],
	region: Region,
	parent: Item | undefined,
): Item[] {
	const headings = headingsIn(lines, region);
	const items: Item[] = [];
	let at = region.first;
	while (at < region.end) {
		if (lines[at]?.isBlank) {
			at += 1;
			continue;
		}
		const heading = headings.get(at);
		const next =
			heading?.level === 0
				? at + 1
				: [...headings].find(
						([line, other]) => line > at && (heading === undefined || other.level <= heading.level),
					)?.[0];
		const limit = Math.min(next ?? region.end, region.end);
		let end = limit;
		while (end > at + 1 && lines[end - 1]?.isBlank) {
			end -= 1;
		}
		const isElision = lines[at]?.isElision === true;
		const below = at + (heading?.length ?? 1);
		items.push({
			first: at,
			head: at,
			end: isElision ? at + 1 : end,
			parent,
			type: isElision ? "elision" : "code",
			declaration:
				heading && heading.level > 0
					? { kind: "group", name: heading.name }
					: parent && !heading
						? { kind: "value", name: "text" }
						: undefined,
			body: heading && heading.level > 0 ? { first: Math.min(below, end), end } : undefined,
		});
		at = isElision ? at + 1 : limit;
	}
	return items;
}

/** Returns the level of a section's heading, or 0 for other text. */
export function levelOf(lines: readonly Line[], { head }: Item): number {
	return readers[lines[head]?.language.id ?? "other"]?.(lines, head, lines.length)?.level ?? 0;
}

function headingsIn(lines: readonly Line[], { first, end }: Region): Map<number, Heading> {
	const found = new Map<number, Heading>();
	const id = lines[first]?.language.id ?? "markdown";
	const read = readers[id];
	const fences = fenceOf[id];
	let fence: string | undefined;
	for (let at = first; at < end; at += 1) {
		const mark = fences?.exec(lines[at]?.text ?? "")?.[1];
		if (mark !== undefined && (fence === undefined || mark.startsWith(fence))) {
			fence = fence === undefined ? mark : undefined;
			continue;
		}
		const heading = fence === undefined ? read?.(lines, at, end) : undefined;
		if (heading) {
			found.set(at, heading);
			at += heading.length - 1;
		}
	}
	return found;
}

/** Marks around lines that contain no headings. */
const fenceOf: Partial<Record<LanguageId, RegExp>> = {
	asciidoc: /^(-{4,}|\.{4,}|={4,}|\*{4,}|\+{4,}|_{4,})\s*$/,
	markdown: /^ {0,3}(`{3,}|~{3,})/,
};

const plainName = (name: string): string => name.trim().replaceAll(/\s+/g, " ").toLowerCase();

/** A heading on one line, whose level is the length of its marks. */
const marked =
	(pattern: RegExp): HeadingReader =>
	(lines, at) => {
		const text = lines[at]?.text ?? "";
		const [, marks, name = ""] = pattern.exec(text) ?? [];
		return marks === undefined
			? undefined
			: { level: widthOf(text) + marks.length, name: plainName(name), length: 1 };
	};

const latexLevels = [
	"part",
	"chapter",
	"section",
	"subsection",
	"subsubsection",
	"paragraph",
	"subparagraph",
];

const latexHeading: HeadingReader = (lines, at) => {
	const text = lines[at]?.text.trim() ?? "";
	const [, kind = "", title] =
		/^\\(part|chapter|section|subsection|subsubsection|paragraph|subparagraph)\*?\s*(?:\[[^\]]*\])?\{(.*?)\}(?:\s*\\label\{[^}]*\})?\s*(?:%.*)?$/.exec(
			text,
		) ?? [];
	if (title !== undefined) {
		return { level: latexLevels.indexOf(kind) + 1, name: plainName(title), length: 1 };
	}
	// What stays around the sections.
	return /^\\(?:begin\{document\}|end\{document\}|appendix|bibliography\b|printbibliography|begin\{thebibliography\}|maketitle|tableofcontents)/.test(
		text,
	)
		? { level: 0, name: text, length: 1 }
		: undefined;
};

/** A title with a line of punctuation below it, and perhaps one above. A mark that comes later in the text is a deeper level. */
const rstHeading: HeadingReader = (lines, at, end) => {
	const textAt = (line: number): string => (line < end ? (lines[line]?.text.trimEnd() ?? "") : "");
	const isOver = adornment.test(textAt(at)) && textAt(at) === textAt(at + 2);
	const title = isOver ? at + 1 : at;
	const mark = adornment.exec(textAt(title + 1))?.[1];
	const name = textAt(title);
	if (
		mark === undefined ||
		name.trim() === "" ||
		adornment.test(name) ||
		/^[\s.]/.test(isOver ? "" : name) ||
		textAt(title + 1).length < name.trim().length
	) {
		return undefined;
	}
	return {
		level: rstLevel(`${isOver ? mark : ""}${mark}`),
		name: plainName(name),
		length: isOver ? 3 : 2,
	};
};

const adornment = /^([=\-`:'"~^_*+#<>.!$%&(),/;?@[\]{}|\\])\1*$/;

/** The usual order of the marks, so that a section alone has the level that it has in its text. */
function rstLevel(mark: string): number {
	const at = ["##", "**", "==", "=", "-", "~", "^", '"', "'", "+", "#", "*", "`", "."].indexOf(
		mark,
	);
	return at === -1 ? 20 : at + 1;
}

/** Requests are separated by lines with `###`. One without a title is known by its first line. */
const httpHeading: HeadingReader = (lines, at, end) => {
	const [, title] = /^###\s*([^]*)/.exec(lines[at]?.text ?? "") ?? [];
	if (title === undefined) {
		return undefined;
	}
	const request = lines
		.slice(at + 1, end)
		.find(({ text }) => /^(?:[A-Z]+\s+\S|https?:|###)/.test(text))?.text;
	return { level: 1, name: title === "" ? plainName(request ?? "") : plainName(title), length: 1 };
};

const markdownHeading: HeadingReader = (lines, at) => {
	const text = lines[at]?.text ?? "";
	return /^#{1,6}\s/.test(text)
		? {
				level: /^#+/.exec(text)?.[0].length ?? 1,
				name: text
					.replace(/^#+\s*/, "")
					.replace(/(?<!#)#+$/, "")
					.trim()
					.toLowerCase(),
				length: 1,
			}
		: undefined;
};

const readers: Partial<Record<LanguageId, HeadingReader>> = {
	asciidoc: marked(/^(={1,6})\s+(\S.*)$/),
	http: httpHeading,
	latex: latexHeading,
	markdown: markdownHeading,
	org: marked(/^(\*+)\s+(\S.*)$/),
	rst: rstHeading,
};
