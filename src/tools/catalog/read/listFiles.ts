import * as l10n from "@vscode/l10n";
import * as z from "zod/mini";
import { listFoundFiles, globSchema, maxListedFiles } from "../../contract/resultText.ts";
import { defineTool } from "../../contract/tool.ts";

const maxCandidates = 5000;

export const listFiles = defineTool({
	name: "list_files",
	title: () => l10n.t("List files"),
	description: `Lists files of the workspace that match a glob, at most ${maxListedFiles}. Files the user excluded, files Git ignores and files that may hold secrets are left out.`,
	effect: "read",
	schema: z.strictObject({ glob: z.optional(globSchema) }),
	plan: ({ glob = "**/*" }, _targets, context) => ({
		summary: l10n.t("List files like {0}", glob),
		run: async ({ signal }) => {
			const paths = await context.editor.listFiles(glob, maxCandidates, signal);
			const files = paths.toSorted().map(path => ({ path }));
			return listFoundFiles(context, files, {
				lineOf: label => label,
				limit: maxListedFiles,
				none: "No file matches.",
			});
		},
	}),
});
