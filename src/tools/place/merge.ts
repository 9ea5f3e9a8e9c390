import { arrange, type Entry, isPreamble, type Level } from "./arrange.ts";
import { fitImport } from "./imports.ts";
import {
	endsInComma,
	gapBetween,
	isCommaList,
	isGroupHead,
	leadingKinds,
	leadingOf,
	losesMembers,
	oldOf,
	tailOf,
	textOf,
	withComma,
	withExport,
	wordsOf,
} from "./itemText.ts";
import { headOf, type Item, itemsIn, membersOf, plainText, type Region } from "./items.ts";
import type { LineEdit } from "./lineChanges.ts";
import { createIndenter, type Indenter, indentOf } from "./lines.ts";
import {
	isElided,
	isGroup,
	isStub,
	type Lines,
	matchItems,
	matchMember,
	type Mode,
	type Pairs,
	Unplaced,
} from "./match.ts";

/** A declaration reported by the editor. */
export interface KnownSymbol extends Region {
	readonly name: string;
}

/**
 * Merges a block into a text: replaces items of the same name and kind, merges imports, and adds other items beside their neighbors in the block.
 * Removes nothing that the block doesn't name. Throws `Unplaced`.
 */
export function mergeBlock(old: Lines, block: Lines, symbols: readonly KnownSymbol[]): LineEdit[] {
	return new Merge(old, block, symbols).run();
}

class Merge {
	private readonly old: Lines;
	private readonly block: Lines;
	private readonly symbols: readonly KnownSymbol[];
	private readonly indenter: Indenter;
	private readonly edits: LineEdit[] = [];

	constructor(old: Lines, block: Lines, symbols: readonly KnownSymbol[]) {
		this.old = old;
		this.block = block;
		this.symbols = symbols;
		this.indenter = createIndenter(old, block);
	}

	run(): LineEdit[] {
		const olds = itemsIn(this.old, { first: 0, end: this.old.length });
		const news = itemsIn(this.block, { first: 0, end: this.block.length });
		const pairs = matchItems(this.old, olds, this.block, news, "file");
		const sources = { old: this.old, olds, block: this.block };
		for (const [group, items] of homesOf(sources, news, pairs)) {
			this.mergeLevel(
				group ? membersOf(this.old, group) : olds,
				items,
				group ? "group" : "file",
				group,
			);
		}
		return this.edits.toSorted((a, b) => a.first - b.first || a.end - b.end);
	}

	private mergeLevel(
		olds: readonly Item[],
		news: readonly Item[],
		mode: Mode,
		parent: Item | undefined,
	): void {
		this.mergeImports(
			olds,
			news.filter(({ type }) => type === "import"),
			parent,
		);
		const rest = news.filter(({ type }) => type !== "import");
		const pairs = matchItems(this.old, olds, this.block, rest, mode);
		const unknown = new Set(
			rest.filter(item => !pairs.has(item) && mode === "file" && this.replaceSymbol(item)),
		);
		const level: Level = {
			old: this.old,
			olds: mode === "body" ? olds.filter(({ type }) => type !== "import") : olds,
			block: this.block,
			news: rest.filter(item => !unknown.has(item)),
			pairs,
			mode,
		};
		// In Python, a new function may contain only dots.
		const isPart = (item: Item): boolean =>
			item.type === "code" &&
			isElided(this.block, item) &&
			!(this.block[item.head]?.language.id === "python" && isStub(this.block, item));
		if (level.news.some(item => !pairs.has(item) && isPart(item))) {
			throw new Unplaced();
		}
		this.write(arrange(level), level, parent);
	}

	/** Replaces a declaration that only the editor's symbols reveal. */
	private replaceSymbol(fresh: Item): boolean {
		const { declaration } = fresh;
		const found = this.symbols.filter(({ name }) => name === declaration?.name);
		const [symbol] = found;
		if (!symbol || declaration?.isVariable === true || declaration?.isMember === true) {
			return false;
		}
		if (found.length > 1 || isElided(this.block, fresh)) {
			throw new Unplaced();
		}
		this.replaceLines({ first: symbol.first, end: symbol.end }, fresh, fresh.head, undefined);
		return true;
	}

	private write(entries: readonly Entry[], level: Level, parent: Item | undefined): void {
		const isList = isCommaList(level);
		const last = entries.findLastIndex(({ type }) => type !== "removed");
		const comma = (at: number): boolean | undefined =>
			isList ? at < last || endsInComma(level) : undefined;
		for (let at = 0; at < entries.length; at += 1) {
			const entry = entries[at];
			if (entry?.type === "kept") {
				this.keep(entry.old, entry.fresh, comma(at));
				continue;
			}
			const end = entries.findIndex((other, index) => index > at && other.type === "kept");
			const changed = entries.slice(at, end === -1 ? undefined : end);
			this.change(changed, at, entries, level, parent, comma);
			at += changed.length - 1;
		}
	}

