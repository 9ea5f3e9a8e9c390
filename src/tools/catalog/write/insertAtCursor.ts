import * as l10n from "@vscode/l10n";
import * as z from "zod/mini";
import { textSchema } from "../../contract/resultText.ts";
import { defineTool } from "../../contract/tool.ts";
import { planAtSelection } from "./editPlan.ts";

export const insertAtCursor = defineTool({
	name: "insert_at_cursor",
	title: () => l10n.t("Insert text"),
	description:
		"Proposes to insert text at the cursor of the active editor. The user sees a diff first.",
	effect: "write",
	schema: z.strictObject({ text: textSchema.check(z.minLength(1)) }),
	plan: ({ text }, _targets, context) =>
		planAtSelection(context, text, ({ end }) => ({ start: end, end })),
});
