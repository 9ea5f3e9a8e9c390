import type { Item } from "./item.ts";
import { headOf, membersOf } from "./items.ts";
import {
	allMembers,
	isGroup,
	isObject,
	type Lines,
	matchMember,
	type Pairs,
	Unplaced,
} from "./match.ts";
import { levelOf } from "./sections.ts";

export interface Sources {
	readonly old: Lines;
	readonly olds: readonly Item[];
	readonly block: Lines;
	readonly news: readonly Item[];
}

/** Assigns a block's items to the groups of the text where they belong; undefined is the file. Throws `Unplaced`. */
export function homesOf(
	sources: Sources,
	news: readonly Item[],
	pairs: Pairs,
): Map<Item | undefined, Item[]> {
	const homes = new Map<Item | undefined, Item[]>();
	let home: Item | undefined;
	const isInside = isYamlPart(sources.block);
	if (isInside && [...pairs.keys()].some(({ type }) => type === "code")) {
		throw new Unplaced();
	}
	for (const fresh of news) {
		const found = pairs.has(fresh) ? undefined : homeOf(sources, fresh, home);
		home =
			found &&
			([...homes.keys()].find(known => known?.first === found.first && known.end === found.end) ??
				found);
		homes.set(home, [...(homes.get(home) ?? []), fresh]);
	}
	return homes;
}

/** Returns the group that a block's item belongs in if it is shown without it, or undefined for the file itself. */
function homeOf(sources: Sources, fresh: Item, above: Item | undefined): Item | undefined {
	const { old, olds, block } = sources;
	const language = block[fresh.head]?.language;
	if (fresh.type === "elision" || fresh.type === "comment") {
		return above;
	}
	const groups = olds.filter(item => isGroup(old, item));
	if (old[0]?.language.id === "html" && language?.id !== "html" && fresh.type === "import") {
		return only(groups.filter(group => old[group.head]?.text.includes("<script")));
	}
	if (fresh.type === "import") {
		return undefined;
	}
	const known = matchMember(old, olds, block, fresh)?.parent;
	if (known) {
		return known;
	}
	if (language?.form === "sections" && fresh.declaration) {
		const root = groups.length === 1 ? groups[0] : undefined;
		return above ?? (root && levelOf(old, root) < levelOf(block, fresh) ? root : undefined);
	}
	if (isMemberOnly({ old, olds, block }, fresh)) {
		return above ?? innermost(old, only(groups));
	}
	if (language?.id === "yaml") {
		return yamlHome(sources, fresh, above);
	}
	if (
		language?.id === "other" &&
		!olds.some(({ declaration }) => declaration && declaration.kind === fresh.declaration?.kind) &&
		fresh.declaration
	) {
		// Where declarations of an unknown language go is known only by others.
		throw new Unplaced();
	}
	if (language?.id === "toml" && fresh.declaration?.kind === "key" && groups.length > 0) {
		throw new Unplaced();
	}
	const head = block[fresh.head]?.text.trim();
	if (
		/^(?:groovy|hcl)$/.test(language?.id ?? "") &&
		old.some(({ width, text }) => width > 0 && text.trim() === head)
	) {
		// A block of settings inside others has no name that is its own.
		throw new Unplaced();
	}
	const wrapper =
		groups.length === 1 && /^namespace\b/.test(headOf(old, groups[0] ?? fresh))
			? groups[0]
			: undefined;
	return old[0]?.language.id !== language?.id ? unplaced() : wrapper;
}

/** Whether a block of YAML is indented, so that it isn't from the root. */
function isYamlPart(block: Lines): boolean {
	return block[0]?.language.id === "yaml" && block.every(line => line.isBlank || line.width > 0);
}

/** Returns the mapping or list that an entry of YAML belongs in if it isn't in the root. Throws `Unplaced`. */
function yamlHome(
	{ old, olds, block, news }: Sources,
	fresh: Item,
	above: Item | undefined,
): Item | undefined {
	const isEntry = (lines: Lines, { head }: Item): boolean =>
		/^-(?:\s|$)/.test(lines[head]?.text.trim() ?? "");
	const members = olds.flatMap(item => allMembers(old, item));
	const name = fresh.declaration?.name ?? "";
	if (isEntry(block, fresh)) {
		const beside = news.flatMap(item => matchMember(old, olds, block, item)?.parent ?? []);
		return above ?? (olds.some(item => isEntry(old, item)) ? undefined : onlyPlace(beside));
	}
	const isPath = name.startsWith("/");
	const isPart = isYamlPart(block);
	const alike = members.filter(item => item.declaration?.name === name);
	if (isPath || isPart) {
		const siblings = members.filter(
			item => isPath && item.declaration?.name.startsWith("/") === true,
		);
		const width = block[fresh.head]?.width;
		const found = alike.filter(({ head }) => !isPart || old[head]?.width === width);
		return found.length > 0 || !isPath
			? only(found).parent
			: onlyPlace(siblings.map(({ parent }) => parent));
	}
	// Its parts may be those of a mapping below the root.
	const inner = new Set(membersOf(block, fresh).map(({ declaration }) => declaration?.name));
	const isLikeNested = members.some(
		item => item.parent?.parent !== undefined && inner.has(item.declaration?.name ?? "-"),
	);
	return alike.length > 0 || isLikeNested ? unplaced() : undefined;
}

/** Whether an item can only be in a group, not at the top level. */
function isMemberOnly({ old, olds, block }: Omit<Sources, "news">, fresh: Item): boolean {
	const { declaration } = fresh;
	const language = block[fresh.head]?.language.id ?? "";
	const head = headOf(block, fresh);
	if (declaration?.kind === "value") {
		return /^(?:java|cs)$/.test(language)
			? !/^(?:package|namespace) /.test(declaration.name) &&
					(declaration.isVariable !== true ||
						/^(?:public|private|protected|internal|static|final)\b/.test(head) ||
						unplaced())
			: (declaration.isMember === true && (language === "js" || language === "python")) ||
					(language === "elixir" && declaration.isVariable !== true) ||
					/^(?:public|private|protected)\s/.test(head);
	}
	const callee = declaration?.kind === "titled" ? declaration.name.split(" ")[0] : undefined;
	const isCallee = (item: Item): boolean =>
		item.declaration?.kind === "titled" && item.declaration.name.startsWith(`${callee} `);
	return (
		callee !== undefined &&
		/^(?:it|test|specify|example)$/.test(callee) &&
		!olds.some(isCallee) &&
		olds.some(item => isGroup(old, item) && membersOf(old, item).some(isCallee))
	);
}

/** Returns the only item of several that may be read more than once. */
function onlyPlace(items: readonly (Item | undefined)[]): Item | undefined {
	return only([...new Map(items.map(item => [item?.first, item])).values()]);
}

/** If a namespace contains a single class, or a page's script exports an object, members belong there. */
function innermost(old: Lines, group: Item): Item {
	if (old[group.head]?.language.id === "html") {
		return only(membersOf(old, group).filter(item => isGroup(old, item) || isObject(old, item)));
	}
	const inner = membersOf(old, group).filter(item => isGroup(old, item));
	return /^namespace\b/.test(headOf(old, group)) ? innermost(old, only(inner)) : group;
}

function only<T>(values: readonly T[]): T {
	const [value] = values;
	return value === undefined || values.length > 1 ? unplaced() : value;
}

function unplaced(): never {
	throw new Unplaced();
}