	/** Writes the items added between two kept ones, in place of those removed. */
	private change(
		changed: readonly Entry[],
		at: number,
		entries: readonly Entry[],
		level: Level,
		parent: Item | undefined,
		comma: (at: number) => boolean | undefined,
	): void {
		const [above, below] = [oldOf(entries[at - 1]), oldOf(entries[at + changed.length])];
		const removed = changed.flatMap(entry => (entry.type === "removed" ? [entry.old] : []));
		const base = this.baseOf(level, parent);
		const lines: string[] = [];
		let previous: Item | undefined;
		changed.forEach((entry, index) => {
			if (entry.type === "added") {
				const gap = previous ? gapBetween(level, previous, entry.fresh) : 0;
				const own = this.linesOf(entry.fresh, entry.fresh.first, base, comma(at + index));
				lines.push(...Array.from({ length: gap }, () => ""), ...own);
				previous = entry.fresh;
			}
		});
		const [first, end] = [removed[0]?.first, removed.at(-1)?.end];
		if (first !== undefined && end !== undefined) {
			const isAlone = lines.length === 0 && below !== undefined;
			this.edits.push({ first, end: isAlone ? below.first : end, lines });
			return;
		}
		const added = changed.flatMap(entry => (entry.type === "added" ? [entry] : []));
		const isBefore = added[0]?.side === "before" && below !== undefined;
		const beside = isBefore ? below : above;
		const gap = beside
			? gapBetween(
					level,
					isBefore ? (previous ?? beside) : beside,
					isBefore ? beside : (added[0]?.fresh ?? beside),
				)
			: 0;
		const blank = Array.from({ length: gap }, () => "");
		if (isBefore) {
			this.edits.push({ first: below.first, end: below.first, lines: [...lines, ...blank] });
		} else {
			const place = above?.end ?? parent?.body?.first ?? 0;
			this.edits.push({ first: place, end: place, lines: [...(above ? blank : []), ...lines] });
		}
	}

	private baseOf({ olds }: Level, parent: Item | undefined): string {
		const sibling = olds.find(({ type }) => type === "code") ?? olds[0];
		if (sibling) {
			return indentOf(this.old[sibling.head]?.text);
		}
		return parent ? `${indentOf(this.old[parent.head]?.text)}${this.indenter.step}` : "";
	}

	/** Keeps an item unchanged, merges its members, or replaces it. */
	private keep(old: Item, fresh: Item | undefined, comma: boolean | undefined): void {
		const isSame =
			!fresh ||
			isStub(this.block, fresh) ||
			plainText(this.old, { ...old, first: old.head }) ===
				plainText(this.block, { ...fresh, first: fresh.head });
		const isMerged = fresh && (isElided(this.block, fresh) || this.isMergedGroup(old, fresh));
		if (fresh && !isStub(this.block, fresh)) {
			this.replaceLeading(old, fresh);
		}
		if (isSame || isMerged) {
			if (!isSame && fresh) {
				this.mergeMembers(old, fresh, comma);
			} else if (old.type === "code") {
				this.addComma(old, comma);
			}
			return;
		}
		this.checkSymbols(old);
		if (losesMembers(this.old, old, this.block, fresh)) {
			throw new Unplaced();
		}
		this.replaceLines({ first: old.head, end: old.end }, fresh, fresh.head, comma);
	}

	private isMergedGroup(old: Item, fresh: Item): boolean {
		const nested = membersOf(this.block, fresh);
		const isNestedStyle =
			this.block[fresh.head]?.language.id === "css" &&
			nested.length > 0 &&
			nested.every(
				({ declaration }) =>
					declaration?.kind === "data" || declaration?.name.startsWith("--") === true,
			);
		return (
			(isGroup(this.old, old) &&
				(isGroup(this.block, fresh) ||
					(fresh.body === undefined && isGroupHead(this.block, fresh)))) ||
			isNestedStyle
		);
	}

	private mergeMembers(old: Item, fresh: Item, comma: boolean | undefined): void {
		if (!old.body || !fresh.body) {
			throw new Unplaced();
		}
		const isData =
			isGroup(this.old, old) ||
			old.declaration?.kind === "data" ||
			old.declaration?.kind === "group";
		const oldHead = { first: old.head, end: old.body.first };
		const freshHead = { first: fresh.head, end: fresh.body.first };
		const base = indentOf(this.old[old.head]?.text);
		const known = wordsOf(this.old, oldHead);
		// A skeleton often abbreviates the head.
		if (!isData || wordsOf(this.block, freshHead).some(word => !known.includes(word))) {
			const lines = this.linesOf({ ...fresh, end: fresh.body.first }, fresh.head, base);
			this.edits.push({ ...oldHead, lines: withExport(lines, this.old[old.head]?.text) });
		}
		if (old.body.end < old.end) {
			this.addComma(old, comma);
		}
		this.mergeLevel(
			membersOf(this.old, old),
			membersOf(this.block, fresh),
			isData ? "group" : "body",
			old,
		);
	}

