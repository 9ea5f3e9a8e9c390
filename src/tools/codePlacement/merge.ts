import { arrange, type Entry, isPreamble, type Level } from "./arrange.ts";
import { checkComments, checkNameless, showsAll } from "./certainty.ts";
import { fitImport } from "./imports.ts";
import {
	endsInComma,
	gapBetween,
	isCommaList,
	isUnended,
	isGroupHead,
	leadingKinds,
	leadingOf,
	losesMembers,
	oldOf,
	tailOf,
	regionText,
	withComma,
	withExport,
	regionWords,
} from "./itemText.ts";
import type { Item, Region } from "./item.ts";
import { isLabel, itemsIn, membersOf, plainText } from "./items.ts";
import type { LineEdit } from "./lineChanges.ts";
import { createIndenter, type Indenter, indentOf } from "./lines.ts";
import { homesOf } from "./homes.ts";
import {
	isBlankBody,
	isElided,
	isGroup,
	isStub,
	type Lines,
	matchItems,
	type Mode,
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
		const level: Level = { old: this.old, olds, block: this.block, news, pairs, mode: "file" };
		const isAsked = isUnclear(() => checkNameless(level));
		if (isAsked && olds.length > 1 && showsAll(level)) {
			return [this.whole()];
		}
		const sources = { old: this.old, olds, block: this.block, news };
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

	/** Replaces everything between the blank lines at both ends. */
	private whole(): LineEdit {
		const first = this.old.findIndex(line => !line.isBlank);
		const end = this.old.findLastIndex(line => !line.isBlank) + 1;
		const lines = this.linesOf(
			{ first: 0, end: this.block.length },
			0,
			indentOf(this.old[first]?.text),
		);
		return { first, end, lines };
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
		const hasBatches = this.old.some(({ isBlank, text }) => isBlank && text.trim() !== "");
		if (hasBatches && rest.some(item => !pairs.has(item) && !unknown.has(item))) {
			throw new Unplaced();
		}
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
		if (mode !== "body") {
			checkComments(level);
			checkNameless(level);
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
		const siblings = olds.filter(({ head }) => !isLabel(this.old[head]));
		const sibling = siblings.find(({ type }) => type === "code") ?? siblings[0];
		if (sibling) {
			return indentOf(this.old[sibling.head]?.text);
		}
		return parent ? `${indentOf(this.old[parent.head]?.text)}${this.indenter.step}` : "";
	}

	/** Keeps an item unchanged, merges its members, or replaces it. */
	private keep(old: Item, fresh: Item | undefined, comma: boolean | undefined): void {
		const isOmitted =
			fresh !== undefined && isStub(this.block, fresh) && !this.isNewHead(old, fresh);
		const isSame =
			!fresh ||
			isOmitted ||
			plainText(this.old, { ...old, first: old.head }) ===
				plainText(this.block, { ...fresh, first: fresh.head });
		if (fresh && !isOmitted) {
			this.replaceLeading(old, fresh);
		}
		if (isSame) {
			if (old.type === "code") {
				this.addComma(old, comma);
			}
			return;
		}
		const isBare =
			this.block[fresh.head]?.language.id === "python" &&
			fresh.declaration?.kind === "value" &&
			isStub(this.block, fresh);
		if (isBare && !isBlankBody(this.old, old)) {
			// The dots may be the new body or stand for the old one.
			throw new Unplaced();
		}
		if (!isBare && (isElided(this.block, fresh) || this.isMergedGroup(old, fresh))) {
			this.mergeMembers(old, fresh, comma);
			return;
		}
		this.checkSymbols(old);
		if (
			(old.clauses ?? 1) > (fresh.clauses ?? 1) ||
			isUnended(this.old, old) ||
			isUnended(this.block, fresh) ||
			this.losesStatements(old, fresh) ||
			losesMembers(this.old, old, this.block, fresh)
		) {
			throw new Unplaced();
		}
		this.replaceLines({ first: old.head, end: old.end }, fresh, fresh.head, comma);
	}

	/** Whether a section of settings, which has only a name, would lose lines, such as the dependencies of a build. */
	private losesStatements(old: Item, fresh: Item): boolean {
		const { language, code = "" } = this.old[old.head] ?? {};
		if (
			!old.body ||
			old.declaration?.kind === "value" ||
			!/^(?:groovy|hcl|kotlin|other|toml)$/.test(language?.id ?? "") ||
			!/^[\w.-]+(?:\s*\([^()]*\))?(?:\s+\S+)*\s*\{$/.test(code.trim())
		) {
			return false;
		}
		const [olds, news] = [membersOf(this.old, old), membersOf(this.block, fresh)];
		const pairs = matchItems(this.old, olds, this.block, news, "body");
		return !showsAll({ old: this.old, olds, block: this.block, news, pairs, mode: "body" });
	}

	/** Whether an item without its body shows a head with words that the text doesn't have. */
	private isNewHead(old: Item, fresh: Item): boolean {
		const known = regionWords(this.old, { first: old.head, end: old.body?.first ?? old.end });
		const wanted = regionWords(this.block, {
			first: fresh.head,
			end: fresh.body?.first ?? fresh.end,
		});
		return wanted.some(word => !known.includes(word));
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
		const known = regionWords(this.old, oldHead);
		// A skeleton often abbreviates the head.
		if (!isData || regionWords(this.block, freshHead).some(word => !known.includes(word))) {
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
			lines[0]?.language.form !== "code"
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
		const text = (lines: Lines, { head, end }: Item): string =>
			regionText(lines, { first: head, end });
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

function isUnclear(check: () => void): boolean {
	try {
		check();
		return false;
	} catch (error) {
		if (error instanceof Unplaced) {
			return true;
		}
		throw error;
	}
}
