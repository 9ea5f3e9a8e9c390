/** The longest arguments that are read, in UTF-16 code units, and the deepest nesting. Fault matrix U8. */
export const maxArgumentsLength = 1024 * 1024;
export const maxArgumentsDepth = 64;

/** Arguments as they came, or what keeps them from being read. */
export type ArgumentsReading =
	{ readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly problem: string };

/** Names that mean something to JavaScript objects themselves (threat T33). */
const forbiddenNames: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);

/**
 * Reads a call's arguments without ever repairing or guessing. Refused are text that is not JSON (U5), and names that are
 * twice, names of JavaScript's own, nesting beyond 64 and more than 1 MiB (U8). Empty text counts as no arguments, which is
 * how some services write them.
 */
export function readArguments(text: string): ArgumentsReading {
	if (text.length > maxArgumentsLength) {
		return { ok: false, problem: "The arguments are longer than 1 MiB." };
	}
	if (text.trim() === "") {
		return { ok: true, value: {} };
	}
	let value: unknown;
	try {
		value = JSON.parse(text);
	} catch (error) {
		return { ok: false, problem: `The arguments are not JSON${placeOf(error)}.` };
	}
	const problem = structureProblem(text);
	return problem === undefined ? { ok: true, value } : { ok: false, problem };
}

/** Where the parser gave up; its own words would quote the arguments. */
function placeOf(error: unknown): string {
	const position = /position (\d+)/.exec(error instanceof Error ? error.message : "")?.[1];
	return position === undefined ? " to their end" : ` at position ${position}`;
}

/** Strings, brackets and colons are all that matters of text known to be JSON. */
const token = /"(?:[^"\\]|\\.)*"|[[\]{}:]/g;

/** Problems in the structure of valid JSON that `JSON.parse` passes over in silence. */
function structureProblem(text: string): string | undefined {
	const open: (Set<string> | undefined)[] = [];
	let lastString = "";
	for (const [part] of text.matchAll(token)) {
		if (part === "{" || part === "[") {
			open.push(part === "{" ? new Set() : undefined);
			if (open.length > maxArgumentsDepth) {
				return `The arguments are nested deeper than ${maxArgumentsDepth}.`;
			}
		} else if (part === "}" || part === "]") {
			open.pop();
		} else if (part === ":") {
			const problem = nameProblem(String(JSON.parse(lastString)), open.at(-1));
			if (problem !== undefined) {
				return problem;
			}
		} else {
			lastString = part;
		}
	}
	return undefined;
}

function nameProblem(name: string, names: Set<string> | undefined): string | undefined {
	if (forbiddenNames.has(name)) {
		return `The arguments hold the forbidden name ${name}.`;
	}
	if (names?.has(name)) {
		return "The arguments hold the same name twice.";
	}
	names?.add(name);
	return undefined;
}
