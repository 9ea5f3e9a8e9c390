import * as l10n from "@vscode/l10n";
import * as z from "zod/mini";
import { holdsPrivateKey, maskKeyLines } from "../../common/secretContent.ts";
import type { FileDiff } from "../tool/editorActions.ts";
import { defineTool, type Tool, type ToolDependencies } from "../tool/tool.ts";
import { shortenData } from "../tool/edits.ts";
import { ToolFailure } from "../tool/toolFailure.ts";
import { only } from "./lookTools.ts";
import {
	cutResult,
	listResult,
	oneLine,
	listFoundFiles,
	withLeftOut,
	globSchema,
	lineSchema,
	pathSchema,
} from "./resultText.ts";
import { searchFiles, textOf } from "./searchText.ts";

const maxProblems = 200;
const maxSymbols = 500;
const maxReferences = 300;

const searchText = defineTool({
	name: "search_text",
	get title() {
		return l10n.t("Search the files");
	},
	description:
		"Searches the files of the workspace for text, or for a JavaScript regular expression applied line by line. Returns path, line number and line of each hit, at most 1000. Files the user excluded, files Git ignores and files that may hold secrets are left out.",
	effect: "read",
	schema: z.strictObject({
		query: z.string().check(z.minLength(1), z.maxLength(500)),
		isRegularExpression: z.optional(z.boolean()),
		isCaseSensitive: z.optional(z.boolean()),
		glob: z.optional(globSchema),
	}),
	plan: ({ query, isRegularExpression, isCaseSensitive, glob }) => ({
		summary: l10n.t("Search for “{0}”", oneLine(query, 80)),
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
			run: async () =>
				listFoundFiles(context, context.editor.problems(target), {
					lineOf: (label, { line, column, severity, source, message }) =>
						`${label}:${line}:${column} ${severity} ${oneLine(source, 40)}: ${oneLine(message, 500)}`,
					limit: maxProblems,
					none: "The editor shows no problems.",
					allowed: target,
				}),
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
		"Finds where a symbol is used, as the language's own tools see it. Give a file, a line that contains the symbol, and the symbol.",
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
			summary: l10n.t("Find references to {0}", oneLine(symbol, 80)),
			run: async () => {
				const { text } = await context.editor.readText(target);
				const at = text.split(/\r\n|\n/)[line - 1]?.indexOf(symbol) ?? -1;
				if (at === -1) {
					throw new ToolFailure(`The symbol does not stand in line ${line} of ${target.label}.`);
				}
				const places = await context.editor.references(target, line, at + 1);
				return listFoundFiles(context, places, {
					lineOf: (label, place) => `${label}:${place.line}:${place.column}`,
					limit: maxReferences,
					none: "No references are known.",
					allowed: target,
				});
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
			const shown = await Promise.all(diffs.map(diff => tellableDiff(context, diff)));
			const told = shown.filter(text => text !== undefined);
			const text = diffs.length === 0 ? "Nothing changed." : told.join("\n");
			return withLeftOut(cutResult(text), diffs.length - told.length);
		},
	}),
});

/** The tools that use the editor's understanding of code. */
export const codeTools: readonly Tool[] = [
	searchText,
	getProblems,
	getSymbols,
	findReferences,
	getGitDiff,
];

/** Returns a file's changes with private keys masked, if the model may know the file under all its names. */
async function tellableDiff(
	{ editor, tellable }: ToolDependencies,
	{ paths, diff }: FileDiff,
): Promise<string | undefined> {
	const targets = paths.map(tellable);
	if (targets.length === 0 || targets.includes(undefined)) {
		return undefined;
	}
	const isNotebook = paths.some(path => path.endsWith(".ipynb"));
	const text = isNotebook ? shortenData(diff.trimEnd()) : diff.trimEnd();
	const masked = maskKeyLines(text);
	if (masked === text) {
		return text;
	}
	const files = await Promise.all(
		targets.map(async target => (target?.kind === "file" ? textOf(editor, target) : "")),
	);
	return [text, ...files].some(holdsPrivateKey) ? masked : text;
}
