/** One file of ignore patterns. https://git-scm.com/docs/gitignore */
export interface IgnoreFile {
	/** The folder it is in, from the root on with `/`; empty for the root. */
	readonly folder: string;
	readonly text: string;
}

/** A character of a name as a pattern wants it; `star` stands for any number of any. */
type Token = "star" | ((character: string) => boolean);

interface IgnoreRule {
	readonly folder: string;
	readonly isNegated: boolean;
	readonly isForFolders: boolean;
	/** The names of a path; `**` stands for any number of them. */
	readonly names: readonly (readonly Token[] | "**")[];
}

/**
 * Says whether Git ignores a file or folder, by its path from the root on with `/`. Of several patterns that match, the last of the
 * deepest file decides, and what is in an ignored folder stays ignored. Takes time in proportion to pattern and path,
 * whatever the pattern. Whether a file is tracked anyway is not known here.
 */
export type IgnoreMatcher = (path: string, isFolder?: boolean) => boolean;

/** Makes a matcher of all the patterns of one root. */
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

/**
 * Globs, from the folder `root` on, of folders that patterns there or above name plainly; none when any pattern may take
 * something back.
 */
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
		// A backslash before a slash says nothing.
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

/** Spaces at the end do not count, unless a backslash is before them. */
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

/** The tokens of one name, or undefined for a pattern that can match nothing. */
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

/** The classes of POSIX that are in brackets, for the characters ASCII has. */
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

/** Text in brackets, from behind the opening one. */
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

/** One character, range or named class of a bracket. */
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

/** Whether names match, name by name; `**` at the end wants at least one. */
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

/** Only the last star is ever tried again, which is enough, and takes no more than the product of both lengths. */
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
