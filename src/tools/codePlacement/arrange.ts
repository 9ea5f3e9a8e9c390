import type { Item } from "./item.ts";
import type { LanguageId } from "./language.ts";
import { type Lines, type Mode, type Pairs, Unplaced } from "./match.ts";

/** A part of a level after the merge. */
export type Entry =
	| { readonly type: "kept"; readonly old: Item; readonly fresh: Item | undefined }
	| { readonly type: "removed"; readonly old: Item }
	/** Added after the entry above it, or before the one below it. */
	| { readonly type: "added"; readonly fresh: Item; readonly side: "after" | "before" };

/** A level of a text, and the block's items that belong there. */
export interface Level {
	readonly old: Lines;
	readonly olds: readonly Item[];
	readonly block: Lines;
	readonly news: readonly Item[];
	readonly pairs: Pairs;
	readonly mode: Mode;
}

/** Adjacent items of a block that are not in the text, and their neighbors in the block. */
interface Run {
	readonly items: readonly Item[];
	readonly left: Item | undefined;
	readonly right: Item | undefined;
	readonly isAfterGap: boolean;
	readonly isBeforeGap: boolean;
	readonly isLeftSame: boolean;
	readonly isRightSame: boolean;
}

/** Returns a level's items in their new order. Throws `Unplaced` if an item has no clear place. */
export function arrange(level: Level): Entry[] {
	const byOld = new Map([...level.pairs].map(([fresh, old]) => [old, fresh]));
	const entries: Entry[] = level.olds.map(old => ({ type: "kept", old, fresh: byOld.get(old) }));
	if (level.mode === "body") {
		removeBetween(entries, level);
	}
	for (const run of runsOf(level)) {
		const { at, side } =
			level.mode === "body" ? placeInBody(run, entries, level) : placeInGroup(run, entries, level);
		entries.splice(at, 0, ...run.items.map((fresh): Entry => ({ type: "added", fresh, side })));
	}
	return entries;
}

function runsOf({ news, pairs, old, block }: Level): Run[] {
	const runs: Run[] = [];
	for (let at = 0; at < news.length; at += 1) {
		let end = at;
		const items: Item[] = [];
		for (
			let item = news[end];
			item && item.type !== "elision" && !pairs.has(item);
			item = news[end]
		) {
			items.push(item);
			end += 1;
		}
		if (items.length > 0) {
			const [above, below] = [news[at - 1], news[end]];
			const [left, right] = [above && pairs.get(above), below && pairs.get(below)];
			runs.push({
				items,
				left,
				right,
				isAfterGap: above?.type === "elision",
				isBeforeGap: below?.type === "elision",
				isLeftSame: isAnchor(old, left, block, above),
				isRightSame: isAnchor(old, right, block, below),
			});
			at = end;
		}
	}
	return runs;
}

/** Whether a statement is the same in the block and the text, so its neighbors are comparable. */
function isAnchor(
	old: Lines,
	item: Item | undefined,
	block: Lines,
	fresh: Item | undefined,
): boolean {
	const isStatement =
		item?.declaration === undefined ||
		item.declaration.isVariable === true ||
		item.declaration.kind === "key";
	return (
		item !== undefined &&
		fresh !== undefined &&
		isStatement &&
		text(old, item) === text(block, fresh)
	);
}

function text(lines: Lines, { head, end }: Item): string {
	return lines
		.slice(head, end)
		.map(line => line.text.trim())
		.join("\n");
}

/** Removes the entries of a body between two statements that are adjacent in the block. */
function removeBetween(entries: Entry[], { news, pairs }: Level): void {
	const indexOf = (item: Item | undefined): number =>
		entries.findIndex(entry => entry.type !== "added" && entry.old === item);
	let last = -1;
	let isGap = false;
	for (const fresh of [...news, undefined]) {
		const old = fresh && pairs.get(fresh);
		isGap ||= fresh?.type === "elision";
		if (old || fresh === undefined) {
			const at = old ? indexOf(old) : entries.length;
			if (at < last) {
				throw new Unplaced();
			}
			const between = isGap ? [] : entries.slice(last + 1, at);
			entries.splice(
				last + 1,
				between.length,
				...between.map((entry): Entry =>
					entry.type === "kept" ? { type: "removed", old: entry.old } : entry,
				),
			);
			last = at;
			isGap = false;
		}
	}
}

interface EntryPosition {
	readonly at: number;
	readonly side: "after" | "before";
}

function placeInBody(run: Run, entries: readonly Entry[], { old, olds }: Level): EntryPosition {
	const { left, right, isAfterGap, isBeforeGap } = run;
	if (left) {
		return { at: indexOf(entries, left) + 1, side: "after" };
	}
	if (right) {
		return { at: indexOf(entries, right), side: "before" };
	}
	if (!isAfterGap) {
		return { at: 0, side: "before" };
	}
	const last = olds.at(-1);
	const ending = last ? (old[last.head]?.code.trim() ?? "") : "";
	const isEnd =
		/^(?:return|throw|raise|break|continue|exit)\b/.test(ending) ||
		(last !== undefined &&
			old[last.head]?.language.id === "rust" &&
			!/[;}]$/.test(old[last.end - 1]?.code.trim() ?? ""));
	if (isBeforeGap || isEnd) {
		throw new Unplaced();
	}
	return { at: entries.length, side: "after" };
}

