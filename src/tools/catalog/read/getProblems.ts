import * as l10n from "@vscode/l10n";
import * as z from "zod/mini";
import { listFoundFiles, pathSchema } from "../../contract/resultText.ts";
import { oneLine } from "../../../common/shortText.ts";
import { defineTool } from "../../contract/tool.ts";

const maxProblems = 200;

export const getProblems = defineTool({
	name: "get_problems",
	title: () => l10n.t("Read the problems"),
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
