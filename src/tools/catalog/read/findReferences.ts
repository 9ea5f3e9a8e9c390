import * as l10n from "@vscode/l10n";
import * as z from "zod/mini";
import { ToolFailure } from "../../../common/errors.ts";
import { listFoundFiles, lineSchema, pathSchema } from "../../contract/resultText.ts";
import { oneLine } from "../../../common/shortText.ts";
import { defineTool, only } from "../../contract/tool.ts";

const maxReferences = 300;

export const findReferences = defineTool({
	name: "find_references",
	title: () => l10n.t("Find references"),
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
