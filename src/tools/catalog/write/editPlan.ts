import * as l10n from "@vscode/l10n";
import { ToolFailure } from "../../../common/errors.ts";
import type { PathTarget } from "../../../paths/resolveTarget.ts";
import { activeDocument } from "../../contract/activeDocument.ts";
import type { FileChange } from "../../contract/editorActions.ts";
import { applyHunks, type FilePreview, type Hunk, warningsOf } from "../../contract/edits.ts";
import { sha256 } from "../../contract/safeFile.ts";
import type { ToolDependencies, ToolPlan } from "../../contract/tool.ts";

export function editPreview(
	target: PathTarget,
	before: string,
	hunks: readonly Hunk[],
): FilePreview {
	return { target, change: "edit", before, after: applyHunks(before, hunks), hunks };
}

export function planAtSelection(
	dependencies: ToolDependencies,
	text: string,
	range: (selection: Pick<Hunk, "start" | "end">) => Pick<Hunk, "start" | "end">,
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

export function changePlan(
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
