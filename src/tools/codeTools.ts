import * as l10n from "@vscode/l10n";
import * as z from "zod/mini";
import { only } from "./lookTools.ts";
import type { Target } from "./resolveTarget.ts";
import { cutResult, listResult, oneLine } from "./resultText.ts";
import { searchFiles } from "./searchText.ts";
import { defineTool, type Tool, type ToolContext, ToolFailure } from "./tool.ts";
import { globSchema, lineSchema, pathSchema } from "./toolSchemas.ts";

const maxProblems = 200;
const maxSymbols = 500;
const maxReferences = 300;

const searchText = defineTool({
	name: "search_text",
	get title() {
		return l10n.t("Search the files");
	},
	description:
		"Searches the files of the workspace for text, or for a JavaScript regular expression applied line by line. Returns path, line number and line of each hit, at most 1000. Files the person excluded, files Git ignores and files that hold secrets are left out.",
	effect: "read",
	schema: z.strictObject({
		query: z.string().check(z.minLength(1), z.maxLength(500)),
		isRegularExpression: z.optional(z.boolean()),
		isCaseSensitive: z.optional(z.boolean()),
		glob: z.optional(globSchema),
	}),
	plan: ({ query, isRegularExpression, isCaseSensitive, glob }) => ({
		summary: l10n.t("Search for {0}", oneLine(query, 80)),
		run: context =>
			searchFiles(context, {
				query,
				isRegularExpression: isRegularExpression ?? false,
				isCaseSensitive: isCaseSensitive ?? false,
				glob: glob ?? "**/*",
			}),
	}),
});

const getProblems = defineTool({
	name: "get_problems",
	get title() {
		return l10n.t("Read the problems");
	},
	description:
		"Returns the errors and warnings the editor shows, for one file or for all, with path, line, column and message.",
	effect: "read",
	schema: z.strictObject({ path: z.optional(pathSchema) }),
	paths: ({ path }) => (path === undefined ? [] : [{ path, use: "read", expects: "file" }]),
	plan: (_input, targets, context) => {
		const [target] = targets;
		return {
			summary: target
				? l10n.t("Read the problems of {0}", target.label)
				: l10n.t("Read the problems"),
			run: async () => {
				const lines = context.editor.problems(target).flatMap(problem => {
					const label = labelOf(context, problem.path, target);
					const { line, column, severity, source, message } = problem;
					return label === undefined
						? []
						: [
								`${label}:${line}:${column} ${severity} ${oneLine(source, 40)}: ${oneLine(message, 500)}`,
							];
				});
				return listResult(lines, maxProblems, "The editor shows no problems.");
			},
		};
	},
});

const getSymbols = defineTool({
	name: "get_symbols",
	get title() {
		return l10n.t("List the symbols of a file");
	},
	description:
		"Lists the functions, classes and other symbols of a file with their lines, as the language's own tools see them.",
	effect: "read",
	schema: z.strictObject({ path: pathSchema }),
	paths: ({ path }) => [{ path, use: "read", expects: "file" }],
	plan: (_input, targets, { editor }) => {
		const target = only(targets);
		return {
			summary: l10n.t("List the symbols of {0}", target.label),
			run: async () => {
				const lines = (await editor.symbols(target)).map(
					({ name, kind, line, depth }) =>
						`${"  ".repeat(Math.min(depth, 10))}${kind} ${oneLine(name, 120)} (line ${line})`,
				);
				return listResult(lines, maxSymbols, `No symbols are known for ${target.label}.`);
			},
		};
	},
});

const findReferences = defineTool({
	name: "find_references",
	get title() {
		return l10n.t("Find references");
	},
	description:
		"Finds where a symbol is used, as the language's own tools see it. Give a file, a line in which the symbol stands, and the symbol.",
	effect: "read",
	schema: z.strictObject({
		path: pathSchema,
		line: lineSchema,
		symbol: z.string().check(z.minLength(1), z.maxLength(200)),
	}),
	paths: ({ path }) => [{ path, use: "read", expects: "file" }],
	plan: ({ line, symbol }, targets, context) => {
		const target = only(targets);
		return {
			summary: l10n.t("Find references of {0}", oneLine(symbol, 80)),
			run: async () => {
				const { text } = await context.editor.readText(target);
				const at = text.split(/\r\n|\n/)[line - 1]?.indexOf(symbol) ?? -1;
				if (at === -1) {
					throw new ToolFailure(`The symbol does not stand in line ${line} of ${target.label}.`);
				}
				const places = await context.editor.references(target, line, at + 1);
				const lines = places.flatMap(place => {
					const label = labelOf(context, place.path, target);
					return label === undefined ? [] : [`${label}:${place.line}:${place.column}`];
				});
				return listResult(lines, maxReferences, "No references are known.");
			},
		};
	},
});

const getGitDiff = defineTool({
	name: "get_git_diff",
	get title() {
		return l10n.t("Read the Git changes");
	},
	description:
		"Returns what changed in the workspace since the last commit, as a unified diff; with isStaged what is staged for the next.",
	effect: "read",
	schema: z.strictObject({ isStaged: z.optional(z.boolean()) }),
	plan: ({ isStaged }, _targets, context) => ({
		summary: isStaged ? l10n.t("Read the staged changes") : l10n.t("Read the Git changes"),
		run: async () => {
			const diffs = await context.editor.gitDiff(isStaged ?? false);
			const shown = diffs.filter(
				({ paths }) =>
					paths.length > 0 && paths.every(path => context.tellable(path) !== undefined),
			);
			const left = diffs.length - shown.length;
			const text = shown.map(({ diff }) => diff.trimEnd()).join("\n");
			const note =
				left > 0
					? `\n[left out: ${left} files that hold secrets, are excluded or lie outside]`
					: "";
			return text === "" && left === 0 ? "Nothing changed." : `${cutResult(text)}${note}`;
		},
	}),
});

/** The tools that look at code as the editor understands it. */
export const codeTools: readonly Tool[] = [
	searchText,
	getProblems,
	getSymbols,
	findReferences,
	getGitDiff,
];

/** The label of a file the model may be told of: without asking, or because it is the one the call was allowed for. */
function labelOf(
	context: ToolContext,
	path: string,
	allowed: Target | undefined,
): string | undefined {
	const target = context.look(path)?.path === allowed?.path ? allowed : undefined;
	return (target ?? context.tellable(path))?.label;
}
