import * as l10n from "@vscode/l10n";
import * as z from "zod/mini";
import type { FilePreview } from "../../tool/edits.ts";
import { pathSchema, textSchema } from "../../tool/resultText.ts";
import { defineTool } from "../../tool/tool.ts";
import { changePlan } from "./editPlan.ts";

export const createFile = defineTool({
	name: "create_file",
	title: () => l10n.t("Create a file"),
	description:
		"Proposes a file that is not there yet, with its text. Folders on the way are made. The user sees it first.",
	effect: "write",
	schema: z.strictObject({ path: pathSchema, text: textSchema }),
	paths: ({ path }) => [{ path, use: "write", expects: "missing" }],
	plan: ({ text }, targets) => {
		const [target] = targets;
		const previews: readonly FilePreview[] = target
			? [{ target, change: "create", before: "", after: text, hunks: [] }]
			: [];
		return changePlan(
			l10n.t("Create {0}", target?.label ?? ""),
			previews,
			targets.map(target => ({ type: "create", target, text })),
			`Created ${target?.label ?? ""}.`,
		);
	},
});
