import * as l10n from "@vscode/l10n";
import * as z from "zod/mini";
import { ToolFailure } from "../../../common/errors.ts";
import type { PathTarget } from "../../../paths/resolveTarget.ts";
import type { TextSnapshot } from "../../tool/editorActions.ts";
import { shortenData } from "../../tool/edits.ts";
import {
	cutResult,
	lineSchema,
	pathSchema,
	secretWarnings,
	notesOf,
} from "../../tool/resultText.ts";
import { sha256 } from "../../tool/safeFile.ts";
import { defineTool, only } from "../../tool/tool.ts";

export const fileLinesSchema = z.strictObject({
	path: pathSchema,
	startLine: z.optional(lineSchema),
	endLine: z.optional(lineSchema),
});

export const readFile = defineTool({
	name: "read_file",
	title: () => l10n.t("Read a file"),
	description:
		"Returns the text of a file of the workspace, unsaved changes included. Long files come in parts: give startLine and endLine, both counted from 1 and inclusive. A notebook comes as its cells and outputs; with startLine, as lines of the JSON that it is saved as, which edits are made in.",
	effect: "read",
	schema: fileLinesSchema,
	paths: ({ path }) => [{ path, use: "read", expects: "file" }],
	plan: async ({ startLine, endLine }, targets, { editor }) => {
		const target = only(targets);
		const isWhole = (startLine ?? endLine) === undefined;
		const read = async (): Promise<TextSnapshot> => {
			const snapshot = await editor.readText(target);
			const { text, cells, languageId, notes } = snapshot;
			return isWhole || cells === undefined
				? { ...snapshot, text: cells ?? text }
				: { text: shortenData(text), languageId, notes };
		};
		const tell = (snapshot: TextSnapshot): string =>
			snapshot.cells === undefined
				? tellLines(target, snapshot, startLine, endLine)
				: `${target.label}, its cells${notesOf(snapshot.notes)}:\n${cutResult(snapshot.text)}`;
		const summary = l10n.t("Read {0}", target.label);
		// If a file requires approval anyway, doesn't read it before. Otherwise its content determines whether to ask.
		if (target.readReason !== undefined || target.isHardLinked) {
			const run = async (): Promise<string> => tell(await read());
			return { summary, isAskedForSecrets: true, run };
		}
		const snapshot = await read();
		const told = tell(snapshot);
		return {
			summary,
			isAskedForSecrets: true,
			warnings: secretWarnings(target.label, snapshot.text, startLine, endLine),
			binding: [sha256(snapshot.text)],
			run: () => Promise.resolve(told),
		};
	},
});

function tellLines(
	{ label }: PathTarget,
	{ text, notes }: TextSnapshot,
	startLine: number | undefined,
	endLine: number | undefined,
): string {
	const lines = text.split(/\r\n|\n/);
	const first = startLine ?? 1;
	const last = Math.min(endLine ?? lines.length, lines.length);
	if (first > last) {
		throw new ToolFailure(`${label} has ${lines.length} lines.`);
	}
	const part = cutResult(lines.slice(first - 1, last).join("\n"));
	return `${label}, lines ${first}-${last} of ${lines.length}${notesOf(notes)}:\n${part}`;
}
