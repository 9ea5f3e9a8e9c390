import { escapeMarkdown, fence } from "../base/index.ts";
import {
	fixProblems,
	type ProblemFixes,
	reportedProblems,
	type ReportedProblem,
} from "./problemFix.ts";
import { reportText } from "./textReport.ts";

/** A tool of the caller's, and what it is called with. */
export interface ToolUse {
	readonly name: string;
	readonly input: Readonly<Record<string, unknown>>;
}

/** What a plain request makes the demo do: a tool to begin with, and what to do with each result. */
export interface DemoScenario {
	readonly pattern: RegExp;
	first(match: RegExpExecArray): ToolUse;
	/** The next tool, once the results so far are there; nothing when they are all that was needed. */
	next?(results: readonly string[], match: RegExpExecArray): ToolUse | undefined;
	/** What to say at the end, as Markdown; without it, or undefined, the last result is passed on. */
	say?(results: readonly string[]): string | undefined;
}

const selection: ToolUse = { name: "get_selection", input: {} };
const activeFile: ToolUse = { name: "get_active_file", input: {} };

/** In a selection's result the text is below a line of its own; without a selection there is no such line. */
function selected(result: string | undefined): string | undefined {
	const [, text] = /^.+, lines \d+-\d+[^\n]*:\n([\s\S]+)$/.exec(result ?? "") ?? [];
	return text;
}

interface OpenFile {
	readonly path: string;
	readonly text: string;
}

/** The path and the text in the result of `get_active_file`. */
function openFile(result: string | undefined): OpenFile | undefined {
	const [, path, text] = /^(.+?) \([\w-]+\)(?: \([^\n]*\))?:\n([\s\S]*)$/.exec(result ?? "") ?? [];
	return path === undefined || text === undefined ? undefined : { path, text };
}

const changeCase: DemoScenario = {
	pattern: /\b(?:make|turn|put)\b.*\bselection\b.*\b(upper|lower)[ -]?case\b/i,
	first: () => selection,
	next: ([result, ...rest], [, wanted = ""]) => {
		const text = rest.length === 0 ? selected(result) : undefined;
		const changed = /upper/i.test(wanted) ? text?.toUpperCase() : text?.toLowerCase();
		return changed === undefined
			? undefined
			: { name: "replace_selection", input: { text: changed } };
	},
};

/** What a file's ending says of its language; other endings speak for themselves. */
const languages: Readonly<Record<string, string>> = {
	cjs: "javascript",
	js: "javascript",
	md: "markdown",
	mjs: "javascript",
	py: "python",
	rs: "rust",
	sh: "shell",
	ts: "typescript",
};

/** The language of the file that the first line of a selection's result names. */
function languageOf(place: string): string | undefined {
	const [, ending] = /\.(\w{1,10}), lines /.exec(place) ?? [];
	return ending === undefined ? undefined : (languages[ending] ?? ending);
}

const explain: DemoScenario = {
	pattern: /\bexplain\b.*\bselection\b/i,
	first: () => selection,
	say: ([result = ""]) => {
		const text = selected(result);
		const [place = ""] = /^[^\n]*/.exec(result) ?? [];
		return text === undefined
			? undefined
			: [
					"What it means takes a language model, which I have not. By counting I can say this of the selection:",
					`**${escapeMarkdown(place.replace(/:$/, ""))}**`,
					reportText(text, languageOf(place)),
				].join("\n\n");
	},
};

const video: DemoScenario = {
	pattern: /\bvideo\b.*\bselection\b/i,
	first: () => selection,
	next: ([result, ...rest]) => {
		const text = rest.length === 0 ? selected(result) : undefined;
		return text === undefined
			? undefined
			: { name: "generate_video", input: { prompt: [...text].slice(0, 4000).join("") } };
	},
	say: results =>
		results.at(-1)?.startsWith("The video is being made")
			? "The video of the selection is being made; its card stands below."
			: undefined,
};

