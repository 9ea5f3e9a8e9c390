/** Format of the response to a streaming request. */
export type AnswerFormat = "events" | "json" | "webPage" | "other";

/** A body with a longer preamble of comments and blank lines counts as an event stream, in UTF-16 code units. */
const maxPreambleLength = 4 * 1024;

/** A line that can start an event stream. WHATWG HTML §9.2.6. */
const eventField = /^(data|event|id|retry)(:|$)/;

/**
 * Detects a body's format by its first line that is neither blank nor a comment. The content type counts only if that line is neither JSON, a web
 * page nor an event field. Returns undefined if more of the body is needed.
 */
export function answerFormat(
	beginning: string,
	contentType: string | undefined,
	isWhole: boolean,
): AnswerFormat | undefined {
	const text = beginning.replace(/^\uFEFF/, "");
	const first = text.trimStart().charAt(0);
	if (first === "{" || first === "[") {
		return "json";
	}
	if (first === "<") {
		return "webPage";
	}
	if (text.length > maxPreambleLength) {
		return "events";
	}
	const isTyped = /^\s*text\/event-stream\b/i.test(contentType ?? "");
	if (isTyped) {
		return first !== "" || isWhole ? "events" : undefined;
	}
	return formatOfLine(firstLine(text), isWhole);
}

function formatOfLine(
	line: AnswerLine | undefined,
	isBodyWhole: boolean,
): AnswerFormat | undefined {
	if (!line) {
		return isBodyWhole ? "events" : undefined;
	}
	if (eventField.test(line.text) && (line.isWhole || isBodyWhole || line.text.includes(":"))) {
		return "events";
	}
	const canBecomeField = !line.isWhole && !isBodyWhole && startsField(line.text);
	return canBecomeField ? undefined : "other";
}

interface AnswerLine {
	readonly text: string;
	/** Whether the line break has arrived. */
	readonly isWhole: boolean;
}

function firstLine(text: string): AnswerLine | undefined {
	const lines = text.split(/\r\n|\n|\r/);
	const index = lines.findIndex(line => line !== "" && !line.startsWith(":"));
	const line = lines[index];
	return line === undefined ? undefined : { text: line, isWhole: index < lines.length - 1 };
}

function startsField(text: string): boolean {
	return ["data", "event", "id", "retry"].some(field => field.startsWith(text));
}
