import * as l10n from "@vscode/l10n";
import * as z from "zod/mini";
import type { FilePreview } from "../../contract/edits.ts";
import { pathSchema, readableText } from "../../contract/resultText.ts";
import { defineTool } from "../../contract/tool.ts";
import { changePlan } from "./editPlan.ts";

export const deleteFile = defineTool({
	name: "delete_file",
	title: () => l10n.t("Delete a file"),
	description:
		"Proposes to delete a file of the workspace; the user can undo it. Folders cannot be deleted.",
	effect: "write",
	schema: z.strictObject({ path: pathSchema }),
	paths: ({ path }) => [{ path, use: "write", expects: "file" }],
	plan: async (_input, targets, { editor }) => {
		const previews = await Promise.all(
			targets.map(async (target): Promise<FilePreview> => {
				// Files without displayable text can still be moved to the trash.
				const before = (await readableText(editor, target)) ?? "";
				return { target, change: "delete", before, after: "", hunks: [] };
			}),
		);
		const label = targets[0]?.label ?? "";
		return changePlan(
			l10n.t("Delete {0}", label),
			previews,
			targets.map(target => ({ type: "delete", target })),
			`Deleted ${label}.`,
		);
	},
});
