import * as l10n from "@vscode/l10n";
import * as z from "zod/mini";
import { sensitiveReason } from "../../../paths/sensitivePaths.ts";
import type { OpenTab } from "../../contract/editorActions.ts";
import { listResult, maxListedFiles, withLeftOut } from "../../contract/resultText.ts";
import { defineTool, type ToolDependencies } from "../../contract/tool.ts";

export const getOpenFiles = defineTool({
	name: "get_open_files",
	title: () => l10n.t("List the open files"),
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
