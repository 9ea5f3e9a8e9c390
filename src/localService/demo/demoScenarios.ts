import { escapeMarkdown, fence } from "../base/markdownText.ts";

/** A tool of the caller's, and what it is called with. */
export interface ToolUse {
	readonly name: string;
	readonly input: Readonly<Record<string, unknown>>;
}

/** Scenario of the demo for a plain request: a tool to begin with, and what to do with each result. */
export interface DemoScenario {
	readonly pattern: RegExp;
	first(match: RegExpExecArray): ToolUse;
	/** The next tool, once the results so far are there; nothing when they are all that was needed. */
	next?(results: readonly string[], match: RegExpExecArray): ToolUse | undefined;
	/** Text at the end, as Markdown; without it, or undefined, the last result is passed on. */
	say?(results: readonly string[]): string | undefined;
}

const selection: ToolUse = { name: "get_selection", input: {} };
const activeFile: ToolUse = { name: "get_active_file", input: {} };

/** In a selection's result the text is below a line of its own; without a selection there is no such line. */
function selected(result: string | undefined): string | undefined {
	const [, text] = /^.+, lines \d+-\d+[^\n]*:\n([\s\S]+)$/.exec(result ?? "") ?? [];
	return text;
}

/** The path in the result of `get_active_file`. */
function openFile(result: string | undefined): string | undefined {
	const [, path] = /^(.+?) \([\w-]+\)(?: \([^\n]*\))?:\n/.exec(result ?? "") ?? [];
	return path;
}

const changeCase: DemoScenario = {
	pattern: /\b(?:make|turn|put)\b.*\bselection\b.*\b(upper|lower)[ -]?case\b|\bsample edit\b/i,
	first: () => selection,
	next: ([result, ...rest], [, wanted = "upper"]) => {
		const text = rest.length === 0 ? selected(result) : undefined;
		const changed = /upper/i.test(wanted) ? text?.toUpperCase() : text?.toLowerCase();
		return changed === undefined
			? undefined
			: { name: "replace_selection", input: { text: changed } };
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
			? "The video of the selection is being made; its card is below."
			: undefined,
};

const renameOpen: DemoScenario = {
	pattern:
		/\brename\s+(?:this|the)\s+(?:open\s+)?file\s+to\s+["'`«]?([^\s"'`»]+?)["'`»]?[.?!]?\s*$/i,
	first: () => activeFile,
	next: ([result, ...rest], [, name = ""]) => {
		const path = rest.length === 0 ? openFile(result) : undefined;
		if (path === undefined) {
			return undefined;
		}
		const folder = name.includes("/") ? "" : path.slice(0, path.lastIndexOf("/") + 1);
		return { name: "rename_file", input: { path, newPath: `${folder}${name}` } };
	},
};

/** Part of a page that the answer itself shows. */
const maxExcerpt = 2_000;

/** In the result of a page its title and its address are lines of their own, and its text is Markdown with nothing active in it. */
function tellPage(result: string): string {
	const [, title = "", address = "", text = ""] =
		/^(.*)\n(https?:.*)\n\n([\s\S]*)$/.exec(result) ?? [];
	if (address === "") {
		return `I could not read that page.\n\n> ${escapeMarkdown(result)}`;
	}
	const name = title === "" ? "That page" : `**${escapeMarkdown(title)}**`;
	return `${name} says:\n\n${excerpt(text)}\n\nSource: <${address}>`;
}

/** Cut at the end of a paragraph where there is one. */
function excerpt(text: string): string {
	if (text.length <= maxExcerpt) {
		return text === "" ? "It has no text." : text;
	}
	const cut = text.slice(0, maxExcerpt);
	const end = cut.lastIndexOf("\n\n");
	const shown = end > maxExcerpt / 4 ? cut.slice(0, end) : `${cut.replace(/\\$/, "")}…`;
	return `${shown}\n\n(${(text.length - shown.length).toLocaleString("en")} more characters)`;
}

const readPage: DemoScenario = {
	pattern: /\bhttps?:\/\/[^\s<>"'`]*[^\s<>"'`.,;:!?)\]}*]/i,
	first: ([url]) => ({ name: "browsing", input: { url } }),
	say: results => tellPage(results.at(-1) ?? ""),
};

/** Scenarios with tools, the more particular before the more general. */
export const demoScenarios: readonly DemoScenario[] = [
	readPage,
	changeCase,
	video,
	renameOpen,
	{ pattern: /\b(?:show|read)\b.*\bselection\b/i, first: () => selection },
];

/** The last result, as the tool reported it. */
export function repeatLastResult(results: readonly string[]): string {
	const result = results.at(-1) ?? "";
	const shown = result.includes("\n") ? fence(result) : `> ${escapeMarkdown(result)}`;
	return `No model runs in the demo, so this is just what the tool returned:\n\n${shown}`;
}
