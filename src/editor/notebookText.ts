import * as z from "zod/mini";
import { parseJson } from "../common/json.ts";
import { bytesOf, shortenData, sizeWords } from "../tools/contract/edits.ts";

export interface NotebookCellText {
	/** The kind of the cell, such as `markdown`, or its language. */
	readonly kind: string;
	readonly source: string;
	readonly outputs: readonly string[];
}

/** One format of an output. `text` is undefined for binary formats. */
export interface OutputForm {
	readonly mimeType: string;
	readonly text: string | undefined;
	/** In bytes. */
	readonly size: number;
}

const maxOutputCharacters = 8000;

const textSchema = z.pipe(
	z.union([z.string(), z.array(z.string())]),
	z.transform(text => (typeof text === "string" ? text : text.join(""))),
);

const outputSchema = z.looseObject({
	output_type: z.string(),
	text: z.optional(textSchema),
	data: z.optional(z.record(z.string(), z.unknown())),
	ename: z.optional(z.string()),
	evalue: z.optional(z.string()),
	traceback: z.optional(z.array(z.string())),
});

/** The fields of a notebook's file that are shown. https://nbformat.readthedocs.io */
const notebookSchema = z.looseObject({
	nbformat: z.number(),
	metadata: z.optional(
		z.looseObject({ language_info: z.optional(z.looseObject({ name: z.optional(z.string()) })) }),
	),
	cells: z.array(
		z.looseObject({
			cell_type: z.string(),
			source: textSchema,
			outputs: z.optional(z.array(outputSchema)),
		}),
	),
});

/** Returns the cells and outputs of a saved notebook, with images as their sizes. Returns undefined if it isn't a notebook. */
export function savedNotebookText(saved: string): string | undefined {
	// The file may be empty, or have merge conflicts.
	const parsed = z.safeParse(notebookSchema, parseJson(saved));
	if (!parsed.success) {
		return undefined;
	}
	const { cells, metadata } = parsed.data;
	const language = metadata?.language_info?.name ?? "code";
	return cellsText(
		cells.map(({ cell_type: type, source, outputs = [] }) => ({
			kind: type === "code" ? language : type,
			source,
			outputs: outputs.map(savedOutput),
		})),
	);
}

/** Formats cells with their number, kind and outputs. */
export function cellsText(cells: readonly NotebookCellText[]): string {
	return cells
		.map(({ kind, source, outputs }, index) =>
			[
				`[cell ${index + 1}, ${kind}]`,
				shortenData(source.trimEnd()),
				...outputs.filter(text => text !== "").map(text => `[output]\n${text}`),
			].join("\n"),
		)
		.join("\n\n");
}

/** Formats the most informative format of an output: an image as its size, then plain text before other text. */
export function outputText(forms: readonly OutputForm[]): string {
	const image = forms.find(({ mimeType }) => mimeType.startsWith("image/"));
	const [plain] = ["text/plain", "text/markdown", "text/html", "text/"].flatMap(
		wanted => forms.find(({ mimeType }) => mimeType.startsWith(wanted))?.text ?? [],
	);
	const [other] = forms;
	return [
		...(plain === undefined ? [] : [shownOutput(plain)]),
		...(image ? [`[image, ${sizeWords(image.size)}]`] : []),
		...(plain === undefined && !image && other
			? [`[${other.mimeType}, ${sizeWords(other.size)}]`]
			: []),
	].join("\n");
}

function savedOutput(output: z.infer<typeof outputSchema>): string {
	const { text, data, ename, evalue, traceback } = output;
	if (output.output_type === "error") {
		return shownOutput(traceback?.join("\n") || `${ename ?? "Error"}: ${evalue ?? ""}`);
	}
	return text === undefined
		? outputText(Object.entries(data ?? {}).map(savedForm))
		: shownOutput(text);
}

function savedForm([mimeType, value]: [string, unknown]): OutputForm {
	const parsed = z.safeParse(textSchema, value);
	const text = parsed.success ? parsed.data : JSON.stringify(value);
	// Formats other than text are in base64.
	const isText = mimeType.startsWith("text/") || /[+/](?:xml|json)$/.test(mimeType);
	return { mimeType, text, size: isText ? Buffer.byteLength(text) : bytesOf(text) };
}

/** Removes color codes from printed text, and the part of each line that a carriage return overwrites. */
export function shownOutput(text: string): string {
	// oxlint-disable-next-line no-control-regex -- Terminals' colors begin with this character.
	const plain = text.replaceAll(/\u001B\[[\d;]*m/g, "");
	const lines = plain
		.trimEnd()
		.split("\n")
		.map(line => line.replace(/\r$/, ""))
		.map(line => line.slice(line.lastIndexOf("\r") + 1));
	const shown = shortenData(lines.join("\n"));
	const rest = shown.length - maxOutputCharacters;
	return rest > 0 ? `${shown.slice(0, maxOutputCharacters)}\n[${rest} more characters]` : shown;
}
