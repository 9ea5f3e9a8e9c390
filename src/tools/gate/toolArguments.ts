/** The longest arguments, in UTF-16 code units. */
export const maxArgumentsLength = 1024 * 1024;
export const maxArgumentsDepth = 64;

/** Parsed arguments, or why they are invalid. */
export type ArgumentsReading =
	{ readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly problem: string };

/** Names with a special meaning for JavaScript objects (docs/security.md). */
const forbiddenNames: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);

/**
 * Parses a call's arguments without repairing them. Rejects invalid JSON, duplicate names, JavaScript's special names, nesting deeper than 64 levels
 * and more than 1 MiB. Empty text means no arguments, as some services write it.
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

/** Returns the position of a syntax error. The parser's message would quote the arguments. */
function placeOf(error: unknown): string {
	const position = /position (\d+)/.exec(error instanceof Error ? error.message : "")?.[1];
	return position === undefined ? " to their end" : ` at position ${position}`;
}

/** The tokens that matter in valid JSON: strings, brackets and colons. */
const token = /"(?:[^"\\]|\\.)*"|[[\]{}:]/g;

/** Finds problems in valid JSON that `JSON.parse` ignores. */
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
