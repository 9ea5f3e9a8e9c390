import * as l10n from "@vscode/l10n";
import { defineTool, only } from "../../contract/tool.ts";
import { fileLinesSchema } from "./readFile.ts";

export const openFile = defineTool({
	name: "open_file",
	title: () => l10n.t("Show a file"),
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
