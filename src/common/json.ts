/** Parses JSON. Returns undefined if it is invalid. */
export function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

/** Parses JSON with comments and trailing commas. Returns undefined if it is invalid. */
export function parseJsonc(text: string): unknown {
	return parseJson(
		text
			.replace(/^\uFEFF/, "")
			.replaceAll(/("(?:\\.|[^"\\])*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, "$1")
			.replaceAll(/("(?:\\.|[^"\\])*")|,(?=\s*[}\]])/g, "$1"),
	);
}

/** Indents JSON, with one field per line. Returns other text unchanged, and JSON that is nested too deeply to be written. */
export function indentedJson(text: string): string {
	try {
		return JSON.stringify(JSON.parse(text), undefined, 2);
	} catch {
		return text;
	}
}

/** Whether a value is an object, neither null nor an array. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}
