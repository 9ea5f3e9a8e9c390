import * as l10n from "@vscode/l10n";
import * as z from "zod/mini";
import { sha256 } from "../tool/safeFile.ts";
import type { FileChange } from "../tool/editorActions.ts";
import { applyHunks, type FilePreview, type Hunk, placeEdits, warningsOf } from "../tool/edits.ts";
import { defineTool, type Tool, type ToolDependencies, type ToolPlan } from "../tool/tool.ts";
import { ToolFailure } from "../tool/toolFailure.ts";
import { activeDocument } from "./lookTools.ts";
import type { PathTarget } from "../../paths/resolveTarget.ts";
import { lineSchema, pathSchema, textSchema } from "./resultText.ts";

const editSchema = z.strictObject({
	find: textSchema.check(
		z.minLength(1),
		z.describe("The exact text as it is in the file now, with its indentation."),
	),
	replace: textSchema.check(z.describe("The text to put in its place; empty to remove it.")),
	startLine: z.optional(
		lineSchema.check(
			z.describe("The line in which find begins; needed only when find occurs more than once."),
		),
	),
});

const applyEdit = defineTool({
	name: "apply_edit",
	get title() {
		return l10n.t("Edit files");
	},
	description:
		"Proposes changes to files of the workspace, several at once. Each edit names the exact text to find and its replacement. The user sees a diff and may take all, some or none of the edits. Nothing is changed when any edit cannot be placed.",
	effect: "write",
	schema: z.strictObject({
		files: z
			.array(
				z.strictObject({
					path: pathSchema,
					edits: z.array(editSchema).check(z.minLength(1), z.maxLength(200)),
				}),
			)
			.check(z.minLength(1), z.maxLength(50)),
	}),
	paths: ({ files }) => files.map(({ path }) => ({ path, use: "write", expects: "file" })),
	plan: async ({ files }, targets, { editor }) => {
		if (new Set(targets.map(target => target.path)).size < targets.length) {
			throw new ToolFailure("The call names the same file twice. Nothing was changed.");
		}
		const previews = await Promise.all(
			targets.map(async (target, index) => {
				const { text } = await editor.readText(target);
				return editPreview(target, text, placeEdits(text, files[index]?.edits ?? [], target.label));
			}),
		);
		return editPlan(
			l10n.t("Edit {0}", previews.map(({ target }) => target.label).join(", ")),
			previews,
		);
	},
});

const insertAtCursor = defineTool({
	name: "insert_at_cursor",
	get title() {
		return l10n.t("Insert text");
	},
	description:
		"Proposes to insert text at the cursor of the active editor. The user sees a diff first.",
	effect: "write",
	schema: z.strictObject({ text: textSchema.check(z.minLength(1)) }),
	plan: ({ text }, _targets, context) =>
		planAtSelection(context, text, ({ end }) => ({ start: end, end })),
});

const replaceSelection = defineTool({
	name: "replace_selection",
	get title() {
		return l10n.t("Replace the selection");
	},
	description:
		"Proposes to replace the text selected in the active editor. The user sees a diff first.",
	effect: "write",
	schema: z.strictObject({ text: textSchema }),
	plan: ({ text }, _targets, context) =>
		planAtSelection(context, text, selection => {
			if (selection.start === selection.end) {
				throw new ToolFailure("Nothing is selected.");
			}
			return selection;
		}),
});

const createFile = defineTool({
	name: "create_file",
	get title() {
		return l10n.t("Create a file");
	},
	description:
		"Proposes a file that is not there yet, with its text. Folders on the way are made. The user sees it first.",
	effect: "write",
	schema: z.strictObject({ path: pathSchema, text: textSchema }),
	paths: ({ path }) => [{ path, use: "write", expects: "missing" }],
	plan: ({ text }, targets) => {
		const [target] = targets;
		const previews: readonly FilePreview[] = target
			? [{ target, change: "create", before: "", after: text, hunks: [] }]
			: [];
		return changePlan(
			l10n.t("Create {0}", target?.label ?? ""),
			previews,
			targets.map(target => ({ type: "create", target, text })),
			`Created ${target?.label ?? ""}.`,
		);
	},
});

const renameFile = defineTool({
	name: "rename_file",
	get title() {
		return l10n.t("Rename a file");
	},
	description:
		"Proposes to rename or move a file within the workspace. Fails when something exists at the other path.",
	effect: "write",
	schema: z.strictObject({ path: pathSchema, newPath: pathSchema }),
	paths: ({ path, newPath }) => [
		{ path, use: "write", expects: "file" },
		{ path: newPath, use: "write", expects: "missing" },
	],
	plan: (_input, targets) => {
		const [from, to] = targets;
		if (!from || !to) {
			throw new ToolFailure("The call names no file.");
		}
		return changePlan(
			l10n.t("Rename {0} to {1}", from.label, to.label),
			[],
			[{ type: "rename", from, to }],
			`Renamed ${from.label} to ${to.label}.`,
		);
	},
});

