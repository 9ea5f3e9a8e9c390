import * as l10n from "@vscode/l10n";
import * as z from "zod/mini";
import { sensitiveReason } from "../../paths/sensitivePaths.ts";
import { sensitiveFileMessage } from "../../paths/pathForm.ts";
import type { PathTarget } from "../../paths/resolveTarget.ts";
import { sha256 } from "../tool/safeFile.ts";
import type { ActiveDocument, OpenTab, TextSnapshot } from "../tool/editorActions.ts";
import { defineTool, type Tool, type ToolDependencies, type ToolPlan } from "../tool/tool.ts";
import { shortenData } from "../tool/edits.ts";
import { ToolFailure } from "../tool/toolFailure.ts";
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
import { findSecrets } from "../../common/secretContent.ts";

const maxListedFiles = 500;
const maxCandidates = 5000;

const getSelection = defineTool({
	name: "get_selection",
	get title() {
		return l10n.t("Read the selection");
	},
	description:
		"Returns the text selected in the editor with its file and lines. Says so when nothing is selected.",
	effect: "read",
	schema: z.strictObject({}),
	plan: (_input, _targets, context) =>
		lookAtActive(
			context,
			label => l10n.t("Read the selection in {0}", label),
			(document, label) => {
				const { start, end } = document.selection;
				const [first, last] = [lineOf(document.text, start), lineOf(document.text, end)];
				if (start === end) {
					const told = `Nothing is selected. The cursor is in ${label}, line ${first}.`;
					return { told, warnings: [] };
				}
				const part = cutResult(document.text.slice(start, end));
				return {
					told: `${label}, lines ${first}-${last}${notesOf(document.notes)}:\n${part}`,
					warnings: secretWarnings(label, document.text, first, last),
				};
			},
		),
});

const getActiveFile = defineTool({
	name: "get_active_file",
	get title() {
		return l10n.t("Read the open file");
	},
	description:
		"Returns the text of the file open in the active editor, unsaved changes included, with its path and language.",
	effect: "read",
	schema: z.strictObject({}),
	plan: (_input, _targets, context) =>
		lookAtActive(
			context,
			label => l10n.t("Read the open file in {0}", label),
			({ text, languageId, notes }, label) => ({
				told: `${label} (${languageId})${notesOf(notes)}:\n${cutResult(text)}`,
				warnings: secretWarnings(label, text),
			}),
		),
});

const getOpenFiles = defineTool({
	name: "get_open_files",
	get title() {
		return l10n.t("List the open files");
	},
	description:
		"Lists the files open in the editor's tabs, without their text. Files the user excluded and files that may hold secrets are left out.",
	effect: "read",
	schema: z.strictObject({}),
	plan: (_input, _targets, context) => ({
		summary: l10n.t("List the open files"),
		run: async () => {
			const files = context.editor.openFiles();
			const lines = files.map(file => openFileLine(context, file));
			const told = lines.filter(line => line !== undefined);
			const none = files.length === 0 ? "No file is open." : "";
			return withLeftOut(listResult(told, maxListedFiles, none), files.length - told.length);
		},
	}),
});

const fileLinesSchema = z.strictObject({
	path: pathSchema,
	startLine: z.optional(lineSchema),
	endLine: z.optional(lineSchema),
});

const readFile = defineTool({
	name: "read_file",
	get title() {
		return l10n.t("Read a file");
	},
	description:
		"Returns the text of a file of the workspace, unsaved changes included. Long files come in parts: give startLine and endLine, both counted from 1 and inclusive. A notebook comes as its cells and outputs; with startLine, as lines of the JSON that it is saved as, which edits are made in.",
	effect: "read",
	schema: fileLinesSchema,
	paths: ({ path }) => [{ path, use: "read", expects: "file" }],
	plan: async ({ startLine, endLine }, targets, { editor }) => {
		const target = only(targets);
		const isWhole = (startLine ?? endLine) === undefined;
		const read = async (): Promise<TextSnapshot> => {
			const snapshot = await editor.readText(target);
			const { text, cells, languageId, notes } = snapshot;
			return isWhole || cells === undefined
				? { ...snapshot, text: cells ?? text }
				: { text: shortenData(text), languageId, notes };
		};
		const tell = (snapshot: TextSnapshot): string =>
			snapshot.cells === undefined
				? tellLines(target, snapshot, startLine, endLine)
				: `${target.label}, its cells${notesOf(snapshot.notes)}:\n${cutResult(snapshot.text)}`;
		const summary = l10n.t("Read {0}", target.label);
		// If a file requires approval anyway, doesn't read it before. Otherwise its content determines whether to ask.
		if (target.readReason !== undefined || target.isHardLinked) {
			const run = async (): Promise<string> => tell(await read());
			return { summary, isAskedForSecrets: true, run };
		}
		const snapshot = await read();
		const told = tell(snapshot);
		return {
			summary,
			isAskedForSecrets: true,
			warnings: secretWarnings(target.label, snapshot.text, startLine, endLine),
			binding: [sha256(snapshot.text)],
			run: () => Promise.resolve(told),
		};
	},
});

const listFiles = defineTool({
	name: "list_files",
	get title() {
		return l10n.t("List files");
	},
	description: `Lists files of the workspace that match a glob, at most ${maxListedFiles}. Files the user excluded, files Git ignores and files that may hold secrets are left out.`,
	effect: "read",
	schema: z.strictObject({ glob: z.optional(globSchema) }),
	plan: ({ glob = "**/*" }, _targets, context) => ({
		summary: l10n.t("List files like {0}", glob),
		run: async ({ signal }) => {
			const paths = await context.editor.listFiles(glob, maxCandidates, signal);
			const files = paths.toSorted().map(path => ({ path }));
			const lineOf = (label: string): string => label;
			return listFoundFiles(context, files, {
				lineOf,
				limit: maxListedFiles,
				none: "No file matches.",
			});
		},
	}),
});