const renameOpen: DemoScenario = {
	pattern:
		/\brename\s+(?:this|the)\s+(?:open\s+)?file\s+to\s+["'`«]?([^\s"'`»]+?)["'`»]?[.?!]?\s*$/i,
	first: () => activeFile,
	next: ([result, ...rest], [, name = ""]) => {
		const path = rest.length === 0 ? openFile(result)?.path : undefined;
		if (path === undefined) {
			return undefined;
		}
		const folder = name.includes("/") ? "" : path.slice(0, path.lastIndexOf("/") + 1);
		return { name: "rename_file", input: { path, newPath: `${folder}${name}` } };
	},
};

const rename: DemoScenario = {
	pattern: /\brename\s+["'`«]?([^\s"'`»]+\.\w+)["'`»]?\s+to\s+["'`«]?([^\s"'`»]+\.\w+)["'`»]?/i,
	first: ([, path = "", newPath = ""]) => ({ name: "rename_file", input: { path, newPath } }),
};

const fix: DemoScenario = {
	pattern: /\bfix\b.*\b(?:problems?|errors?|warnings?)\b/i,
	first: () => activeFile,
	next: results => {
		const file = openFile(results[0]);
		if (results.length === 1) {
			return file && { name: "get_problems", input: { path: file.path } };
		}
		const { edits } = fixesOf(results);
		return file && results.length === 2 && edits.length > 0
			? { name: "apply_edit", input: { files: [{ path: file.path, edits }] } }
			: undefined;
	},
	say: results => {
		const { fixed, left } = fixesOf(results);
		const [, told, outcome] = results;
		if (told === undefined || fixed.length + left.length === 0) {
			return undefined;
		}
		return [
			...(outcome === undefined ? [] : [escapeMarkdown(outcome)]),
			...listed("What I proposed by fixed rules:", fixed),
			...listed("No rule of mine fits these; they take a language model, or you:", left),
		].join("\n\n");
	},
};

function fixesOf([active, told]: readonly string[]): ProblemFixes {
	return fixProblems(openFile(active)?.text ?? "", reportedProblems(told ?? ""));
}

function listed(title: string, problems: readonly ReportedProblem[]): string[] {
	const lines = problems.map(({ line, message }) => `- line ${line}: ${escapeMarkdown(message)}`);
	return problems.length === 0 ? [] : [[title, "", ...lines].join("\n")];
}

/** The errands, the more particular before the more general. */
export const demoScenarios: readonly DemoScenario[] = [
	changeCase,
	explain,
	video,
	renameOpen,
	rename,
	fix,
	{ pattern: /\b(?:show|read)\b.*\bselection\b/i, first: () => selection },
	{
		pattern: /\b(?:problems|errors|warnings)\b/i,
		first: () => ({ name: "get_problems", input: {} }),
	},
	{
		pattern: /^\s*(?:search|look) for\s+["'`]?(.{1,200}?)["'`]?[.?!]?\s*$/i,
		first: ([, query = ""]) => ({ name: "search_text", input: { query } }),
	},
	{
		pattern: /^\s*(?:read|open|show)\s+(?:the file\s+)?`?([\w@][\w./@-]*\.\w+)`?[.?!]?\s*$/i,
		first: ([, path = ""]) => ({ name: "read_file", input: { path } }),
	},
	{ pattern: /\blist\b.*\bfiles\b/i, first: () => ({ name: "list_files", input: {} }) },
	{ pattern: /\bgit\b.*\b(?:diff|changes)\b/i, first: () => ({ name: "get_git_diff", input: {} }) },
];

/** The last result, as the tool reported it. */
export function repeatLastResult(results: readonly string[]): string {
	const result = results.at(-1) ?? "";
	const shown = result.includes("\n") ? fence(result) : `> ${escapeMarkdown(result)}`;
	return `I have no model behind me, so I only pass on what the tool said:\n\n${shown}`;
}
