/** Parses JSON. Returns undefined if it is invalid. */
export function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

/** Indents JSON, with one field per line. Returns other text unchanged. */
export function indentedJson(text: string): string {
	const value = parseJson(text);
	return value === undefined ? text : JSON.stringify(value, undefined, 2);
}

/** Whether a value is an object, neither null nor an array. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}
