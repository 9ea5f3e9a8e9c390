import { matchesGlob } from "node:path";

/** A file of ignore patterns. https://git-scm.com/docs/gitignore */
export interface IgnoreFile {
	/** Its folder relative to the root, with `/`; empty for the root. */
	readonly folder: string;
	readonly text: string;
}

/** A token of a name pattern: `star` matches any characters, a function one character. */
type Token = "star" | ((character: string) => boolean);

interface IgnoreRule {
	readonly folder: string;
	readonly isNegated: boolean;
	readonly isForFolders: boolean;
	/** Patterns of the path's names; `**` matches any number of names. */
	readonly names: readonly (readonly Token[] | "**")[];
}

/**
 * Returns whether Git ignores a file or folder, given relative to the root with `/`. The last matching pattern of the deepest file decides, and
 * everything in an ignored folder stays ignored. Takes linear time for any pattern. Doesn't consider whether a file is tracked.
 */
type IgnoreMatcher = (path: string, isFolder?: boolean) => boolean;

export function createIgnoreMatcher(
	files: readonly IgnoreFile[],
	foldsCase = false,
): IgnoreMatcher {
	const fold = (text: string): string => (foldsCase ? text.toLowerCase() : text);
	const rules = files
		.toSorted((a, b) => depthOf(a.folder) - depthOf(b.folder))
		.flatMap(({ folder, text }) => linesOf(text).flatMap(line => ruleOf(fold(folder), fold(line))));
	const folders = new Map<string, boolean>();
	const isIgnored = (path: string, isFolder: boolean): boolean => {
		const known = isFolder ? folders.get(path) : undefined;
		if (known !== undefined) {
			return known;
		}
		const cut = path.lastIndexOf("/");
		const verdict =
			(cut > 0 && isIgnored(path.slice(0, cut), true)) || lastWord(rules, path, isFolder);
		if (isFolder) {
			folders.set(path, verdict);
		}
		return verdict;
	};
	return (path, isFolder = false) => isIgnored(fold(path), isFolder);
}

/** Returns globs, relative to `root`, for folders that patterns there or above name literally. Returns none if any pattern is negated. */
export function plainFolderGlobs(files: readonly IgnoreFile[], root = ""): string[] {
	if (files.some(({ text }) => /^!/m.test(text))) {
		return [];
	}
	return files
		.filter(({ folder }) => folder === "" || `${root}/`.startsWith(`${folder}/`))
		.flatMap(({ folder, text }) =>
			linesOf(text).filter(line => folder === root || !line.startsWith("/")),
		)
		.filter(line => /^\/?[\w.-]+\/$/.test(line))
		.map(line => (line.startsWith("/") ? line.slice(1, -1) : `**/${line.slice(0, -1)}`));
}

function lastWord(rules: readonly IgnoreRule[], path: string, isFolder: boolean): boolean {
	const last = rules.findLast(
		({ folder, isForFolders, names }) =>
			(isFolder || !isForFolders) &&
			(folder === "" || path.startsWith(`${folder}/`)) &&
			matchesNames(names, (folder === "" ? path : path.slice(folder.length + 1)).split("/")),
	);
	return last !== undefined && !last.isNegated;
}

function depthOf(folder: string): number {
	return folder === "" ? 0 : folder.split("/").length;
}

function linesOf(text: string): string[] {
	return text.replace(/^\uFEFF/, "").split(/\r?\n/);
}

