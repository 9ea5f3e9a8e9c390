import { type Declaration, declarationOf, parameterTypes } from "./declaration.ts";
import { findLine, type Line, widthOf } from "./lines.ts";

/** A range of lines, counted from 0; `end` is exclusive. */
export interface Region {
	readonly first: number;
	readonly end: number;
}

/** A part of a text: a declaration, an import, a statement, a separate comment, or a mark of omitted code. */
export interface Item extends Region {
	/** The line after its comments and decorators. */
	readonly head: number;
	readonly type: "code" | "comment" | "elision" | "import";
	readonly declaration: Declaration | undefined;
	/** The lines between its first and last. */
	readonly body: Region | undefined;
	readonly parent: Item | undefined;
}

/** Splits lines into items at the top level. */
export function itemsIn(lines: readonly Line[], region: Region, parent?: Item): Item[] {
	const language = lines[region.first]?.language;
	if (language?.id === "markdown") {
		return sectionsIn(lines, region, parent);
	}
	const items: Item[] = [];
	for (let at = region.first; at < region.end;) {
		if (lines[at]?.isBlank) {
			at += 1;
			continue;
		}
		const item = itemAt(lines, at, region.end, parent);
		items.push(item);
		at = item.end;
	}
	return nameSignatures(lines, items);
}

/** Returns the text of lines without surrounding whitespace and blank lines. */
export function plainText(lines: readonly Line[], { first, end }: Region): string {
	return lines
		.slice(first, end)
		.filter(line => !line.isBlank)
		.map(({ text }) => text.trim().replaceAll(/\s+/g, " "))
		.join("\n");
}

/** Returns an item's head on one line, up to the bracket that opens its body. `code` omits strings and comments. */
export function headOf(
	lines: readonly Line[],
	{ head, body, end }: Pick<Item, "head" | "body" | "end">,
	part: "text" | "code" = "text",
): string {
	const last = Math.min(body?.first ?? end, head + 12, end);
	return lines
		.slice(head, Math.max(last, head + 1))
		.map(line => line[part].trim())
		.join(" ");
}

export function membersOf(lines: readonly Line[], item: Item): Item[] {
	return item.body ? itemsIn(lines, item.body, item) : [];
}

function itemAt(
	lines: readonly Line[],
	first: number,
	limit: number,
	parent: Item | undefined,
): Item {
	const base = { first, parent, declaration: undefined, body: undefined };
	if (lines[first]?.isElision) {
		return { ...base, head: first, end: first + 1, type: "elision" };
	}
	let head = first;
	while (head < limit && isLeading(lines, head)) {
		head = endOfLeading(lines, head, limit);
	}
	const line = lines[head];
	if (!line || head >= limit || line.isBlank || line.isElision) {
		return { ...base, head, end: head, type: "comment" };
	}
	const end = endOfStatement(lines, head, limit);
	const body = bodyOf(lines, head, end);
	const bare = { head, end, body };
	const text = withoutDecorator(headOf(lines, bare));
	const language = line.language;
	if (language.importLine?.test(text)) {
		return { ...base, head, end, body, type: "import" };
	}
	const isInGroup = parent?.declaration?.kind === "group" || parent?.declaration?.kind === "data";
	const code = withoutDecorator(headOf(lines, bare, "code").trim());
	const found = declarationOf(text, code, language.id, isInGroup);
	const declaration = found && refine(found, lines, { first, head }, text);
	return { ...base, head, end, body, type: "code", declaration };
}

/** Adds what distinguishes declarations of the same name: parameters, and the accessor named by a decorator. */
function refine(
	found: Declaration,
	lines: readonly Line[],
	{ first, head }: { readonly first: number; readonly head: number },
	text: string,
): Declaration {
	const language = lines[head]?.language;
	const accessor = lines
		.slice(first, head)
		.map(line => /^@\w+\.(setter|deleter)$/.exec(line.text.trim())?.[1])
		.find(name => name !== undefined);
	const name = accessor === undefined ? found.name : `${found.name}.${accessor}`;
	return language?.hasOverloads === true && found.kind === "value" && found.isVariable !== true
		? { ...found, name, parameters: parameterTypes(text, language.id) }
		: { ...found, name: name.replaceAll(/\s+/g, " ").trim() };
}

function withoutDecorator(head: string): string {
	return head.replace(/^(?:@[\w.]+(?:\([^()]*(?:\([^()]*\)[^()]*)*\))?\s+)+(?=\S)/, "");
}

