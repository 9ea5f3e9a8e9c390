import * as l10n from "@vscode/l10n";
import * as z from "zod/mini";
import { holdsPrivateKey, maskKeyLines } from "../../../common/secretContent.ts";
import type { FileDiff } from "../../contract/editorActions.ts";
import { shortenData } from "../../contract/edits.ts";
import { cutResult, withLeftOut, readableText } from "../../contract/resultText.ts";
import { defineTool, type ToolDependencies } from "../../contract/tool.ts";

export const getGitDiff = defineTool({
	name: "get_git_diff",
	title: () => l10n.t("Read the Git changes"),
	description:
		"Returns what changed in the workspace since the last commit, as a unified diff; with isStaged what is staged for the next.",
	effect: "read",
	schema: z.strictObject({ isStaged: z.optional(z.boolean()) }),
	plan: ({ isStaged }, _targets, context) => ({
		summary: isStaged ? l10n.t("Read the staged changes") : l10n.t("Read the Git changes"),
		run: async ({ signal }) => {
			const diffs = await context.editor.gitDiff(isStaged ?? false, signal);
			const shown = await Promise.all(diffs.map(diff => tellableDiff(context, diff)));
			const told = shown.filter(text => text !== undefined);
			const text = diffs.length === 0 ? "Nothing changed." : told.join("\n");
			return withLeftOut(cutResult(text), diffs.length - told.length);
		},
	}),
});

/** Returns a file's changes with private keys masked, if the model may know the file under all its names. */
async function tellableDiff(
	{ editor, tellable }: ToolDependencies,
	{ paths, diff }: FileDiff,
): Promise<string | undefined> {
	const targets = paths.map(tellable);
	if (targets.length === 0 || targets.includes(undefined)) {
		return undefined;
	}
	const isNotebook = paths.some(path => path.endsWith(".ipynb"));
	const text = isNotebook ? shortenData(diff.trimEnd()) : diff.trimEnd();
	const masked = maskKeyLines(text);
	if (masked === text) {
		return text;
	}
	const files = await Promise.all(
		targets.map(async target => (target?.kind === "file" ? readableText(editor, target) : "")),
	);
	return [text, ...files].some(holdsPrivateKey) ? masked : text;
}