	private addComma({ end }: Item, comma: boolean | undefined): void {
		const last = this.old[end - 1];
		if (comma === true && last) {
			this.edits.push({ first: end - 1, end, lines: withComma([last.text], comma, tailOf(last)) });
		}
	}

	/** Replaces comments and decorators above a declaration, each kind only if the block shows it. */
	private replaceLeading(old: Item, fresh: Item): void {
		const [known, wanted] = [leadingOf(this.old, old), leadingOf(this.block, fresh)];
		if (wanted.size === 0 || old.type !== "code") {
			return;
		}
		const base = indentOf(this.old[old.head]?.text);
		const lines = leadingKinds.flatMap(kind => {
			const part = wanted.get(kind);
			return part
				? this.indenter.indent(part, base)
				: (known.get(kind) ?? []).map(({ text }) => text);
		});
		this.edits.push({ first: old.first, end: old.head, lines });
	}

	private replaceLines(
		region: Region,
		fresh: Item,
		from: number,
		comma: boolean | undefined,
	): void {
		const first = this.old[region.first]?.text;
		const lines = withExport(this.linesOf(fresh, from, indentOf(first), comma), first);
		this.edits.push({ ...region, lines });
	}

	private linesOf(fresh: Region, from: number, base: string, comma?: boolean): string[] {
		const lines = this.block.slice(from, fresh.end);
		const own =
			lines[0]?.language.id === "markdown"
				? lines.map(({ text }) => text)
				: this.indenter.indent(lines, base);
		return withComma(own, comma, tailOf(lines.at(-1)));
	}

	/** If the editor reports another end of a declaration, its place is unclear. */
	private checkSymbols(old: Item): void {
		const isOther = this.symbols.some(
			({ name, first, end }) =>
				name === old.declaration?.name &&
				first >= old.first &&
				first <= old.head &&
				end - first > 1 &&
				end !== old.end,
		);
		if (isOther) {
			throw new Unplaced();
		}
	}

	private mergeImports(
		olds: readonly Item[],
		news: readonly Item[],
		parent: Item | undefined,
	): void {
		const known = olds.filter(({ type }) => type === "import");
		const added: string[] = [];
		const base = this.baseOf(
			{ old: this.old, olds, block: this.block, news, pairs: new Map(), mode: "file" },
			parent,
		);
		for (const fresh of news) {
			const group = known.find(
				item => item.body && fresh.body && this.old[item.head]?.language.id === "go",
			);
			if (group) {
				this.mergeLevel(membersOf(this.old, group), membersOf(this.block, fresh), "group", group);
			} else if (!this.joinImport(known, fresh)) {
				added.push(...this.linesOf(fresh, fresh.first, base));
			}
		}
		if (added.length === 0) {
			return;
		}
		const last = known.at(-1);
		if (last) {
			this.edits.push({ first: last.end, end: last.end, lines: added });
			return;
		}
		const first = olds.findIndex(item => !isPreamble(this.old, item));
		const preamble = olds.at(first === -1 ? -1 : first - 1);
		const at = (first === 0 ? undefined : preamble?.end) ?? parent?.body?.first ?? 0;
		const isBelow = first !== 0 && preamble !== undefined;
		this.edits.push({ first: at, end: at, lines: isBelow ? ["", ...added] : [...added, ""] });
	}

	private joinImport(known: readonly Item[], fresh: Item): boolean {
		const text = (lines: Lines, { head, end }: Item): string => textOf(lines, { first: head, end });
		const language = this.block[fresh.head]?.language.id ?? "other";
		const fits = known.map(item => ({
			item,
			fit: fitImport(text(this.old, item), text(this.block, fresh), language),
		}));
		const best =
			fits.find(({ fit }) => fit.type === "known") ??
			fits.find(({ fit }) => fit.type !== "unrelated");
		if (best?.fit.type === "conflict") {
			throw new Unplaced();
		}
		if (best?.fit.type === "joined") {
			const { head, end } = best.item;
			this.edits.push({ first: head, end, lines: best.fit.text.split("\n") });
		} else if (best?.fit.type === "replaced") {
			this.replaceLines(
				{ first: best.item.head, end: best.item.end },
				fresh,
				fresh.head,
				undefined,
			);
		}
		return best !== undefined;
	}
}

interface Sources {
	readonly old: Lines;
	readonly olds: readonly Item[];
	readonly block: Lines;
}

/** Assigns a block's items to the groups of the text where they belong; undefined is the file. Throws `Unplaced`. */
function homesOf(
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