/** Whether a line is a comment or a decorator of the item below. */
function isLeading(lines: readonly Line[], at: number): boolean {
	const line = lines[at];
	if (!line || line.isBlank || line.isElision) {
		return false;
	}
	const text = line.text.trim();
	return (
		(line.isComment && !text.startsWith("#!")) ||
		(line.language.decorator?.test(text) === true && text === withoutDecorator(text))
	);
}

function endOfLeading(lines: readonly Line[], at: number, limit: number): number {
	let end = at + 1;
	const base = lines[at]?.before ?? 0;
	// A decorator with multiline brackets, or a comment with blank lines.
	while (end < limit && ((lines[end - 1]?.after ?? 0) > base || lines[end]?.isInside)) {
		end += 1;
	}
	return end;
}

/** Returns the end of a statement, by its brackets, deeper indentation and continuation lines. */
function endOfStatement(lines: readonly Line[], head: number, limit: number): number {
	const base = lines[head]?.before ?? 0;
	const width = lines[head]?.width ?? 0;
	const language = lines[head]?.language;
	if (language?.id === "toml" && lines[head]?.text.trim().startsWith("[")) {
		const next = findLine(
			lines,
			head + 1,
			limit,
			line => /^\s*\[[\w["]/.test(line.text) && line.before === 0,
		);
		return trimEnd(lines, head, next === undefined ? limit : startOfLeading(lines, next));
	}
	const tag =
		language?.id === "html" ? /^<([\w-]+)/.exec(lines[head]?.text.trim() ?? "")?.[1] : undefined;
	if (tag !== undefined && !lines[head]?.text.includes(`</${tag}`)) {
		const isClose = (line: Line): boolean =>
			line.width === width && line.text.trim().startsWith(`</${tag}`);
		return (findLine(lines, head + 1, limit, isClose) ?? head) + 1;
	}
	let last = head;
	for (let at = head + 1; at < limit; at += 1) {
		const line = lines[at];
		if (!line || line.isBlank) {
			continue;
		}
		const isOpen = (lines[at - 1]?.after ?? 0) > base || line.isInside;
		if (!isOpen && (line.isElision || (line.isComment && line.width <= width))) {
			const above = lines[last];
			if (line.isElision && line.width > width && above && !isLabel(above)) {
				last = at;
				continue;
			}
			const isCode = (other: Line): boolean => !other.isBlank && !other.isComment;
			const next = findLine(lines, at + 1, limit, isCode);
			if (line.isElision || next === undefined || !goesOn(lines, last, next, width)) {
				break;
			}
			continue;
		}
		if (!isOpen && !goesOn(lines, last, at, width)) {
			break;
		}
		last = at;
	}
	return last + 1;
}

/** Whether a line continues the statement above, whose brackets are closed in line `last`. */
function goesOn(lines: readonly Line[], last: number, at: number, width: number): boolean {
	const [line, above] = [lines[at], lines[last]];
	if (!line || !above) {
		return false;
	}
	const { language } = line;
	const text = line.text.trim();
	const ended = above.code.trimEnd();
	if (isLabel(above)) {
		return false;
	}
	if (line.width > width && !(language.hasTerminators && endsAll(ended, language.id))) {
		return true;
	}
	if (language.goesOn.test(text) || /\\$|(?:=>?|->|&&|\|\||[^+]\+|\()$/.test(ended)) {
		return language.id !== "css" || !text.startsWith(".");
	}
	if (language.id === "yaml") {
		return (
			text.startsWith("- ") &&
			/:\s*(?:#.*)?$/.test(above.text) &&
			line.width === width &&
			!above.text.trim().startsWith("- ")
		);
	}
	return (
		language.hasTerminators &&
		!/[;{}:]$|^#/.test(ended.trim()) &&
		!(ended.endsWith(",") && language.id !== "css") &&
		!isTag(ended)
	);
}

/** Whether nothing deeper can follow a line with this end, in a language with semicolons. */
function endsAll(code: string, id: string): boolean {
	return id !== "sql" && /[;}]$/.test(code) && !/\b(?:case|default)\b/.test(code);
}

/** `public:` in a class. */
function isLabel({ code, language }: Line): boolean {
	return language.id === "cpp" && /^\s*(?:public|private|protected)\b[\w\s]*:\s*$/.test(code);
}

function isTag(code: string): boolean {
	return /^<\?php|^\?>/.test(code.trim());
}

function trimEnd(lines: readonly Line[], head: number, end: number): number {
	let last = end;
	while (last > head + 1 && lines[last - 1]?.isBlank) {
		last -= 1;
	}
	return last;
}

function startOfLeading(lines: readonly Line[], at: number): number {
	let first = at;
	while (lines[first - 1]?.isComment) {
		first -= 1;
	}
	return first;
}

function bodyOf(lines: readonly Line[], head: number, end: number): Region | undefined {
	const last = lines[end - 1];
	const language = lines[head]?.language;
	if (!last || !language || end - head < 2) {
		return undefined;
	}
	const base = lines[head]?.before ?? 0;
	if (language.id === "python") {
		const isHeader = (line: Line): boolean =>
			line.after === base && line.code.trimEnd().endsWith(":");
		const header = findLine(lines, head, end, isHeader);
		if (header !== undefined && header + 1 < end) {
			return { first: header + 1, end };
		}
	}
	const isHeader =
		language.id === "toml" ? /^\s*\[/ : language.id === "yaml" ? /:\s*(?:#.*)?$/ : undefined;
	if (isHeader?.test(lines[head]?.text ?? "")) {
		return { first: head + 1, end };
	}
	if (last.opener !== undefined && last.opener >= head) {
		return { first: last.opener + 1, end: end - 1 };
	}
	if (
		"ruby shell other".includes(language.id) &&
		/^(?:end|done|fi|esac|\})\b/.test(last.text.trim())
	) {
		return { first: head + 1, end: end - 1 };
	}
	if (language.id === "html") {
		return last.text.trim().startsWith("</")
			? {
					first: (findLine(lines, head, end, line => line.text.includes(">")) ?? head) + 1,
					end: end - 1,
				}
			: undefined;
	}
	return "yaml make toml".includes(language.id) ? { first: head + 1, end } : undefined;
}

/** Uses signatures' text as their names, because they share the name of the function below them. */
function nameSignatures(lines: readonly Line[], items: readonly Item[]): Item[] {
	return items.map((item, at) => {
		const { declaration, head } = item;
		const isOverloaded =
			declaration?.kind === "value" &&
			declaration.isVariable !== true &&
			items[at + 1]?.declaration?.name === declaration.name;
		const text = headOf(lines, item);
		const isSignature =
			lines.slice(item.first, head).some(line => /^@(?:\w+\.)?overload$/.test(line.text.trim())) ||
			(lines[head]?.language.id === "js" && !/[={}]/.test(lines[item.end - 1]?.code ?? ""));
		return isOverloaded && isSignature
			? { ...item, declaration: { kind: "titled", name: `signature ${text}` } }
			: item;
	});
}

/** Splits Markdown into sections: a heading with everything below it. The text before the subsections is one item. */
function sectionsIn(lines: readonly Line[], region: Region, parent: Item | undefined): Item[] {
	const levels = headingLevels(lines, region);
	const items: Item[] = [];
	let at = region.first;
	while (at < region.end) {
		if (lines[at]?.isBlank) {
			at += 1;
			continue;
		}
		const level = levels.get(at);
		const next = [...levels].find(
			([line, other]) => line > at && (level === undefined || other <= level),
		)?.[0];
		const limit = Math.min(next ?? region.end, region.end);
		const end = trimEnd(lines, at, limit);
		const name = (lines[at]?.text ?? "")
			.replace(/^#+\s*/, "")
			.replace(/\s*#*$/, "")
			.trim()
			.toLowerCase();
		items.push({
			first: at,
			head: at,
			end: lines[at]?.isElision ? at + 1 : end,
			parent,
			type: lines[at]?.isElision ? "elision" : "code",
			declaration:
				level === undefined
					? parent
						? { kind: "value", name: "text" }
						: undefined
					: { kind: "group", name },
			body: level === undefined ? undefined : { first: at + 1, end },
		});
		at = lines[at]?.isElision ? at + 1 : limit;
	}
	return items;
}

function headingLevels(lines: readonly Line[], { first, end }: Region): Map<number, number> {
	const levels = new Map<number, number>();
	let fence: string | undefined;
	for (let at = first; at < end; at += 1) {
		const text = lines[at]?.text ?? "";
		const mark = /^ {0,3}(`{3,}|~{3,})/.exec(text)?.[1];
		if (mark !== undefined && (fence === undefined || mark.startsWith(fence))) {
			fence = fence === undefined ? mark : undefined;
		} else if (fence === undefined && /^#{1,6}\s/.test(text)) {
			levels.set(at, widthOf(text) + (/^#+/.exec(text)?.[0].length ?? 1));
		}
	}
	return levels;
}
