import type { Level } from "./arrange.ts";
import type { Item } from "./item.ts";
import { membersOf, plainText } from "./items.ts";
import { leadingOf } from "./itemText.ts";
import { isGroup, keyOf, type Lines, Unplaced } from "./match.ts";

/** Share of equal words from which two lines count as versions of one. */
const likeShare = 0.5;

/** Share of a level's items that a block repeats by name or word by word when it is the whole level. */
const sameShare = 0.5;

/**
 * Whether a block shows a whole level again: each item of the text is in it by name, word by word, or as a line that is much alike. Only such a block
 * replaces everything.
 */
export function showsAll({ old, olds, block, news, pairs }: Level): boolean {
	if (block.some(line => line.isElision)) {
		return false;
	}
	const byOld = new Map([...pairs].map(([fresh, item]) => [item, fresh]));
	const free = news.filter(fresh => !pairs.has(fresh));
	const rest = olds.filter(item => !byOld.has(item));
	const areFound = rest.every(item => {
		const at = free.findIndex(fresh => isAlike(old, item, block, fresh));
		return at !== -1 && free.splice(at, 1).length > 0;
	});
	return (
		areFound &&
		byOld.size >= olds.length * sameShare &&
		[...byOld].every(([item, fresh]) => showsMembers(old, item, block, fresh))
	);
}

/** Languages whose lines act in their order. */
const ordered: ReadonlySet<string> = new Set(["batch", "docker", "text"]);

/** Comments that instruct tools, so several items have the same. */
const instruction =
	/eslint|@ts-|prettier|biome|oxlint|no(?:qa|lint|sonar|inspection)|pylint|pragma|type: ?ignore/i;

/** Throws `Unplaced` if a new item has the comment of one that the block doesn't show, so that it may be its new version. */
export function checkComments({ old, olds, block, news, pairs }: Level): void {
	const commentOf = (lines: Lines, item: Item): string => {
		const parts = item.type === "code" ? leadingOf(lines, item) : undefined;
		return [...(parts?.get("comment") ?? []), ...(parts?.get("doc") ?? [])]
			.map(({ text }) => text.trim())
			.join("\n");
	};
	const shown = new Set(pairs.values());
	const missing = new Set(olds.filter(item => !shown.has(item)).map(item => commentOf(old, item)));
	const mayReplace = (fresh: Item): boolean => {
		const comment = pairs.has(fresh) ? "" : commentOf(block, fresh);
		return comment !== "" && missing.has(comment) && !instruction.test(comment);
	};
	if (news.some(mayReplace)) {
		throw new Unplaced();
	}
}

/**
 * Checks items that nothing names, such as a step of a build or a line of prose. Throws `Unplaced` if one may replace a line of the text beside it
 * instead of being added, if they are in another order, or if lines of the text between them are missing.
 */
export function checkNameless(level: Level): void {
	const { old, olds, news, pairs } = level;
	const language = old[0]?.language.id ?? "other";
	if (language === "csv" && news.length > 1 && news[0] && pairs.get(news[0]) === olds[0]) {
		if (pairs.size < olds.length) {
			// A table under its head may be the whole or a part.
			throw new Unplaced();
		}
	}
	const isInOrder = ordered.has(language);
	const isNameless = (item: Item): boolean =>
		item.type === "code" && (isInOrder || keyOf(old, item, []) === undefined);
	let last = -1;
	let run: Item[] = [];
	for (const fresh of [...news, undefined]) {
		const found = fresh && pairs.get(fresh);
		if (fresh && fresh.type !== "elision" && !found) {
			run.push(fresh);
			continue;
		}
		const at = found ? olds.indexOf(found) : olds.length;
		checkRun(level, run, isNameless, { last, at, isAnchored: found !== undefined });
		if (found && last !== -1 && isNameless(found)) {
			const isSkipped = isInOrder && run.length === 0 && olds.slice(last + 1, at).some(isNameless);
			if (at < last || isSkipped) {
				throw new Unplaced();
			}
		}
		if (found) {
			last = isInOrder || isNameless(found) ? at : Math.max(last, at);
		}
		run = [];
	}
}

/** Checks items of a block that aren't in the text, between its items `last` and `at`. */
function checkRun(
	{ old, olds, block }: Level,
	run: readonly Item[],
	isNameless: (item: Item) => boolean,
	{ last, at, isAnchored }: { last: number; at: number; isAnchored: boolean },
): void {
	// Nothing else tells which stage a new image is of.
	const nameless = run.filter(
		item =>
			item.type === "code" &&
			(keyOf(block, item, []) === undefined || item.declaration?.name.startsWith("FROM ") === true),
	);
	const [first, end] =
		last === -1 && isAnchored
			? [Math.max(at - run.length, 0), at]
			: [last + 1, Math.min(last + 1 + run.length, at)];
	const beside = olds.slice(first, end).filter(isNameless);
	const isBetween = last !== -1 && isAnchored && at === last + 1;
	const language = old[0]?.language.id;
	const isUnclear =
		language === "text" ||
		(language === "other" && !isBetween) ||
		nameless.some(item => beside.some(other => isAlike(old, other, block, item)));
	if (nameless.length > 0 && isUnclear) {
		throw new Unplaced();
	}
}

/** Whether two items without a name are probably versions of one. */
function isAlike(old: Lines, item: Item, block: Lines, fresh: Item): boolean {
	if (item.type !== fresh.type) {
		return false;
	}
	const [known, wanted] = [textOfItem(old, item), textOfItem(block, fresh)];
	if (item.type === "comment" || known === wanted) {
		return true;
	}
	const isProse = old[item.head]?.language.id === "text";
	const first = (text: string): string => /^[^\s(=:]+/.exec(text)?.[0] ?? "";
	const shape = (text: string): string => text.replaceAll(/[\p{L}\p{N}_$]+/gu, "a");
	return (
		(!isProse && (first(known) === first(wanted) || shape(known) === shape(wanted))) ||
		shareOf(known, wanted) > likeShare
	);
}

function textOfItem(lines: Lines, { head, first, end, type }: Item): string {
	return plainText(lines, { first: type === "comment" ? first : head, end });
}

/** Returns the share of words that two texts have in common. */
function shareOf(known: string, wanted: string): number {
	const words = (text: string): string[] => text.match(/[\p{L}\p{N}_]+/gu) ?? [];
	const [mine, others] = [words(known), words(wanted)];
	const free = [...others];
	let same = 0;
	for (const word of mine) {
		const at = free.indexOf(word);
		if (at !== -1) {
			free.splice(at, 1);
			same += 1;
		}
	}
	return mine.length + others.length === 0 ? 0 : (2 * same) / (mine.length + others.length);
}

/** Whether every member of a group is also in the block's. */
function showsMembers(old: Lines, item: Item, block: Lines, fresh: Item): boolean {
	if (!isGroup(old, item)) {
		return true;
	}
	const news = membersOf(block, fresh);
	return membersOf(old, item).every(member => {
		const key = keyOf(old, member, []);
		const text = textOfItem(old, member);
		return news.some(other =>
			key === undefined
				? textOfItem(block, other) === text
				: keyOf(block, other, []) === key && showsMembers(old, member, block, other),
		);
	});
}
