import * as l10n from "@vscode/l10n";
import * as z from "zod/mini";
import { editPlan } from "./editTools.ts";
import { applyHunks, defineTool, type Tool, ToolFailure } from "../tool/index.ts";
import { placeCode } from "./placeCode.ts";
import { pathSchema, textSchema } from "./toolSchemas.ts";

/** Applies a code block at a user's click; no model is offered it. */
export const applyCode: Tool = defineTool({
	name: "apply_code",
	get title() {
		return l10n.t("Apply the code");
	},
	description: "Puts a block of code where it belongs in a file.",
	effect: "write",
	schema: z.strictObject({ path: pathSchema, code: textSchema.check(z.minLength(1)) }),
	paths: ({ path }) => [{ path, use: "write", expects: "file" }],
	plan: async ({ code }, [target], { editor, look }) => {
		if (!target) {
			throw new ToolFailure("The call names no file.");
		}
		const { text } = await editor.readText(target);
		const active = editor.activeDocument();
		const isActive = active?.path !== undefined && look(active.path)?.path === target.path;
		const hunks = placeCode(text, code, isActive ? active.selection : undefined);
		const after = applyHunks(text, hunks);
		return editPlan(l10n.t("Apply the code to {0}", target.label), [
			{ target, change: "edit", before: text, after, hunks },
		]);
	},
});

/** A block of an answer: its code, and what follows its opening fence. */
export interface CodeBlock {
	readonly text: string;
	readonly info: string;
}

const path = String.raw`((?:[\w@.-]+/)*[\w@.-]*\.\w{1,12})`;

/** `ts src/a.ts`, `ts:src/a.ts`, `ts title="src/a.ts"`. */
const infoPath = new RegExp(String.raw`(?:^|[\s:="'({])${path}(?=$|[\s"')}])`);

/** A first line that is a comment with a path and nothing else. */
const commentPath = new RegExp(
	String.raw`^\s*(?:\/\/|#|--|;|\/\*|<!--)\s*(?:file(?:name)?:\s*)?${path}\s*(?:\*\/|-->)?\s*$`,
	"i",
);

/** The file a block says it belongs to, and its code without the line that says so. */
export function blockPath({ text, info }: CodeBlock): { path?: string; code: string } {
	const [, named] = infoPath.exec(info.replace(/^\s*\w+\s+/, " ")) ?? infoPath.exec(info) ?? [];
	const [first = "", ...rest] = text.split("\n");
	const [, commented] = commentPath.exec(first) ?? [];
	const found = named ?? commented;
	const code = commented !== undefined && commented === found ? rest.join("\n") : text;
	return found === undefined ? { code: text } : { path: found, code };
}
