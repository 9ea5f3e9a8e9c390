import type { Item } from "./item.ts";
import { headOf, membersOf, plainText } from "./items.ts";
import type { Line } from "./lines.ts";

/** Thrown if a part of a block has no place or several. */
export class Unplaced extends Error {}

export type Lines = readonly Line[];

/**
 * How to treat members that a block doesn't show. In a file or group they stay. In a body they are removed if the block shows the code around them.
 */
export type Mode = "file" | "group" | "body";

/** Pairs of a block's items and the text's items they replace. */
export type Pairs = Map<Item, Item>;

/** Pairs the items of two levels by equal text, or else by name and kind. Throws `Unplaced` if a name has several candidates. */
export function matchItems(
	old: Lines,
	olds: readonly Item[],
	block: Lines,
	news: readonly Item[],
	mode: Mode,
): Pairs {
	const pairs: Pairs = new Map();
	const taken = new Set<Item>();
	const known = olds.filter(({ type }) => type !== "import");
	const byText = Map.groupBy(known, item => `${item.type} ${plainText(old, item)}`);
	const byBareText = Map.groupBy(known, item => `${item.type} ${bareText(old, item)}`);
	const byKey = Map.groupBy(known, item => keyOf(old, item, olds));
	const finders = [
		(fresh: Item) => {
			const isBare = fresh.type === "code" && fresh.first === fresh.head;
			const same = (isBare ? byBareText : byText).get(`${fresh.type} ${plainText(block, fresh)}`);
			return same?.find(item => !taken.has(item));
		},
		(fresh: Item) => {
			const key = keyOf(block, fresh, news);
			const accessors = fresh.first === fresh.head ? ["", ".setter", ".deleter"] : [""];
			const like = accessors
				.flatMap(accessor => (key === undefined ? [] : (byKey.get(key + accessor) ?? [])))
				.filter(
					item => !taken.has(item) && (mode !== "file" || isMember(item) === isMember(fresh)),
				);
			return choose(fresh, like, mode);
		},
	];
	for (const find of finders) {
		for (const fresh of news.filter(({ type }) => type === "code" || type === "comment")) {
			const item = pairs.has(fresh) ? undefined : find(fresh);
			if (item) {
				pairs.set(fresh, item);
				taken.add(item);
			}
		}
	}
	return pairs;
}

/** Returns the member of the text that a block's item replaces if it is shown without its group. */
export function matchMember(
	old: Lines,
	olds: readonly Item[],
	block: Lines,
	fresh: Item,
): Item | undefined {
	const { declaration } = fresh;
	const language = block[fresh.head]?.language;
	if (!declaration || declaration.kind === "data" || declaration.kind === "key") {
		return undefined;
	}
	const key = keyOf(block, fresh, []);
	const candidates = olds
		.flatMap(item => allMembers(old, item))
		.filter(item => keyOf(old, item, []) === key && isMember(item) === isMember(fresh));
	const isField = /^(?:public|private|protected|internal|static|final|readonly|const)\b/.test(
		block[fresh.head]?.text.trim() ?? "",
	);
	if (
		candidates.length > 0 &&
		declaration.isVariable === true &&
		!(isField && language?.hasTerminators === true)
	) {
		// A variable outside a class isn't the member of the same name.
		throw new Unplaced();
	}
	return choose(fresh, candidates, "file");
}

