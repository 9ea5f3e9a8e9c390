import { pathPlatform } from "./pathForm.ts";

/** A part of a name pattern: `star` matches any characters, `any` one, a string itself, a function one character. */
type Token = "star" | "any" | { readonly text: string } | ((character: string) => boolean);

/** Patterns of a path's names; `**` matches any number of names. */
type NamePatterns = readonly (readonly Token[] | "**")[];

/** The most alternatives of one glob. */
const maxAlternatives = 1000;
/** The most characters of all globs together, with every alternative written out. */
const maxCharacters = 50_000;
/** The most comparisons for one path, less than a millisecond. */
const maxComparisons = 30_000;

/** The longest bracket expression, in UTF-16 units. */
const maxBracket = 100;

/** Work that remains. Negative once it is used up. */
interface Budget {
	left: number;
}

/**
 * Creates a test whether globs as VS Code's match a path, given relative to their folder with `/`. A leading dot is not special. Takes linear time for
 * any globs, which may be somebody else's. `unread` is the result for globs that can't be read, or take too long.
 * https://code.visualstudio.com/docs/editor/glob-patterns
 */
export function createGlobMatcher(
	globs: readonly string[],
	unread = false,
): (path: string) => boolean {
	return matcherOf(globs, reached => reached.at(-1) === true, unread);
}

/**
 * Creates a test whether the globs of `files.exclude` and `search.exclude` exclude a path. As in VS Code, a glob that names a folder also excludes its
 * contents. Globs that can't be read, or take too long, exclude everything.
 */
export function createGlobExclusion(globs: readonly string[]): (path: string) => boolean {
	return matcherOf(
		globs,
		reached => reached.some((isReached, count) => isReached && count > 0),
		true,
	);
}

/** Whether a glob only names files or folders, also in any folder or by their ending. VS Code compares it in linear time, also among alternatives. */
export function isPlainGlob(glob: string): boolean {
	return /^(?:\*\*\/)?(?:\*(?=\.))?[^*?{}[\],!]+(?:\/\*\*)?$/.test(glob);
}

/** Whether VS Code, which turns globs into regular expressions, compares a glob quickly: at most one star in a name, few groups, and of plain words. */
export function isQuickGlob(glob: string): boolean {
	const groups = glob.match(/\{[^*?{}[\]]*\}/g) ?? [];
	const names = groups.reduce((text, group) => text.replace(group, "x"), glob).split("/");
	const isQuick = (name: string): boolean => /^[^*{}[\]]*\*?[^*{}[\]]*$/.test(name);
	return (
		groups.length <= 2 &&
		names.filter(name => name === "**").length <= 2 &&
		names.every(name => name === "**" || isQuick(name))
	);
}

/** `unread` is the result for globs that can't be read. */
function matcherOf(
	globs: readonly string[],
	isMatch: (reached: readonly boolean[]) => boolean,
	unread: boolean,
): (path: string) => boolean {
	const fold = (text: string): string => (pathPlatform === "linux" ? text : text.toLowerCase());
	const budget = { left: maxCharacters };
	const patterns: NamePatterns[] = [];
	for (const glob of globs) {
		const read = patternsOf(fold(glob), budget);
		if (!read) {
			return () => unread;
		}
		patterns.push(...read);
	}
	return path => {
		const names = fold(path)
			.split("/")
			.map(name => [...name]);
		const comparisons = { left: maxComparisons };
		return patterns.some(pattern => {
			const isMatched = isMatch(reachedNames(pattern, names, comparisons));
			return comparisons.left < 0 ? unread : isMatched;
		});
	};
}

/** Returns the patterns of a glob's alternatives, or undefined if it can't be read. */
function patternsOf(glob: string, budget: Budget): readonly NamePatterns[] | undefined {
	const patterns: NamePatterns[] = [];
	for (const alternative of alternativesOf(glob.replace(/\/$/, ""), budget) ?? [undefined]) {
		const names = alternative
			?.split("/")
			.map(name => (/^\*{2,}$/.test(name) ? "**" : tokensOf(name)));
		if (!names || names.includes(undefined)) {
			return undefined;
		}
		patterns.push(names.filter(name => name !== undefined));
	}
	return patterns;
}

/** A glob's open group: its finished alternatives, and the beginnings of the current one. */
interface Group {
	readonly finished: string[];
	current: string[];
}