function ruleOf(folder: string, line: string): IgnoreRule[] {
	if (line.startsWith("#")) {
		return [];
	}
	const isNegated = line.startsWith("!");
	const whole = withoutTrailingSpaces(isNegated ? line.slice(1) : line);
	const isForFolders = whole.endsWith("/");
	const pattern = isForFolders ? whole.slice(0, -1) : whole;
	if (pattern === "") {
		return [];
	}
	const isAnchored = pattern.includes("/");
	const names: (readonly Token[] | "**")[] = isAnchored ? [] : ["**"];
	const parts = pattern.replace(/^\//, "").split("/");
	for (const [index, part] of parts.entries()) {
		// A backslash before a slash has no effect.
		const isSlashEscaped = index < parts.length - 1 && isEscaped(part, part.length);
		const tokens =
			isAnchored && /^\*{2,}$/.test(part)
				? "**"
				: tokensOf(isSlashEscaped ? part.slice(0, -1) : part);
		if (tokens === undefined) {
			return [];
		}
		names.push(tokens);
	}
	return [{ folder, isNegated, isForFolders, names }];
}

/** Trailing spaces are ignored unless escaped by a backslash. */
function withoutTrailingSpaces(text: string): string {
	let end = text.length;
	while (end > 0 && text[end - 1] === " " && !isEscaped(text, end - 1)) {
		end -= 1;
	}
	return text.slice(0, end);
}

function isEscaped(text: string, at: number): boolean {
	let start = at;
	while (start > 0 && text[start - 1] === "\\") {
		start -= 1;
	}
	return (at - start) % 2 === 1;
}

/** Returns the tokens of a name, or undefined for a pattern that matches nothing. */
function tokensOf(part: string): Token[] | undefined {
	const tokens: Token[] = [];
	const characters = [...part];
	for (let at = 0; at < characters.length; at += 1) {
		const character = characters[at];
		if (character === "*") {
			tokens.push("star");
		} else if (character === "?") {
			tokens.push(() => true);
		} else if (character === "[") {
			const read = classOf(characters, at + 1);
			if (!read) {
				return undefined;
			}
			tokens.push(read.token);
			at = read.end;
		} else {
			at += character === "\\" ? 1 : 0;
			const wanted = characters[at];
			if (wanted === undefined) {
				return undefined;
			}
			tokens.push(one => one === wanted);
		}
	}
	return tokens;
}

const posixClasses: Readonly<Record<string, RegExp>> = {
	alnum: /[a-z0-9]/i,
	alpha: /[a-z]/i,
	blank: /[ \t]/,
	digit: /[0-9]/,
	lower: /[a-z]/,
	punct: /[!-/:-@[-`{-~]/,
	space: /\s/,
	upper: /[A-Z]/,
	xdigit: /[0-9a-f]/i,
};

/** Parses a bracket expression, from after the opening bracket. */
function classOf(
	characters: readonly string[],
	from: number,
): { readonly token: Token; readonly end: number } | undefined {
	const isNegated = characters[from] === "!" || characters[from] === "^";
	const first = isNegated ? from + 1 : from;
	const members: ((character: string) => boolean)[] = [];
	for (let at = first; at < characters.length; at += 1) {
		if (characters[at] === "]" && at > first) {
			const isMember = (one: string): boolean => members.some(accepts => accepts(one));
			return { token: one => isMember(one) !== isNegated, end: at };
		}
		const member = memberAt(characters, at);
		if (!member) {
			return undefined;
		}
		members.push(member.accepts);
		at = member.end;
	}
	return undefined;
}

/** Parses a character, range or named class inside brackets. */
function memberAt(
	characters: readonly string[],
	at: number,
): { readonly accepts: (character: string) => boolean; readonly end: number } | undefined {
	const named = /^\[:([a-z]+):\]/.exec(characters.slice(at, at + 12).join(""));
	const expression = named ? posixClasses[named[1] ?? ""] : undefined;
	if (named) {
		return expression && { accepts: one => expression.test(one), end: at + named[0].length - 1 };
	}
	const lowAt = characters[at] === "\\" ? at + 1 : at;
	const low = characters[lowAt];
	if (low === undefined) {
		return undefined;
	}
	if (characters[lowAt + 1] !== "-" || (characters[lowAt + 2] ?? "]") === "]") {
		return { accepts: one => one === low, end: lowAt };
	}
	const highAt = characters[lowAt + 2] === "\\" ? lowAt + 3 : lowAt + 2;
	const high = characters[highAt];
	return high === undefined
		? undefined
		: { accepts: one => one >= low && one <= high, end: highAt };
}

/** Matches a path name by name. A final `**` requires at least one name. */
function matchesNames(wanted: IgnoreRule["names"], names: readonly string[]): boolean {
	// `reached[n]`: the first parts of the pattern match the first n names.
	let reached = [true, ...names.map(() => false)];
	for (const [index, part] of wanted.entries()) {
		reached =
			part === "**"
				? reachedByAny(reached, index === wanted.length - 1)
				: reached.map(
						(_, count) =>
							count > 0 && reached[count - 1] === true && matchesName(part, names[count - 1] ?? ""),
					);
	}
	return reached.at(-1) === true;
}

function reachedByAny(before: readonly boolean[], isLast: boolean): boolean[] {
	let wasReached = false;
	return before.map(isReached => {
		const isReachedBefore = wasReached;
		wasReached ||= isReached;
		return isLast ? isReachedBefore : wasReached;
	});
}

/** Backtracks only to the last star, which suffices and takes at most the product of both lengths. */
function matchesName(tokens: readonly Token[], name: string): boolean {
	const characters = [...name];
	let [at, token, starAt, starToken] = [0, 0, -1, -1];
	while (at < characters.length) {
		const wanted = tokens[token];
		const character = characters[at] ?? "";
		if (wanted === "star") {
			[starAt, starToken] = [at, token];
			token += 1;
		} else if (wanted?.(character)) {
			at += 1;
			token += 1;
		} else if (starToken === -1) {
			return false;
		} else {
			starAt += 1;
			[at, token] = [starAt, starToken + 1];
		}
	}
	return tokens.slice(token).every(rest => rest === "star");
}

/**
 * Creates a test whether the globs of `files.exclude` and `search.exclude` match a path, given relative to its workspace folder with `/`. As in VS
 * Code, a glob that names a folder also excludes its contents, and a leading dot is not special.
 * https://code.visualstudio.com/docs/editor/glob-patterns
 */
export function createGlobExclusion(globs: readonly string[]): (path: string) => boolean {
	const patterns = globs.map(glob => withoutDots(glob.replace(/\/$/, "")));
	const folders = new Map<string, boolean>();
	const isNamed = (path: string): boolean => patterns.some(pattern => matchesGlob(path, pattern));
	const isInExcluded = (path: string): boolean => {
		const cut = path.lastIndexOf("/");
		return cut > 0 && isFolderExcluded(path.slice(0, cut));
	};
	const isFolderExcluded = (path: string): boolean => {
		const verdict = folders.get(path) ?? (isInExcluded(path) || isNamed(path));
		folders.set(path, verdict);
		return verdict;
	};
	return path => {
		const plain = withoutDots(path);
		return isInExcluded(plain) || isNamed(plain);
	};
}

/** Replaces dots by another character, because Node's globs skip names with a leading dot. Dots have no other meaning in globs. */
function withoutDots(text: string): string {
	return text.replaceAll(".", "\uE000");
}