/** Whether an item's members are shown and replaced individually. */
export function isGroup(lines: Lines, item: Item): boolean {
	const { declaration, body, head } = item;
	const language = lines[head]?.language.id;
	if (!body || !declaration) {
		return false;
	}
	if (declaration.kind === "key") {
		const first = lines
			.slice(body.first, body.end)
			.find(line => !line.isBlank && !line.isComment)
			?.text.trim();
		const isList = first?.startsWith("- ") === true || first === "-";
		return language === "yaml"
			? !isList && /:\s*(?:#.*)?$/.test(lines[head]?.text ?? "")
			: /\{\s*$/.test(lines[head]?.code ?? "");
	}
	return declaration.kind === "group";
}

/** Returns the key of an item among its siblings, or undefined if only its text identifies it. */
export function keyOf(lines: Lines, item: Item, siblings: readonly Item[]): string | undefined {
	const { declaration, type, body } = item;
	if (type !== "code") {
		return undefined;
	}
	if (declaration) {
		const isType = declaration.kind === "group" || declaration.kind === "data";
		return `${isType ? "type" : declaration.kind} ${declaration.name}${declaration.parameters === undefined ? "" : "()"}`;
	}
	if (body) {
		return `head ${headOf(lines, item).replaceAll(/\s+/g, " ")}`;
	}
	const isReturn = /^return\b/.test(lines[item.head]?.code.trim() ?? "");
	return isReturn && siblings.findLast(other => other.type === "code") === item
		? "return"
		: undefined;
}

/** Whether an item omits a part of what it names. */
export function isElided(lines: Lines, item: Item): boolean {
	return lines.slice(item.head, item.end).some(line => line.isElision) || isStub(lines, item);
}

const inlineStub = /\{\s*(?:\/\*.*\*\/|\/\/.*|\.{3}|…)\s*\}?[\s;,)]*$/;

/** Whether an item shows only its head. */
export function isStub(lines: Lines, item: Item): boolean {
	const { body, head, end } = item;
	if (!body) {
		const text = lines[head]?.text.trim() ?? "";
		if (lines[head]?.language.id === "python") {
			return end === head + 1 && isPythonStub(text) && !isProtocol(lines, item);
		}
		return (
			end === head + 1 &&
			inlineStub.test(text) &&
			/\.{3}|…|existing|unchanged|same|rest/i.test(text)
		);
	}
	const inner = lines.slice(body.first, body.end).filter(line => !line.isBlank);
	return (
		inner.some(line => line.isElision) && inner.every(line => line.isElision || line.isComment)
	);
}

/** Whether a function on one line has dots as its body. */
function isPythonStub(text: string): boolean {
	return /^(?:async\s+)?(?:def|class)\b.*:\s*\.{3}$/.test(text);
}

function isProtocol(lines: Lines, { first, head, parent }: Item): boolean {
	return (
		(parent !== undefined && /\bProtocol\b/.test(headOf(lines, parent))) ||
		lines
			.slice(first, head)
			.some(({ text }) => /^@(?:[\w.]*\.)?(?:overload|abstract\w+)$/.test(text.trim()))
	);
}

/** Whether a function of Python does nothing: it has dots or `pass` as its body. */
export function isBlankBody(lines: Lines, { head, end, body }: Item): boolean {
	return body
		? lines.slice(body.first, body.end).every(({ text }) => /^(?:\.{3}|pass|)$/.test(text.trim()))
		: end === head + 1 && isPythonStub(lines[head]?.text.trim() ?? "");
}

function choose(fresh: Item, candidates: readonly Item[], mode: Mode): Item | undefined {
	const parameters = fresh.declaration?.parameters;
	const exact = candidates.filter(({ declaration }) => declaration?.parameters === parameters);
	if (exact.length !== 1 && candidates.length > 0 && mode !== "body") {
		throw new Unplaced();
	}
	return exact.length === 1 ? exact[0] : undefined;
}

function isMember({ declaration }: Item): boolean {
	return declaration?.isMember === true;
}

function bareText(lines: Lines, { head, end }: Item): string {
	return plainText(lines, { first: head, end });
}

/** Returns all items below an item where they may be shown alone. */
export function allMembers(lines: Lines, item: Item): Item[] {
	const isSearched =
		isGroup(lines, item) ||
		/^(?:html|yaml)$/.test(lines[item.head]?.language.id ?? "") ||
		(lines[item.head]?.language.id === "other" && item.declaration?.kind !== "value") ||
		isObject(lines, item);
	return isSearched
		? membersOf(lines, item).flatMap(member => [member, ...allMembers(lines, member)])
		: [];
}

/** Whether an item is the object that a script exports, or an object in it. Its methods may be shown alone. */
export function isObject(lines: Lines, { head, parent, body }: Item): boolean {
	const { language, code = "" } = lines[head] ?? {};
	return (
		language?.id === "js" &&
		body !== undefined &&
		(/^(?:export\s+default|module\.exports\s*=)\s*(?:[\w.]+\(\s*)?\{\s*$/.test(code.trim()) ||
			(/^[\w$]+\s*:\s*\{\s*$/.test(code.trim()) && parent !== undefined && isObject(lines, parent)))
	);
}
