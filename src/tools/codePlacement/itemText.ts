import type { Entry, Level } from "./arrange.ts";
import type { Item, Region } from "./item.ts";
import { membersOf, plainText } from "./items.ts";
import type { LanguageId } from "./language.ts";
import type { Line } from "./lines.ts";
import { keyOf, type Lines } from "./match.ts";

/** Returns the number of blank lines between two items: as between others in the text, or else as in the block. */
export function gapBetween(level: Level, a: Item, b: Item): number {
	const isLong = ({ first, end }: Item): boolean => end - first > 1;
	const own = gapInBlock(level, a, b);
	if (level.mode === "body" || (!isLong(a) && !isLong(b))) {
		return own ?? 0;
	}
	const gaps = level.olds.flatMap((item, index) => {
		const next = level.olds[index + 1];
		return next && item.type !== "import" && (isLong(item) || isLong(next))
			? [next.first - item.end]
			: [];
	});
	const many = (gap: number): number => gaps.filter(other => other === gap).length;
	const [commonest] = gaps.toSorted((x, y) => many(y) - many(x));
	const usual = level.old[0]?.language.id === "python" && level.mode === "file" ? 2 : own;
	return commonest ?? usual ?? (isJson(level) || isMapping(level) ? 0 : 1);
}

/** Returns the number of blank lines between two items in the block, or undefined if they aren't adjacent there. */
function gapInBlock({ news, pairs }: Level, a: Item, b: Item): number | undefined {
	const place = (item: Item): number =>
		news.findIndex(fresh => fresh === item || pairs.get(fresh) === item);
	const [above, below] = [place(a), place(b)];
	const [left, right] = [news[above], news[below]];
	return left && right && below === above + 1 ? right.first - left.end : undefined;
}

function isJson({ old }: Level): boolean {
	return old[0]?.language.id === "json";
}

function isMapping({ old, mode }: Level): boolean {
	return old[0]?.language.id === "yaml" && mode === "group";
}

/** Whether a level's items are separated by commas. */
export function isCommaList(level: Level): boolean {
	const items = level.olds.filter(({ type }) => type === "code");
	const isInObject = items[0]?.parent !== undefined;
	return (
		isInObject &&
		(isJson(level) ||
			(items.length > 1 && items.slice(0, -1).every(({ end }) => hasComma(level.old, end))))
	);
}

function hasComma(lines: Lines, end: number): boolean {
	return lines[end - 1]?.code.trimEnd().endsWith(",") === true;
}

/** Whether a comma also follows a level's last item. */
export function endsInComma(level: Level): boolean {
	const last = level.olds.at(-1);
	return last !== undefined && !isJson(level) && hasComma(level.old, last.end);
}

/** Adds a comma to the lines or removes it. The last `tail` characters are a comment. */
export function withComma(
	lines: readonly string[],
	comma: boolean | undefined,
	tail: number,
): string[] {
	const last = lines.at(-1) ?? "";
	const length = last.length - tail;
	const bare = last.slice(0, length).replace(/,$/, "");
	return comma === undefined
		? [...lines]
		: [...lines.slice(0, -1), `${bare}${comma ? "," : ""}${last.slice(length)}`];
}

/** Returns the number of characters after a line's code. */
export function tailOf(line: Line | undefined): number {
	return line ? line.text.length - line.code.trimEnd().length : 0;
}

export type LeadingKind = "doc" | "comment" | "decorator";
export const leadingKinds: readonly LeadingKind[] = ["doc", "comment", "decorator"];

export function leadingOf(lines: Lines, { first, head }: Item): Map<LeadingKind, Lines> {
	const parts = new Map<LeadingKind, Lines>();
	let kind: LeadingKind = "comment";
	for (const line of lines.slice(first, head)) {
		const text = line.text.trim();
		if (!line.isInside) {
			kind = line.isComment
				? /^(?:\/\*\*|\/\/\/|\/\/!)/.test(text)
					? "doc"
					: "comment"
				: "decorator";
		}
		parts.set(kind, [...(parts.get(kind) ?? []), line]);
	}
	return parts;
}

