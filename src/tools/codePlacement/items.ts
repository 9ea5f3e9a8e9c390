import { declarationOf, parameterTypes } from "./declaration.ts";
import type { Declaration } from "./reader.ts";
import { findLine, type Line } from "./lines.ts";
import type { Item, Region } from "./item.ts";
import { sectionsIn } from "./sections.ts";

/** Splits lines into items at the top level. */
export function itemsIn(lines: readonly Line[], region: Region, parent?: Item): Item[] {
	const language = lines[region.first]?.language;
	if (language?.form === "sections") {
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
	return nameSignatures(lines, language?.hasClauses === true ? joinClauses(items) : items);
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
	const refined = found && refine(found, lines, { first, head }, text);
	const isAnnounced = language.id === "pascal" && refined?.kind === "value" && body === undefined;
	const declaration =
		refined && isAnnounced ? { ...refined, name: `forward ${refined.name}` } : refined;
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
	const { width = 0, language } = lines[at] ?? {};
	const isDeeper = (line: Line | undefined): boolean =>
		language?.hasClauses === true && line !== undefined && !line.isBlank && line.width > width;
	// A decorator with multiline brackets or a signature on several lines, or a comment with blank lines.
	while (
		end < limit &&
		((lines[end - 1]?.after ?? 0) > base || lines[end]?.isInside || isDeeper(lines[end]))
	) {
		end += 1;
	}
	return end;
}

/** Returns the end of a statement, by its brackets, deeper indentation and continuation lines. */
function endOfStatement(lines: readonly Line[], head: number, limit: number): number {
	const base = lines[head]?.before ?? 0;
	const width = lines[head]?.width ?? 0;
	const language = lines[head]?.language;
	if (language?.form === "lines") {
		return findLine(lines, head + 1, limit, line => !line.isInside) ?? limit;
	}
	const ended = endByWord(lines, head, limit);
	if (ended !== undefined) {
		return ended;
	}
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
		if (line?.isBlank === true && line.text.trim() !== "") {
			// The end of a batch of SQL.
			break;
		}
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

/** Returns the end of an item whose last line is known by a word, or undefined for any other. */
function endByWord(lines: readonly Line[], head: number, limit: number): number | undefined {
	const { language, text = "", width = 0 } = lines[head] ?? {};
	const ending = language?.endingOf?.(text.trim());
	if (!ending) {
		return undefined;
	}
	let [depth, hasBegun] = [0, false];
	for (let at = head; at < limit; at += 1) {
		const code = lines[at]?.code.trim() ?? "";
		const isEnd = at > head && lines[at]?.width === width && ending.test(code);
		if (language?.id !== "pascal") {
			if (isEnd) {
				return /^end/i.test(code) ? at + 1 : trimEnd(lines, head, startOfLeading(lines, at));
			}
			continue;
		}
		if (isEnd && !hasBegun) {
			// Only announced here: its code is elsewhere.
			return (findLine(lines, head, limit, line => line.code.includes(";")) ?? head) + 1;
		}
		depth += code.match(/\b(?:begin|case|try|asm)\b/gi)?.length ?? 0;
		hasBegun ||= depth > 0;
		depth -= hasBegun ? (code.match(/\bend\b/gi)?.length ?? 0) : 0;
		if (hasBegun && depth <= 0) {
			return at + 1;
		}
	}
	return language?.id === "matlab" ? trimEnd(lines, head, limit) : undefined;
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
	if (
		language.ending?.test(text) === true &&
		language.ending.test(above.text.trim()) &&
		above.width <= width
	) {
		// The end of what is around the statement, without indentation.
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
export function isLabel(line: Line | undefined): boolean {
	const { code = "", language } = line ?? {};
	return language?.id === "pascal"
		? /^\s*(?:interface|implementation|initialization|finalization)\s*$/i.test(code)
		: language?.id === "cpp" && /^\s*(?:public|private|protected)\b[\w\s]*:\s*$/.test(code);
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
	if (language.ending?.test(last.text.trim()) === true) {
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

/** Makes the clauses of a function one item. */
function joinClauses(items: readonly Item[]): Item[] {
	const joined: Item[] = [];
	for (const item of items) {
		const above = joined.at(-1);
		const { declaration } = item;
		if (
			above &&
			declaration?.kind === "value" &&
			declaration.isVariable !== true &&
			above.declaration?.name === declaration.name &&
			above.declaration.parameters === declaration.parameters &&
			above.declaration.kind === "value"
		) {
			joined[joined.length - 1] = {
				...above,
				end: item.end,
				body: undefined,
				clauses: (above.clauses ?? 1) + 1,
			};
		} else {
			joined.push(item);
		}
	}
	return joined;
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
