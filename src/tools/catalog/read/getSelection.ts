import * as l10n from "@vscode/l10n";
import * as z from "zod/mini";
import { lookAtActive } from "../../contract/activeDocument.ts";
import { lineOf } from "../../contract/edits.ts";
import { cutResult, secretWarnings, notesOf } from "../../contract/resultText.ts";
import { defineTool } from "../../contract/tool.ts";

export const getSelection = defineTool({
	name: "get_selection",
	title: () => l10n.t("Read the selection"),
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
