import * as l10n from "@vscode/l10n";
import * as z from "zod/mini";
import { ToolFailure } from "../../../common/errors.ts";
import { pathSchema } from "../../contract/resultText.ts";
import { defineTool } from "../../contract/tool.ts";
import { changePlan } from "./editPlan.ts";

export const renameFile = defineTool({
	name: "rename_file",
	title: () => l10n.t("Rename a file"),
	description:
		"Proposes to rename or move a file within the workspace. Fails when something exists at the other path.",
	effect: "write",
	schema: z.strictObject({ path: pathSchema, newPath: pathSchema }),
	paths: ({ path, newPath }) => [
		{ path, use: "write", expects: "file" },
		{ path: newPath, use: "write", expects: "missing" },
	],
	plan: (_input, targets) => {
		const [from, to] = targets;
		if (!from || !to) {
			throw new ToolFailure("The call names no file.");
		}
		return changePlan(
			l10n.t("Rename {0} to {1}", from.label, to.label),
			[],
			[{ type: "rename", from, to }],
			`Renamed ${from.label} to ${to.label}.`,
		);
	},
});
