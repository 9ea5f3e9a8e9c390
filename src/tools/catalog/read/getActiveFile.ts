import * as l10n from "@vscode/l10n";
import * as z from "zod/mini";
import { lookAtActive } from "../../contract/activeDocument.ts";
import { cutResult, secretWarnings, notesOf } from "../../contract/resultText.ts";
import { defineTool } from "../../contract/tool.ts";

export const getActiveFile = defineTool({
	name: "get_active_file",
	title: () => l10n.t("Read the open file"),
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
