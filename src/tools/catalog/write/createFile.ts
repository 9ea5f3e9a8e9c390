import * as l10n from "@vscode/l10n";
import * as z from "zod/mini";
import { pathSchema, readableText, textSchema } from "../../contract/resultText.ts";
import { defineTool } from "../../contract/tool.ts";
import { changePlan, editPlan, editPreview } from "./editPlan.ts";

/** The size of a file that may be blank, in bytes. */
const maxBlankBytes = 1024;

export const createFile = defineTool({
	name: "create_file",
	title: () => l10n.t("Create a file"),
	description:
		"Proposes a file that is not there yet, or is empty, with its text. Folders on the way are made. The user sees it first.",
	effect: "write",
	schema: z.strictObject({ path: pathSchema, text: textSchema }),
	paths: ({ path }) => [{ path, use: "write", expects: "any" }],
	plan: async ({ path, text }, [found], { editor, resolve }) => {
		if (found?.kind === "file" && found.size <= maxBlankBytes && text.trim() !== "") {
			// The editor's text counts, so that unsaved text isn't replaced.
			const before = await readableText(editor, found);
			if (before?.trim() === "") {
				const whole = {
					start: 0,
					end: before.length,
					oldText: before,
					newText: text,
					startLine: 1,
				};
				return editPlan(l10n.t("Edit {0}", found.label), [editPreview(found, before, [whole])]);
			}
		}
		const target = resolve({ path, use: "write", expects: "missing" });
		return changePlan(
			l10n.t("Create {0}", target.label),
			[{ target, change: "create", before: "", after: text, hunks: [] }],
			[{ type: "create", target, text }],
			`Created ${target.label}.`,
		);
	},
});