/** Writes out the groups in braces. Returns undefined if one isn't closed, nor a bracket, or if there are too many alternatives. */
function alternativesOf(glob: string, budget: Budget): readonly string[] | undefined {
	const groups: Group[] = [];
	let group: Group = { finished: [], current: [""] };
	for (const [part] of glob.matchAll(/\[[^\]]*\]|[{},]|[^{},[]+|\[/g)) {
		budget.left -= part.length * group.current.length;
		if (budget.left < 0 || part === "[") {
			return undefined;
		}
		const outer = groups.at(-1);
		if (part === "{") {
			groups.push(group);
			group = { finished: [], current: [""] };
		} else if (part === "," && outer) {
			group.finished.push(...group.current);
			group.current = [""];
		} else if (part === "}" && outer) {
			const ends = [...group.finished, ...group.current];
			if (ends.length * outer.current.length > maxAlternatives) {
				return undefined;
			}
			budget.left -= ends.length * outer.current.length;
			outer.current = outer.current.flatMap(start => ends.map(end => start + end));
			group = outer;
			groups.pop();
		} else {
			group.current = group.current.map(start => start + part);
		}
	}
	const length = group.current.reduce((sum, alternative) => sum + alternative.length, 0);
	budget.left -= length;
	return groups.length > 0 || budget.left < 0 ? undefined : group.current;
}

/** Returns the tokens of a name, or undefined for a bracket that is unclosed or long. */
function tokensOf(name: string): readonly Token[] | undefined {
	const tokens: Token[] = [];
	for (const [part] of name.matchAll(/\*+|\?|\[[!^]?\]?[^\]]*\]|[^*?[]|\[/gu)) {
		if (part === "[" || (part.startsWith("[") && part.length > maxBracket)) {
			return undefined;
		}
		if (part.startsWith("*")) {
			tokens.push("star");
		} else if (part === "?") {
			tokens.push("any");
		} else {
			tokens.push(part.startsWith("[") ? classOf(part) : { text: part });
		}
	}
	return tokens;
}

/** Reads a bracket expression, such as `[a-z]` or `[!0-9]`. */
function classOf(part: string): (character: string) => boolean {
	const isNegated = /^\[[!^]/.test(part);
	const members = [...part.slice(isNegated ? 2 : 1, -1).matchAll(/(.)-(.)|./gsu)];
	return character =>
		isNegated !==
		members.some(([single, low, high]) =>
			low !== undefined && high !== undefined
				? character >= low && character <= high
				: character === single,
		);
}

/** Returns for each count whether the pattern matches that many of the first names. */
function reachedNames(
	pattern: NamePatterns,
	names: readonly (readonly string[])[],
	budget: Budget,
): readonly boolean[] {
	let reached = [true, ...names.map(() => false)];
	for (const [index, part] of pattern.entries()) {
		budget.left -= names.length;
		if (part === "**") {
			reached = reachedByAny(reached, index === pattern.length - 1);
		} else {
			reached = [
				false,
				...names.map((name, at) => reached[at] === true && matchesName(part, name, budget)),
			];
		}
		if (budget.left < 0 || !reached.includes(true)) {
			break;
		}
	}
	return reached;
}

/** A final `**` takes at least one name. */
function reachedByAny(before: readonly boolean[], isLast: boolean): boolean[] {
	let wasReached = false;
	return before.map(isReached => {
		const isReachedBefore = wasReached;
		wasReached ||= isReached;
		return isLast ? isReachedBefore : wasReached;
	});
}

/** Goes back only to the last star, which suffices and takes at most the product of both lengths. */
function matchesName(
	tokens: readonly Token[],
	characters: readonly string[],
	budget: Budget,
): boolean {
	let [at, token, starAt, starToken] = [0, 0, -1, -1];
	while (at < characters.length && budget.left >= 0) {
		budget.left -= 1;
		const wanted = tokens[token];
		if (wanted === "star") {
			[starAt, starToken] = [at, token];
			token += 1;
		} else if (wanted !== undefined && matchesCharacter(wanted, characters[at] ?? "")) {
			at += 1;
			token += 1;
		} else if (starToken === -1) {
			return false;
		} else {
			starAt += 1;
			[at, token] = [starAt, starToken + 1];
		}
	}
	return at >= characters.length && tokens.slice(token).every(rest => rest === "star");
}

function matchesCharacter(wanted: Exclude<Token, "star">, character: string): boolean {
	if (typeof wanted === "function") {
		return wanted(character);
	}
	return wanted === "any" || wanted.text === character;
}