/** Heads whose bodies end with a word, in languages where that is so. */
const opener: Partial<Record<LanguageId, RegExp>> = {
	elixir: /\bdo$/,
	fortran: /^(?:[\w() ]*\s)?(?:subroutine|function|module)\b/i,
	julia: /^(?:function|macro|(?:mutable\s+)?struct|module)\b/,
	lua: /^(?:local\s+)?(?:[\w.]+\s*=\s*)?function\b/,
	matlab: /^classdef\b/,
	ruby: /^(?:def|class|module)\b(?!.*=)/,
	vb: /^(?:[\w ]*\s)?(?:sub|function|class|module)\s/i,
};

/** Whether the end of a declaration is missing or elsewhere, in a language whose bodies end with a word. */
export function isUnended(lines: Lines, { head, body, declaration, clauses }: Item): boolean {
	const { language, code = "" } = lines[head] ?? {};
	return (
		language !== undefined &&
		declaration !== undefined &&
		clauses === undefined &&
		body === undefined &&
		opener[language.id]?.test(code.trim()) === true &&
		!/\bend\b/.test(code)
	);
}

export function isGroupHead(lines: Lines, { head }: Item): boolean {
	return /\{\s*\}\s*;?$/.test(lines[head]?.code ?? "");
}

/**
 * Whether replacing an item would lose parts that the block may merely omit: all members of a type, a mapping of a list, or a key of an object on one
 * line.
 */
export function losesMembers(old: Lines, item: Item, block: Lines, fresh: Item): boolean {
	const names = (lines: Lines, of: Item): string[] =>
		membersOf(lines, of).flatMap(member => keyOf(lines, member, []) ?? []);
	const keys = (lines: Lines, { head, end }: Item): string[] =>
		regionText(lines, { first: head, end })
			.replace(/^[^{]*/, "")
			.match(/"[^"]*"(?=\s*:)/g) ?? [];
	const isLost = (known: readonly string[], wanted: readonly string[]): boolean =>
		known.some(name => !wanted.includes(name));
	const [known, wanted] = [names(old, item), names(block, fresh)];
	const isEntry = old[item.head]?.language.id === "yaml" && item.declaration?.kind === "titled";
	if (isEntry || old[item.body?.first ?? 0]?.text.trim().startsWith("- ") === true) {
		return isLost(known, wanted) || losesNested(old, item, block, fresh);
	}
	const isObject =
		old[item.head]?.language.id === "json" && /:\s*\{/.test(old[item.head]?.text ?? "");
	const areTargets = item.declaration?.name.startsWith(".PHONY ") === true;
	return (
		(areTargets && isLost(regionWords(old, item), regionWords(block, fresh))) ||
		(item.declaration?.kind === "data" &&
			known.length > 0 &&
			wanted.length > 0 &&
			!known.some(name => wanted.includes(name))) ||
		(isObject && isLost(keys(old, item), keys(block, fresh)))
	);
}

/** Whether a mapping in an entry of a list would lose keys. */
function losesNested(old: Lines, item: Item, block: Lines, fresh: Item): boolean {
	const news = membersOf(block, fresh);
	return membersOf(old, item).some(member => {
		const key = keyOf(old, member, []);
		const other = news.find(each => key !== undefined && keyOf(block, each, []) === key);
		return (
			other !== undefined &&
			member.body !== undefined &&
			other.body !== undefined &&
			(membersOf(old, member).some(inner => {
				const name = keyOf(old, inner, []);
				return (
					name !== undefined &&
					!membersOf(block, other).some(each => keyOf(block, each, []) === name)
				);
			}) ||
				losesNested(old, member, block, other))
		);
	});
}

export function regionText(lines: Lines, { first, end }: Region): string {
	return lines
		.slice(first, end)
		.map(({ text }) => text)
		.join("\n");
}

export function regionWords(lines: Lines, region: Region): string[] {
	return plainText(lines, region).match(/\w+/g) ?? [];
}

/** Keeps an export exported if the block omits the keyword. */
export function withExport(lines: readonly string[], old = ""): string[] {
	const word =
		/^export\s+(?:default\s+)?(?=(?:async|function|class|abstract|const|let|var|interface|type|enum)\b)/.exec(
			old,
		)?.[0];
	const [first = "", ...rest] = lines;
	return word !== undefined &&
		/^(?:async|function|class|abstract|const|let|var|interface|type|enum)\b/.test(first)
		? [word + first, ...rest]
		: [...lines];
}

export function oldOf(entry: Entry | undefined): Item | undefined {
	return entry && entry.type !== "added" ? entry.old : undefined;
}