const deleteFile = defineTool({
	name: "delete_file",
	get title() {
		return l10n.t("Delete a file");
	},
	description:
		"Proposes to delete a file of the workspace; the user can undo it. Folders cannot be deleted.",
	effect: "write",
	schema: z.strictObject({ path: pathSchema }),
	paths: ({ path }) => [{ path, use: "write", expects: "file" }],
	plan: async (_input, targets, { editor }) => {
		const previews = await Promise.all(
			targets.map(async (target): Promise<FilePreview> => {
				const before = await textOrNothing(editor.readText(target));
				return { target, change: "delete", before, after: "", hunks: [] };
			}),
		);
		const label = targets[0]?.label ?? "";
		return changePlan(
			l10n.t("Delete {0}", label),
			previews,
			targets.map(target => ({ type: "delete", target })),
			`Deleted ${label}.`,
		);
	},
});

/** The tools that change files. Each shows its change first. */
export const editTools: readonly Tool[] = [
	applyEdit,
	insertAtCursor,
	replaceSelection,
	createFile,
	renameFile,
	deleteFile,
];

function editPreview(target: PathTarget, before: string, hunks: readonly Hunk[]): FilePreview {
	return { target, change: "edit", before, after: applyHunks(before, hunks), hunks };
}

function planAtSelection(
	dependencies: ToolDependencies,
	text: string,
	range: (selection: { readonly start: number; readonly end: number }) => {
		readonly start: number;
		readonly end: number;
	},
): ToolPlan {
	const { document, target: read } = activeDocument(dependencies);
	if (!read) {
		throw new ToolFailure("The open document is no file of the workspace yet; it has to be saved.");
	}
	if (document.isView) {
		throw new ToolFailure(
			`The open document is a view of ${read.label} that cannot be edited, such as a cell of a notebook.`,
		);
	}
	const target = dependencies.resolve({ path: read.path, use: "write", expects: "file" });
	const { start, end } = range(document.selection);
	const lineEnd = document.text.includes("\r\n") ? "\r\n" : "\n";
	const hunk: Hunk = {
		start,
		end,
		oldText: document.text.slice(start, end),
		newText: text.replaceAll(/\r\n|\n/g, lineEnd),
		startLine: document.text.slice(0, start).split("\n").length,
	};
	const plan = editPlan(l10n.t("Edit {0}", target.label), [
		editPreview(target, document.text, [hunk]),
	]);
	return { ...plan, targets: [target] };
}

/** Creates the plan of a change that the user accepts by hunk. */
export function editPlan(summary: string, files: readonly FilePreview[]): ToolPlan {
	const firsts = files.map((_, index) =>
		files.slice(0, index).reduce((sum, { hunks }) => sum + hunks.length, 0),
	);
	const total = files.reduce((sum, { hunks }) => sum + hunks.length, 0);
	const changesOf = (chosen: ReadonlySet<number> | undefined): FileChange[] =>
		files.flatMap(({ target, before, hunks }, index): FileChange[] => {
			const first = firsts[index] ?? 0;
			const taken = hunks.filter((_, at) => chosen === undefined || chosen.has(first + at));
			return taken.length > 0 ? [{ type: "edit", target, before, hunks: taken }] : [];
		});
	return {
		summary,
		preview: { files },
		warnings: warningsOf({ files }),
		binding: bindingOf(files),
		changes: changesOf,
		run: async ({ editor }, chosen) => {
			const changes = changesOf(chosen);
			if (changes.length === 0) {
				return "The user took none of the edits. Nothing was changed.";
			}
			const unsaved = await editor.change(changes);
			const left = [...Array(total).keys()].filter(at => chosen !== undefined && !chosen.has(at));
			const names = changes.map(change => ("target" in change ? change.target.label : ""));
			const note =
				left.length > 0 ? ` The user did not take edit ${left.map(at => at + 1).join(", ")}.` : "";
			return `Changed ${names.join(", ")}.${note}${unsavedNote(unsaved)}`;
		},
	};
}

function changePlan(
	summary: string,
	files: readonly FilePreview[],
	changes: readonly FileChange[],
	done: string,
): ToolPlan {
	return {
		summary,
		...(files.length > 0 ? { preview: { files } } : {}),
		warnings: warningsOf({ files: files.filter(({ change }) => change === "create") }),
		binding: bindingOf(files),
		changes: () => changes,
		run: async ({ editor }) => {
			return `${done}${unsavedNote(await editor.change(changes))}`;
		},
	};
}

function unsavedNote(labels: readonly string[]): string {
	return labels.length > 0
		? ` ${labels.join(", ")} could not be saved: the change is unsaved in the editor, not on disk.`
		: "";
}

/** Binds an approval to both sides of every file. */
function bindingOf(files: readonly FilePreview[]): string[] {
	return files.flatMap(({ change, before, after }) => [change, sha256(before), sha256(after)]);
}

/** Files without displayable text can still be moved to the trash. */
async function textOrNothing(reading: Promise<{ readonly text: string }>): Promise<string> {
	try {
		return (await reading).text;
	} catch (error) {
		if (error instanceof ToolFailure) {
			return "";
		}
		throw error;
	}
}