function placeInGroup(run: Run, entries: readonly Entry[], level: Level): EntryPosition {
	const { items, left, right, isLeftSame, isRightSame } = run;
	if (left && right) {
		const between = entries
			.slice(indexOf(entries, left) + 1, indexOf(entries, right))
			.filter(
				entry => entry.type === "kept" && entry.fresh === undefined && entry.old.type === "code",
			);
		if (between.length > 0 && between.length <= items.length) {
			// It is unclear whether the new items replace those between or are added.
			throw new Unplaced();
		}
	}
	if (
		items.some(item => item.type === "code" && !item.declaration) &&
		!isLeftSame &&
		!isRightSame
	) {
		throw new Unplaced();
	}
	if (left) {
		return { at: indexOf(entries, left) + 1, side: "after" };
	}
	if (right) {
		return { at: indexOf(entries, right), side: "before" };
	}
	return placeByKind(run, entries, level);
}

/** Languages in which functions and what calls them follow each other. */
const scripts: ReadonlySet<LanguageId> = new Set([
	"julia",
	"lua",
	"matlab",
	"perl",
	"powershell",
	"r",
	"shell",
]);

function placeByKind(
	{ items }: Run,
	entries: readonly Entry[],
	{ old, block, mode }: Level,
): EntryPosition {
	const olds = entries.map(entry => (entry.type === "added" ? undefined : entry.old));
	const declared = items.map(({ declaration }) => declaration);
	const titled = declared.find(declaration => declaration?.kind === "titled")?.name;
	const root = titled === undefined ? undefined : /^[^.\s]+/.exec(titled)?.[0];
	const like = olds.findLastIndex(
		item =>
			item?.declaration?.kind === "titled" &&
			root !== undefined &&
			item.declaration.name.startsWith(root),
	);
	if (like !== -1) {
		return { at: like + 1, side: "after" };
	}
	const isKeyed = /json|yaml|toml|make/.test(block[items[0]?.head ?? 0]?.language.id ?? "");
	if (declared.every(declaration => declaration?.isVariable === true) && !isKeyed) {
		if (mode === "file" && items.every(item => isLocal(block, item))) {
			throw new Unplaced();
		}
		const isOther = (item: Item): boolean =>
			item.declaration?.isVariable !== true && item.declaration?.kind !== "data";
		const firstOther = olds.findIndex(
			item => item?.type === "code" && isOther(item) && !isPreamble(old, item),
		);
		const leading = firstOther === -1 ? olds.length : firstOther;
		return { at: leading, side: leading > 0 ? "after" : "before" };
	}
	const isFunction = (item: Item | undefined): boolean =>
		item?.declaration?.kind === "value" && item.declaration.isVariable !== true;
	const lastFunction = olds.findLastIndex(isFunction);
	const isScript = scripts.has(block[items[0]?.head ?? 0]?.language.id ?? "other");
	if (isScript && mode === "file" && lastFunction !== -1 && items.every(isFunction)) {
		return { at: lastFunction + 1, side: "after" };
	}
	let at = olds.length;
	while (mode === "file" && at > 0 && isTail(old, olds[at - 1])) {
		at -= 1;
	}
	while (at < olds.length && olds[at]?.type === "comment") {
		at += 1;
	}
	return { at, side: at === 0 ? "before" : "after" };
}

/** Whether a variable may be local to some function. */
function isLocal(lines: Lines, { head, end, declaration }: Item): boolean {
	const text = lines[head]?.text.trim() ?? "";
	const isShared =
		/^(?:export|pub|static|const\s+\w+\s+\w+|extern|constexpr|inline|readonly|#define|[$@]|--)/.test(
			text,
		) || /^#?[A-Z][A-Z\d_]*$/.test(declaration?.name ?? "");
	return end === head + 1 && !isShared;
}

/** Whether an item must precede all imports. */
export function isPreamble(lines: Lines, { type, head, declaration }: Item): boolean {
	const line = lines[head]?.text.trim() ?? "";
	return (
		type === "comment" ||
		declaration?.name.startsWith("package ") === true ||
		declaration?.name.startsWith("namespace ") === true ||
		/^(?:#!|["']use |<\?php|#pragma|package\b|"""|'''|r"""|#!\[|declare\()/.test(line)
	);
}

/** Whether an item is executed and must follow the declarations. */
function isTail(lines: Lines, item: Item | undefined): boolean {
	const isTests = item !== undefined && lines[item.first]?.text.trim() === "#[cfg(test)]";
	const name = item?.declaration?.name ?? "";
	return (
		item !== undefined &&
		(isTests ||
			item.type === "comment" ||
			(item.type === "code" &&
				(!item.declaration || /^(?:export default|module\.exports|if __name__)/.test(name)) &&
				!isPreamble(lines, item)))
	);
}

function indexOf(entries: readonly Entry[], item: Item): number {
	return entries.findIndex(entry => entry.type !== "added" && entry.old === item);
}