const openFile = defineTool({
	name: "open_file",
	get title() {
		return l10n.t("Show a file");
	},
	description:
		"Opens a file of the workspace in the editor for the user to see, and selects lines of it.",
	effect: "show",
	schema: fileLinesSchema,
	paths: ({ path }) => [{ path, use: "read", expects: "file" }],
	plan: ({ startLine, endLine }, targets, { editor }) => {
		const target = only(targets);
		return {
			summary: l10n.t("Show {0}", target.label),
			run: async () => {
				await editor.open(target, startLine, endLine);
				return `${target.label} is open in the editor.`;
			},
		};
	},
});

/** The tools that read documents and files. */
export const lookTools: readonly Tool[] = [
	getSelection,
	getActiveFile,
	getOpenFiles,
	readFile,
	listFiles,
	openFile,
];

/** Returns the target of a call that names one path. */
export function only(targets: readonly PathTarget[]): PathTarget {
	const [target] = targets;
	if (!target) {
		throw new ToolFailure("The call names no file.");
	}
	return target;
}

/** Returns the active document, and its file if it has one. Throws if there is none or it isn't allowed. */
export function activeDocument(dependencies: ToolDependencies): {
	readonly document: ActiveDocument;
	readonly target: PathTarget | undefined;
} {
	const document = dependencies.editor.activeDocument();
	if (!document) {
		throw new ToolFailure("No text editor is open.");
	}
	const target =
		document.path === undefined
			? undefined
			: dependencies.resolve({ path: document.path, use: "read", expects: "file" });
	return { document, target };
}

/** Returns a line for an open file, or undefined if the model may not know it without asking. */
function openFileLine(dependencies: ToolDependencies, file: OpenTab): string | undefined {
	const { path, name, isActive, isDirty } = file;
	const isInside = path !== undefined && dependencies.look(path) !== undefined;
	const target = isInside ? dependencies.tellable(path) : undefined;
	if (isInside ? !target : sensitiveReason(path ?? name, "read")) {
		return undefined;
	}
	const notes = [
		...(isActive ? ["active"] : []),
		...(isDirty ? ["unsaved changes"] : []),
		...(target ? [] : ["not in the workspace"]),
	];
	// Don't reveal paths outside the workspace to the model.
	const shown = target?.label ?? name;
	return notes.length > 0 ? `${shown} (${notes.join(", ")})` : shown;
}

function lookAtActive(
	dependencies: ToolDependencies,
	summarize: (label: string) => string,
	tell: (
		document: ActiveDocument,
		label: string,
	) => { readonly told: string; readonly warnings: readonly string[] },
): ToolPlan {
	const { document, target } = activeDocument(dependencies);
	const label = target?.label ?? oneLine(document.address ?? document.name);
	const { told, warnings } = tell(document, label);
	return {
		summary: summarize(label),
		targets: target ? [target] : [],
		isAskedForSecrets: true,
		warnings: [...(target ? [] : addressWarnings(document, label)), ...warnings],
		binding: [sha256(document.text)],
		// Uses the text that was approved, even if another editor is active by then.
		run: () => Promise.resolve(told),
	};
}

/** Documents outside the workspace may have any origin; only an untitled one is certainly the user's own. */
function addressWarnings({ address, name }: ActiveDocument, label: string): string[] {
	const reason = sensitiveReason(address ?? name, "read");
	return [
		...(reason ? [sensitiveFileMessage(reason, label)] : []),
		...(address === undefined ? [] : [l10n.t("{0} is outside the workspace", label)]),
	];
}

function tellLines(
	{ label }: PathTarget,
	{ text, notes }: TextSnapshot,
	startLine: number | undefined,
	endLine: number | undefined,
): string {
	const lines = text.split(/\r\n|\n/);
	const first = startLine ?? 1;
	const last = Math.min(endLine ?? lines.length, lines.length);
	if (first > last) {
		throw new ToolFailure(`${label} has ${lines.length} lines.`);
	}
	const part = cutResult(lines.slice(first - 1, last).join("\n"));
	return `${label}, lines ${first}-${last} of ${lines.length}${notesOf(notes)}:\n${part}`;
}

function notesOf(notes: readonly string[]): string {
	return notes.length > 0 ? ` (${notes.join(", ")})` : "";
}

function lineOf(text: string, offset: number): number {
	return text.slice(0, offset).split("\n").length;
}

/** The most secrets to list in a warning. */
const maxListed = 3;

/**
 * Returns a warning if lines of a text, counted from 1, contain secrets: their location, kind and start. Pass the whole text even for a part, because
 * a key is recognized by its first line.
 */
function secretWarnings(
	label: string,
	text: string,
	firstLine = 1,
	lastLine = Number.POSITIVE_INFINITY,
): string[] {
	const lineOf = (offset: number): number => text.slice(0, offset).split("\n").length;
	const found = findSecrets(text).filter(
		({ start, end }) => lineOf(end) >= firstLine && lineOf(start) <= lastLine,
	);
	if (found.length === 0) {
		return [];
	}
	const listed = found.slice(0, maxListed).map(({ kind, start, end }) => {
		const shown = text.slice(start, start + Math.min(4, Math.floor((end - start) / 4)));
		return `${lineOf(start)}: ${kind} ${shown}•••`;
	});
	const more = found.length > maxListed ? ", …" : "";
	return [l10n.t("{0} may contain secrets in lines {1}", label, `${listed.join(", ")}${more}`)];
}
