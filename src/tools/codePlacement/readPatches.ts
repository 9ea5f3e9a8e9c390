/** Replacement of lines: a hunk of a diff, or a pair of SEARCH and REPLACE. */
export interface Patch {
	readonly old: readonly string[];
	readonly fresh: readonly string[];
	/** The line of its start that the diff names, counted from 0. */
	readonly at?: number | undefined;
	/** A line above it that the diff names, without its indentation. */
	readonly below?: string | undefined;
	/** Pairs of places in `old` and `fresh` of the lines that stay. */
	readonly kept?: readonly (readonly [old: number, fresh: number])[];
}

interface OpenPatch extends Patch {
	readonly old: string[];
	readonly fresh: string[];
	readonly kept: (readonly [old: number, fresh: number])[];
}

/**
 * Reads a block that is a unified diff or a list of SEARCH/REPLACE pairs. Returns undefined for any other. Only in a block that is known as a patch,
 * lines that stay may be without a space before them, because models forget it.
 */
export function patchesOf(code: readonly string[], isPatch: boolean): Patch[] | undefined {
	const isStopped =
		code.some(line => line.startsWith("*** Begin Patch")) &&
		!code.some(line => line.startsWith("*** End Patch"));
	const patches = isStopped ? undefined : (searchPatches(code) ?? diffPatches(code, isPatch));
	return patches && patches.length > 0 ? patches : undefined;
}

const searchStart = /^(?:<|-){5,}\s*(?:SEARCH|ORIGINAL|HEAD)>?\s*$/;
const searchEnd = /^(?:[>+]{5,}\s*\w*>?|>{7} \S.*)\s*$/;

function searchPatches(code: readonly string[]): Patch[] | undefined {
	const patches: { old: string[]; fresh: string[] }[] = [];
	let side: "old" | "fresh" | undefined;
	for (const line of code) {
		if (searchStart.test(line)) {
			if (side) {
				return undefined;
			}
			patches.push({ old: [], fresh: [] });
			side = "old";
		} else if (side === "old" && /^={5,}\s*$/.test(line)) {
			side = "fresh";
		} else if (side === "fresh" && searchEnd.test(line)) {
			side = undefined;
		} else if (side) {
			patches.at(-1)?.[side].push(line);
		}
	}
	return patches.length > 0 && side === undefined ? patches : undefined;
}

const header =
	/^(?:diff --git |index [0-9a-f]|(?:new|deleted) file |similarity |rename |\*\*\* (?:Begin|End|Update|Add|Move) )/;

/** A line that only a patch or a conflict has. */
const mark =
	/^(?:diff --git \S|\*\*\* (?:Begin|End) Patch|\*\*\* (?:Add|Update|Delete) File\b|\*\*\* Move to\b|@@@?(?:\s|$)|[<>|]{7}(?:\s|$)|(?:<|>|-|\+){5,}\s*(?:SEARCH|REPLACE|ORIGINAL|UPDATED)\b)/;

/** Whether a line is one of the two names of a file, which are on consecutive lines. A removed line may start with dashes, too. */
function isName(code: readonly string[], at: number): boolean {
	return (
		(code[at]?.startsWith("--- ") === true && code[at + 1]?.startsWith("+++ ") === true) ||
		(code[at]?.startsWith("+++ ") === true && code[at - 1]?.startsWith("--- ") === true)
	);
}

/** Whether lines contain a mark of a patch or a conflict, so they are not code as they are. */
export function hasMarks(code: readonly string[]): boolean {
	return code.some((line, at) => mark.test(line) || isName(code, at) || isOlderMark(code, at));
}

/** Whether a line is a mark of a context diff or of a diff without context. */
function isOlderMark(code: readonly string[], at: number): boolean {
	return (
		/^\*{15}$/.test(code[at] ?? "") ||
		(/^\d+(?:,\d+)?[acd]\d+(?:,\d+)?$/.test(code[at] ?? "") && /^[<>] /.test(code[at + 1] ?? ""))
	);
}

/** Whether lines have the signs of a diff in their first column. Lists in prose and data have the same signs. */
export function hasSigns(code: readonly string[]): boolean {
	const isSigned = (line = ""): boolean => /^(?:\+(?!\+)|-(?!-))\s*\S/.test(line);
	return (
		code.some(
			(line, at) => line.startsWith("-") && isSigned(line) && /^\+(?!\+)/.test(code[at + 1] ?? ""),
		) ||
		(code.some(isSigned) &&
			code.every(line => line.trim() === "" || /^\s/.test(line) || isSigned(line)))
	);
}

function diffPatches(code: readonly string[], isPatch: boolean): Patch[] | undefined {
	const body = code.filter((line, at) => !header.test(line) && !isName(code, at));
	const isMarked = body.every(line => line === "" || /^[-+ @\\]/.test(line));
	const has = (sign: string): boolean => body.some(line => line.startsWith(sign));
	if (body.some(line => mark.test(line) && !line.startsWith("@@"))) {
		return undefined;
	}
	const [isAdding, isRemoving] = [has("+"), has("-")];
	if (isPatch ? !isAdding && !isRemoving : !isMarked || !isAdding || !isRemoving) {
		return undefined;
	}
	const patches: OpenPatch[] = [];
	let current: OpenPatch = { old: [], fresh: [], kept: [] };
	patches.push(current);
	for (const line of body) {
		if (line.startsWith("@@")) {
			current = { old: [], fresh: [], kept: [], ...startOf(line) };
			patches.push(current);
		} else if (line.startsWith("-")) {
			current.old.push(line.slice(1));
		} else if (line.startsWith("+")) {
			current.fresh.push(line.slice(1));
		} else if (!line.startsWith("\\")) {
			current.kept.push([current.old.length, current.fresh.length]);
			current.old.push(line.replace(/^ /, ""));
			current.fresh.push(line.replace(/^ /, ""));
		}
	}
	return patches.filter(({ old, fresh }) => old.join("\n") !== fresh.join("\n"));
}

function startOf(line: string): Pick<Patch, "at" | "below"> {
	const [, number, rest = ""] = /^@@+\s*(?:-(\d+)[^@]*@@+)?\s*(.*?)\s*(?:@@)?$/.exec(line) ?? [];
	return {
		at: number === undefined ? undefined : Number(number) - 1,
		below: rest === "" ? undefined : rest,
	};
}

/** Returns the files that a patch names, without the marks of its two sides. */
export function patchedPaths(code: readonly string[]): string[] {
	const paths = code.flatMap((line, at) => {
		const [, found = ""] =
			/^\*\*\* (?:Add|Update|Delete) File:?\s*([^]*)/.exec(line) ??
			(isName(code, at) ? /^(?:---|\+\+\+) (?:[ab]\/)?([^\t]*)/.exec(line) : undefined) ??
			[];
		const named = found.trimEnd();
		return named === "" || named === "/dev/null" ? [] : [named];
	});
	return [...new Set(paths)];
}

/** Returns the new side of a patch that creates a file. Undefined for a patch of lines that have to be there. */
export function newSide(code: readonly string[]): readonly string[] | undefined {
	const patches = patchesOf(code, true);
	return patches?.every(({ old }) => old.length === 0) === true && patchedPaths(code).length < 2
		? patches.flatMap(({ fresh }) => fresh)
		: undefined;
}

/** Removes blank lines at both ends. */
export function trimBlank(lines: readonly string[]): string[] {
	const first = lines.findIndex(line => line.trim() !== "");
	return first === -1
		? []
		: lines.slice(first, lines.findLastIndex(line => line.trim() !== "") + 1);
}
