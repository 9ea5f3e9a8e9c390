import * as l10n from "@vscode/l10n";
import * as z from "zod/mini";
import { ToolFailure } from "../../../common/errors.ts";
import { placeEdits } from "../../contract/edits.ts";
import { lineSchema, pathSchema, textSchema } from "../../contract/resultText.ts";
import { defineTool } from "../../contract/tool.ts";
import { editPlan, editPreview } from "./editPlan.ts";

const editSchema = z.strictObject({
	find: textSchema.check(
		z.minLength(1),
		z.describe("The exact text as it is in the file now, with its indentation."),
	),
	replace: textSchema.check(z.describe("The text to put in its place; empty to remove it.")),
	startLine: z.optional(
		lineSchema.check(
			z.describe("The line in which find begins; needed only when find occurs more than once."),
		),
	),
});

export const applyEdit = defineTool({
	name: "apply_edit",
	title: () => l10n.t("Edit files"),
	description:
		"Proposes changes to files of the workspace, several at once. Each edit names the exact text to find and its replacement. The user sees a diff and may take all, some or none of the edits. Nothing is changed when any edit cannot be placed.",
	effect: "write",
	schema: z.strictObject({
		files: z
			.array(
				z.strictObject({
					path: pathSchema,
					edits: z.array(editSchema).check(z.minLength(1), z.maxLength(200)),
				}),
			)
			.check(z.minLength(1), z.maxLength(50)),
	}),
	paths: ({ files }) => files.map(({ path }) => ({ path, use: "write", expects: "file" })),
	plan: async ({ files }, targets, { editor }) => {
		if (new Set(targets.map(target => target.path)).size < targets.length) {
			throw new ToolFailure("The call names the same file twice. Nothing was changed.");
		}
		const previews = await Promise.all(
			targets.map(async (target, index) => {
				const { text } = await editor.readText(target);
				return editPreview(target, text, placeEdits(text, files[index]?.edits ?? [], target.label));
			}),
		);
		return editPlan(
			l10n.t("Edit {0}", previews.map(({ target }) => target.label).join(", ")),
			previews,
		);
	},
});
