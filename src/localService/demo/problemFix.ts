/** A problem of a file as `get_problems` tells it; lines and columns are counted from 1. */
export interface ReportedProblem {
	readonly line: number;
	readonly column: number;
	readonly message: string;
}

/** One whole line and what it becomes; `find` begins the line `startLine`. */
export interface LineFix {
	readonly find: string;
	readonly replace: string;
	readonly startLine: number;
}

/** What fixed rules can do about problems, and what they cannot. */
export interface ProblemFixes {
	readonly edits: readonly LineFix[];
	readonly fixed: readonly ReportedProblem[];
	readonly left: readonly ReportedProblem[];
}

/** The problems in a result of `get_problems`. */
export function reportedProblems(result: string): ReportedProblem[] {
	const lines = result.matchAll(/^.+?:(\d+):(\d+) (?:error|warning|info|hint) [^:\n]*: (.+)$/gm);
	return [...lines].map(([, line, column, message = ""]) => ({
		line: Number(line),
		column: Number(column),
		message,
	}));
}

/** Fixes what a fixed rule fits, one line at a time and from the end of the line, so that columns stay true. */
export function fixProblems(text: string, problems: readonly ReportedProblem[]): ProblemFixes {
	const lines = text.split(/\r\n|\n/);
	const changed = new Map<number, string | undefined>();
	const [fixed, left]: [ReportedProblem[], ReportedProblem[]] = [[], []];
	const placed = problems.map(problem => ({ problem, ...placeOf(lines, problem) }));
	for (const { problem, line, column } of placed.toSorted((a, b) => b.column - a.column)) {
		const before = changed.has(line) ? changed.get(line) : lines[line - 1];
		const after = before === undefined ? "none" : fixLine(before, column, problem.message);
		if (after === "none") {
			left.push(problem);
		} else {
			changed.set(line, after.text);
			fixed.push(problem);
		}
	}
	const byPlace = (a: ReportedProblem, b: ReportedProblem): number =>
		a.line - b.line || a.column - b.column;
	return {
		edits: [...changed]
			.toSorted(([a], [b]) => a - b)
			.map(([line, after]) => lineEdit(lines, line, after)),
		fixed: fixed.toSorted(byPlace),
		left: left.toSorted(byPlace),
	};
}

/** A mark that is missed before the first word of a line belongs to the end of the line before it. */
function placeOf(
	lines: readonly string[],
	{ line, column, message }: ReportedProblem,
): { readonly line: number; readonly column: number } {
	const head = (lines[line - 1] ?? "").slice(0, column - 1);
	const before = lines.findLastIndex((text, index) => index < line - 1 && text.trim() !== "");
	return missedMark.test(message) && head.trim() === "" && before !== -1
		? { line: before + 1, column: (lines[before] ?? "").length + 1 }
		: { line, column };
}

function lineEdit(lines: readonly string[], line: number, after: string | undefined): LineFix {
	const before = lines[line - 1] ?? "";
	const isLast = line === lines.length;
	return after === undefined
		? { find: isLast ? before : `${before}\n`, replace: "", startLine: line }
		: { find: before, replace: after, startLine: line };
}

/** The line as a rule leaves it, without text when it goes; `none` where no rule fits. */
function fixLine(
	line: string,
	column: number,
	message: string,
): { readonly text?: string } | "none" {
	for (const rule of rules) {
		const match = rule.pattern.exec(message);
		const fix = match && rule.fix(line, column - 1, match[1] ?? "");
		if (fix) {
			return fix;
		}
	}
	return "none";
}

interface Rule {
	readonly pattern: RegExp;
	/** `at` is where the problem begins in the line, `said` what the message names. */
	readonly fix: (line: string, at: number, said: string) => { readonly text?: string } | undefined;
}

const missedMark =
	/^(?:(';' expected|missing semicolon|semicolon expected)|expected comma|',' expected)/i;

/** Puts a mark behind the last character before a place that is no space. */
function withMark(line: string, at: number, mark: string): { readonly text?: string } | undefined {
	const head = line.slice(0, at).trimEnd();
	return head === "" ? undefined : { text: `${head}${mark}${line.slice(head.length)}` };
}

const word = /^[\p{L}\p{N}_$]+/u;

const rules: readonly Rule[] = [
	{
		pattern: /\bdid you mean(?: to write)? ['"«`]([\p{L}\p{N}_$.-]+)['"»`]\?/iu,
		fix: (line, at, said) => {
			const [wrong] = word.exec(line.slice(at)) ?? [];
			return wrong === undefined
				? undefined
				: { text: `${line.slice(0, at)}${said}${line.slice(at + wrong.length)}` };
		},
	},
	{
		pattern: missedMark,
		fix: (line, at, semicolon) => withMark(line, at, semicolon === "" ? "," : ";"),
	},
	{
		pattern: /^trailing comma/i,
		fix: (line, at) =>
			line[at] === "," ? { text: `${line.slice(0, at)}${line.slice(at + 1)}` } : undefined,
	},
	{
		pattern: /^all imports in import declaration are unused|^all destructured elements are unused/i,
		fix: line => (/^\s*import\b.*['"];?\s*$/.test(line) ? {} : undefined),
	},
	{
		pattern:
			/^['"`]?([\p{L}\p{N}_$]+)['"`]? is (?:declared but (?:its value is never read|never used)|defined but never used|assigned a value but never used|not accessed|unused)/iu,
		fix: (line, _at, said) => withoutName(line, said),
	},
];

/** A line without an import or a variable that nobody reads; only where nothing else happens in it. */
function withoutName(line: string, name: string): { readonly text?: string } | undefined {
	const escaped = name.replaceAll("$", String.raw`\$`);
	const isOnly = new RegExp(
		String.raw`^\s*import\s+(?:type\s+)?(?:${escaped}|\*\s+as\s+${escaped}|\{\s*(?:type\s+)?${escaped}\s*,?\s*\})\s+from\s+['"][^'"]*['"];?\s*$`,
	);
	// A value that is no more than a number, a text or a name has no effect, so nothing is lost with it.
	const isPlain = new RegExp(
		String.raw`^\s*(?:const|let|var)\s+${escaped}(?:\s*:\s*[\w<>[\]|\s]+)?(?:\s*=\s*(?:-?[\d.]+|'[^']*'|"[^"]*"|true|false|null|undefined|\[\]|\{\}))?;?\s*$`,
	);
	const isPython = new RegExp(
		String.raw`^\s*import\s+${escaped}\s*$|^\s*from\s+\S+\s+import\s+${escaped}\s*$`,
	);
	if (isOnly.test(line) || isPlain.test(line) || isPython.test(line)) {
		return {};
	}
	const among = new RegExp(
		String.raw`(\{[^}]*?)(?:,\s*(?:type\s+)?${escaped}(?=\s*[,}])|(?<=\{\s*)(?:type\s+)?${escaped}\s*,\s*)`,
	);
	return /^\s*import\b.*\bfrom\b/.test(line) && among.test(line)
		? { text: line.replace(among, "$1") }
		: undefined;
}
