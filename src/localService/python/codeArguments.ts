import { isRecord, parseJson } from "../../common/json.ts";

/** Fields that models use for the code, the declared one first. */
const codeFields = ["code", "python", "input", "source", "script", "python_code", "content", "cmd"];

/**
 * Returns the Python code in a model's arguments: the declared JSON, JSON with another field, or the code itself, each with or without a Markdown fence.
 * Returns undefined if there is no code.
 */
export function codeInArguments(input: string): string | undefined {
	const value = parseJson(input) ?? parseJson(withEscapedBreaks(input));
	const isRaw = value === undefined ? !/^\s*\{\s*["']/.test(input) : typeof value === "number";
	const code = isRaw ? input : codeIn(value);
	return code === undefined || code.trim() === "" ? undefined : withoutFence(code);
}

function codeIn(value: unknown): string | undefined {
	if (typeof value === "string") {
		return value;
	}
	if (Array.isArray(value)) {
		return value.every(line => typeof line === "string") ? joined(value) : undefined;
	}
	if (!isRecord(value)) {
		return undefined;
	}
	const fields = Object.keys(value);
	const name = codeFields.find(field => field in value) ?? (fields.length === 1 ? fields[0] : "");
	return codeIn(value[name ?? ""]);
}

/** Joins lines that may end with their own line breaks, as in a notebook. */
function joined(lines: readonly string[]): string {
	return lines.map(line => line.replace(/\r?\n$/, "")).join("\n");
}

/** Escapes line breaks and tabs in the strings of JSON, where they are invalid. */
function withEscapedBreaks(json: string): string {
	const escapes: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };
	return json.replaceAll(/"(?:[^"\\]|\\[^])*"?/g, text =>
		text.replaceAll(/[\n\r\t]/g, character => escapes[character] ?? ""),
	);
}

const fencePattern = /^[ \t]*(`{3,}|~{3,}(?!~))[^\n`]*\n([^]*?)(?:^[ \t]*\1[`~]*[ \t]*$|(?![^]))/gm;

/** Returns the code of all fenced blocks, or the text if it has none. Outside a string, a fence isn't Python. */
function withoutFence(text: string): string {
	const code = text.replaceAll("\r\n", "\n");
	const start = /^[ \t]*(?:`{3,}|~{3,})/m.exec(code)?.index;
	if (start !== undefined && !/"""|'''/.test(code.slice(0, start))) {
		const blocks = [...code.matchAll(fencePattern)].map(([, , block = ""]) => block.trimEnd());
		return blocks.length > 0 ? blocks.join("\n") : code;
	}
	return /^\s*`([^`\n]+)`\s*$/.exec(code)?.[1] ?? code;
}
