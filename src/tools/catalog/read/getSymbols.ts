import * as l10n from "@vscode/l10n";
import * as z from "zod/mini";
import { listResult, pathSchema } from "../../contract/resultText.ts";
import { oneLine } from "../../../common/shortText.ts";
import { defineTool, only } from "../../contract/tool.ts";

const maxSymbols = 500;

export const getSymbols = defineTool({
	name: "get_symbols",
	title: () => l10n.t("List the symbols of a file"),
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
