import { headOf, type Item, membersOf } from "./items.ts";
import { isGroup, type Lines, matchMember, type Pairs, Unplaced } from "./match.ts";

interface Sources {
	readonly old: Lines;
	readonly olds: readonly Item[];
	readonly block: Lines;
}

/** Assigns a block's items to the groups of the text where they belong; undefined is the file. Throws `Unplaced`. */
export function homesOf(
	sources: Sources,
	news: readonly Item[],
	pairs: Pairs,
): Map<Item | undefined, Item[]> {
	const homes = new Map<Item | undefined, Item[]>();
	let home: Item | undefined;
	for (const fresh of news) {
		home = pairs.has(fresh) ? undefined : homeOf(sources, fresh, home);
		homes.set(home, [...(homes.get(home) ?? []), fresh]);
	}
	return homes;
}

/** Returns the group that a block's item belongs in if it is shown without it, or undefined for the file itself. */
function homeOf(
	{ old, olds, block }: Sources,
	fresh: Item,
	above: Item | undefined,
): Item | undefined {
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
	if (language?.id === "markdown" && fresh.declaration) {
		const level = (item: Item, lines: Lines): number =>
			/^#*/.exec(lines[item.head]?.text ?? "")?.[0].length ?? 0;
		const root = groups.length === 1 ? groups[0] : undefined;
		return above ?? (root && level(root, old) < level(fresh, block) ? root : undefined);
	}
	if (isMemberOnly({ old, olds, block }, fresh)) {
		return above ?? innermost(old, only(groups));
	}
	if (language?.id === "toml" && fresh.declaration?.kind === "key" && groups.length > 0) {
		throw new Unplaced();
	}
	const wrapper =
		groups.length === 1 && /^namespace\b/.test(headOf(old, groups[0] ?? fresh))
			? groups[0]
			: undefined;
	return old[0]?.language.id !== language?.id ? unplaced() : wrapper;
}

/** Whether an item can only be in a group, not at the top level. */
function isMemberOnly({ old, olds, block }: Sources, fresh: Item): boolean {
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

/** If a namespace contains a single class, members of that class belong there. */
function innermost(old: Lines, group: Item): Item {
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
