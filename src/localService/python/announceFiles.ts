import { open } from "node:fs/promises";
import type { MountedFile } from "./codeInterpreter.ts";
import { decode, encodingOf, type FileEncoding } from "./fileEncoding.ts";

const headLines = 5;
const headBytes = 2_048;
/** The most bytes to examine for the encoding. */
const examinedBytes = 4 * 1024 * 1024;

/** Describes a request's files for the model: names, types, encodings and how texts begin. */
export async function announceFiles(files: readonly MountedFile[]): Promise<string> {
	if (files.length === 0) {
		return "";
	}
	const described = await Promise.all(files.map(describeFile));
	return [
		"Files in the working folder of code_interpreter, which is also /mnt/data:",
		...described,
	].join("\n");
}

async function describeFile({ mountedAs, type, size, path }: MountedFile): Promise<string> {
	const title = [type || "unknown type", `${size.toLocaleString("en")} bytes`];
	const file = await open(path);
	try {
		const length = Math.min(size, examinedBytes);
		const { bytesRead, buffer } = await file.read(Buffer.alloc(length), 0, length, 0);
		const bytes = buffer.subarray(0, bytesRead);
		const encoding = bytesRead === 0 ? undefined : encodingOf(bytes);
		const text = encoding && textBeginning(bytes, encoding);
		if (!encoding || text === undefined) {
			return `- ${mountedAs} (${title.join(", ")})`;
		}
		const lines = text
			.trimEnd()
			.split(/\r\n|\r|\n/)
			.slice(0, headLines);
		const facts = [...title, ...describeEncoding(encoding), ...describeColumns(lines)];
		return [
			`- ${mountedAs} (${facts.join(", ")}), which begins:`,
			...lines.map(line => `  ${line}`),
			...(encoding.type === "other" ? describeChoices(bytes, encoding.labels) : []),
		].join("\n");
	} finally {
		await file.close();
	}
}

function textBeginning(bytes: Uint8Array, encoding: FileEncoding): string | undefined {
	const [label = ""] = encoding.type === "other" ? encoding.labels : [labelOf(encoding)];
	const head = bytes.subarray(0, headBytes);
	return decode(label, encoding.type === "utf-16" ? head.subarray(0, head.length & ~1) : head);
}

function labelOf(encoding: Exclude<FileEncoding, { type: "other" }>): string {
	return encoding.type === "utf-8" ? "utf-8" : encoding.label;
}

/** Describes an encoding other than UTF-8, in which Python reads without being told. */
function describeEncoding(encoding: FileEncoding): string[] {
	switch (encoding.type) {
		case "utf-8":
			return [];
		case "utf-16":
			return [`encoding="${encoding.hasMark ? "utf-16" : encoding.label}"`];
		case "other":
			return [
				encoding.labels.length > 1
					? `not UTF-8, probably encoding="${encoding.labels[0]}"`
					: `encoding="${encoding.labels[0]}"`,
			];
	}
}

const separators: Readonly<Record<string, string>> = { ";": ";", "\t": "\\t", ",": ",", "|": "|" };

/** Describes the separator of a table, and a decimal comma. */
function describeColumns(lines: readonly string[]): string[] {
	const [separator = ","] = /^sep=(.)$/i.exec(lines[0] ?? "")?.slice(1) ?? separatorsIn(lines);
	const cells = lines.flatMap(line => line.split(separator)).map(unquoted);
	const hasDecimalComma = separator !== "," && cells.some(cell => /^-?[\d. ]*\d,\d+$/.test(cell));
	return [
		...(separator === "," ? [] : [`sep="${separators[separator] ?? separator}"`]),
		...(hasDecimalComma ? ['decimal=","'] : []),
		...(hasDecimalComma && cells.some(cell => /^-?\d{1,3}(?:\.\d{3})+,\d+$/.test(cell))
			? ['thousands="."']
			: []),
	];
}

function unquoted(cell: string): string {
	return cell.trim().replace(/^"(.*)"$/, "$1");
}

/** Returns the separators that occur equally often in every line, outside quotes, the most frequent first. */
function separatorsIn(lines: readonly string[]): string[] {
	const plain = lines.map(line => line.replaceAll(/"[^"]*"/g, "")).filter(line => line !== "");
	const counts = Object.keys(separators).map(separator => {
		const perLine = plain.map(line => line.split(separator).length - 1);
		return { separator, least: Math.min(...perLine), most: Math.max(...perLine) };
	});
	return counts
		.filter(({ least, most }) => plain.length > 1 && least > 0 && least === most)
		.map(({ separator }) => separator);
}

/** Shows a line in each possible encoding, because only its language tells which is right. */
function describeChoices(bytes: Uint8Array, labels: readonly string[]): string[] {
	if (labels.length < 2) {
		return [];
	}
	const line = lineWithOtherThanAscii(bytes);
	const shown = labels.map(label => `  ${label}: ${decode(label, line) ?? ""}`);
	return ["  A line in the encodings that it may have:", ...new Set(shown)];
}

const lineFeed = 0x0a;
const maxLineBytes = 200;

function lineWithOtherThanAscii(bytes: Uint8Array): Uint8Array {
	const at = bytes.findIndex(byte => byte >= 0x80);
	const start = bytes.lastIndexOf(lineFeed, at) + 1;
	const next = bytes.indexOf(lineFeed, at);
	const end = next === -1 ? bytes.length : next;
	const from = Math.max(start, at - maxLineBytes);
	return bytes.subarray(from, Math.min(end, at + maxLineBytes));
}
