import * as l10n from "@vscode/l10n";
import * as z from "zod/mini";
import { ToolFailure } from "../../../common/errors.ts";
import { textSchema } from "../../contract/resultText.ts";
import { defineTool } from "../../contract/tool.ts";
import { planAtSelection } from "./editPlan.ts";

export const replaceSelection = defineTool({
	name: "replace_selection",
	title: () => l10n.t("Replace the selection"),
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
