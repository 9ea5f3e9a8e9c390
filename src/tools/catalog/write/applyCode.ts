import * as l10n from "@vscode/l10n";
import * as z from "zod/mini";
import { ToolFailure } from "../../../common/errors.ts";
import { delay } from "../../../common/async.ts";
import type { PathTarget } from "../../../paths/resolveTarget.ts";
import { placeAt, placeCode, type CodePlacement } from "../../codePlacement/placeCode.ts";
import { applyHunks, type Hunk } from "../../contract/edits.ts";
import { defineTool, type Tool, type ToolDependencies } from "../../contract/tool.ts";
import type { EditorActions } from "../../contract/editorActions.ts";
import { editPlan } from "./editPlan.ts";
import { pathSchema, textSchema } from "../../contract/resultText.ts";

/** How long to wait for a file's symbols, in milliseconds. A language server that is starting takes longer. */
const symbolsMs = 1500;

/** Applies a code block when the user clicks. Not offered to models. */
export const applyCode: Tool = defineTool({
	name: "apply_code",
	title: () => l10n.t("Apply the code"),
	description: "Puts a block of code where it belongs in a file.",
	effect: "write",
	schema: z.strictObject({
		path: pathSchema,
		code: textSchema.check(z.minLength(1)),
		place: z.optional(z.enum(["cursor", "end", "whole"])),
		/** Whether the answer calls the block a diff. */
		isDiff: z.optional(z.boolean()),
	}),
	paths: ({ path }) => [{ path, use: "write", expects: "file" }],
	plan: async ({ code, place, isDiff }, [target], { editor, look, clock, signal }) => {
		if (!target) {
			throw new ToolFailure("The call names no file.");
		}
		const { text } = await editor.readText(target);
		const active = editor.activeDocument();
		const isActive = active?.path !== undefined && look(active.path)?.path === target.path;
		const hunks = hunksOf(
			place
				? placeAt(text, code, target.label, place, isActive ? active.selection : undefined)
				: await placeBlock(target, text, { code, isDiff }, { editor, clock, signal }),
		);
		const after = applyHunks(text, hunks);
		return editPlan(l10n.t("Apply the code to {0}", target.label), [
			{ target, change: "edit", before: text, after, hunks },
		]);
	},
});

/** Finds the place for a block in a file's text, using the editor's symbols if they arrive in time. */
export async function placeBlock(
	target: PathTarget,
	text: string,
	{ code, isDiff }: { readonly code: string; readonly isDiff?: boolean | undefined },
	{ editor, clock, signal }: BlockPlacing,
): Promise<CodePlacement> {
	const waiting = new AbortController();
	const symbols = await Promise.race([
		editor.symbols(target).catch(() => []),
		delay(symbolsMs, AbortSignal.any([signal, waiting.signal]), clock).then(() => []),
	]);
	waiting.abort();
	return placeCode(
		text,
		code,
		target.label,
		symbols
			.filter(({ kind, depth }) => depth === 0 && declared.has(kind))
			.map(({ name, first, last }) => ({
				name: name.replace(/\(.*/s, ""),
				first: first - 1,
				end: last,
			})),
		isDiff,
	);
}

interface BlockPlacing extends Pick<ToolDependencies, "clock" | "signal"> {
	readonly editor: Pick<EditorActions, "symbols">;
}

const declared: ReadonlySet<string> = new Set(["class", "enum", "function", "interface", "struct"]);

/** Returns the hunks of a placement. Throws `ToolFailure` with a message if there are none. */
function hunksOf(placement: CodePlacement): readonly Hunk[] {
	switch (placement.type) {
		case "placed":
			return placement.hunks;
		case "known":
			throw new ToolFailure(
				placement.isPart
					? l10n.t(
							"The block leaves code out, and the file already contains the rest of it. Nothing was changed.",
						)
					: l10n.t("The file already contains this code. Nothing was changed."),
			);
		case "empty":
			throw new ToolFailure(l10n.t("The block is empty. Nothing was changed."));
		case "unclear":
			throw new ToolFailure(
				l10n.t("The place of this code in the file isn't clear. Nothing was changed."),
			);
	}
}

/** File extensions of languages that differ from the language's name. */
const endings: Readonly<Record<string, string>> = {
	bash: "sh",
	"c#": "cs",
	"c++": "cpp",
	csharp: "cs",
	javascript: "js",
	kotlin: "kt",
	markdown: "md",
	perl: "pl",
	plaintext: "txt",
	powershell: "ps1",
	python: "py",
	ruby: "rb",
	rust: "rs",
	shell: "sh",
	text: "txt",
	typescript: "ts",
	yaml: "yml",
};

/** Suggests a file name for a code block. `info` is its info string. */
export function suggestedFileName(info: string): string {
	const [, language = ""] = /^\s*([\w+#-]+)/.exec(info) ?? [];
	const name = language.toLowerCase();
	const ending = endings[name] ?? (/^[a-z]\w{0,4}$/.test(name) ? name : "txt");
	return `untitled.${ending}`;
}
