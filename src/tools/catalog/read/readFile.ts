import * as l10n from "@vscode/l10n";
import * as z from "zod/mini";
import {
	type DocumentKind,
	documentKindOf,
	type DocumentOrder,
} from "../../../documents/documentText.ts";
import { ToolFailure } from "../../../common/errors.ts";
import type { PathTarget } from "../../../paths/resolveTarget.ts";
import type { EditorActions, TextSnapshot } from "../../contract/editorActions.ts";
import { shortenData } from "../../contract/edits.ts";
import {
	cutResult,
	lineSchema,
	maxResultLength,
	pathSchema,
	secretWarnings,
	notesOf,
} from "../../contract/resultText.ts";
import { sha256 } from "../../contract/safeFile.ts";
import { defineTool, only } from "../../contract/tool.ts";

export const fileLinesSchema = z.strictObject({
	path: pathSchema,
	startLine: z.optional(lineSchema),
	endLine: z.optional(lineSchema),
});

const page = z.optional(lineSchema);

const readFileSchema = z.extend(fileLinesSchema, {
	startPage: page,
	endPage: page,
	sheet: z.optional(z.string().check(z.minLength(1), z.maxLength(200))),
});

export const readFile = defineTool({
	name: "read_file",
	title: () => l10n.t("Read a file"),
	description:
		"Returns the text of a file of the workspace, unsaved changes included. Long files come in parts: give startLine and endLine, both counted from 1 and inclusive. A notebook comes as its cells and outputs; with startLine, as lines of the JSON that it is saved as, which edits are made in. PDF, Word, Excel and PowerPoint files come as text: startPage and endPage give pages or slides, sheet a sheet, whose rows startLine and endLine count.",
	effect: "read",
	schema: readFileSchema,
	paths: ({ path }) => [{ path, use: "read", expects: "file" }],
	plan: async (asked, targets, { editor, signal }) => {
		const target = only(targets);
		const kind = documentKindOf(target.path);
		// Of a document in pages or sheets, only what was asked for is read.
		const [startLine, endLine] =
			kind === undefined || kind === "word" ? [asked.startLine, asked.endLine] : [];
		const read = async (): Promise<TextSnapshot> =>
			kind === undefined
				? await readText(editor, target, (startLine ?? endLine) === undefined)
				: {
						text: await editor.readDocument(target, documentOrder(kind, asked), signal),
						languageId: "markdown",
						notes: ["as text"],
					};
		const tell = (snapshot: TextSnapshot): string => {
			const { cells, text, notes } = snapshot;
			const isWhole = cells !== undefined || (kind !== undefined && kind !== "word");
			const what = cells === undefined ? "" : ", its cells";
			return isWhole
				? `${target.label}${what}${notesOf(notes)}:\n${cutResult(text)}`
				: tellLines(target, snapshot, startLine, endLine);
		};
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

/** Reads a text file. A notebook comes as its cells if it is read as a whole, as JSON otherwise. */
async function readText(
	editor: Pick<EditorActions, "readText">,
	target: PathTarget,
	isWhole: boolean,
): Promise<TextSnapshot> {
	const snapshot = await editor.readText(target);
	const { text, cells, languageId, notes } = snapshot;
	return isWhole || cells === undefined
		? { ...snapshot, text: cells ?? text }
		: { text: shortenData(text), languageId, notes };
}

/** The longest Word document to read, whose lines are then told. */
const maxWordCharacters = 4_000_000;

function documentOrder(
	kind: DocumentKind,
	{ startLine, endLine, startPage, endPage, sheet }: z.infer<typeof readFileSchema>,
): Omit<DocumentOrder, "bytes"> {
	return {
		kind,
		part: {
			firstPage: startPage,
			lastPage: endPage,
			sheet,
			firstRow: startLine,
			lastRow: endLine,
		},
		maxCharacters: kind === "word" ? maxWordCharacters : maxResultLength,
	};
}

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
