/** Format of the answer to a streamed request. */
export type AnswerFormat = "events" | "json" | "webPage" | "other";

/** Beyond this many UTF-16 code units of comments and blank lines, a body is taken for an event stream. */
const maxPreambleLength = 4 * 1024;

/** A line that an event stream may begin with. WHATWG HTML §9.2.6. */
const eventField = /^(data|event|id|retry)(:|$)/;

/**
 * Tells from a body's beginning what it is, whatever its content type says: the first line that is neither blank nor a
 * comment decides, and the type only where that line is neither JSON, a page nor a field. Nothing means that more is
 * needed. Rows H13, H15–H17.
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
	/** Whether its end has come. */
	readonly isWhole: boolean;
}

/** The first line that is neither blank nor a comment. */
function firstLine(text: string): AnswerLine | undefined {
	const lines = text.split(/\r\n|\n|\r/);
	const index = lines.findIndex(line => line !== "" && !line.startsWith(":"));
	const line = lines[index];
	return line === undefined ? undefined : { text: line, isWhole: index < lines.length - 1 };
}

function startsField(text: string): boolean {
	return ["data", "event", "id", "retry"].some(field => field.startsWith(text));
}
