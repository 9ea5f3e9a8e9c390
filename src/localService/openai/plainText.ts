/** Fields beside a text that say nothing new of an answer. */
const chunkFields = new Set(["id", "object", "created", "model", "system_fingerprint", "choices"]);
const choiceFields = new Set(["index", "delta"]);
const deltaFields = new Set(["role", "content"]);

/**
 * The text of a chunk that holds a piece of text and nothing else, which nearly every chunk does; undefined for any other, which a
 * schema has to look at.
 */
export function plainText(chunk: unknown): string | undefined {
	if (!isPlain(chunk, chunkFields) || !("choices" in chunk) || !Array.isArray(chunk.choices)) {
		return undefined;
	}
	const choices: readonly unknown[] = chunk.choices;
	const [choice] = choices;
	if (choices.length !== 1 || !isPlain(choice, choiceFields) || !("delta" in choice)) {
		return undefined;
	}
	const { delta } = choice;
	return isPlain(delta, deltaFields) && "content" in delta && typeof delta.content === "string"
		? delta.content
		: undefined;
}

/** Whether a value is an object whose other fields are all null. */
function isPlain(value: unknown, known: ReadonlySet<string>): value is object {
	if (typeof value !== "object" || value === null) {
		return false;
	}
	for (const name in value) {
		if (!known.has(name) && Reflect.get(value, name) !== null) {
			return false;
		}
	}
	return true;
}

/**
 * Reads frames that differ from an earlier one in their text alone, as nearly all of an answer do, without parsing the rest of them
 * again, which would be most of what an answer costs.
 */
export class RepeatedFrame {
	private head = "";
	private tail = "";

	/** The text of a frame that is otherwise the one that was learned; undefined for any other. */
	textOf(data: string): string | undefined {
		const { head, tail } = this;
		if (head === "" || !data.startsWith(head) || !data.endsWith(tail)) {
			return undefined;
		}
		const text = parsed(data.slice(head.length, data.length - tail.length));
		return typeof text === "string" ? text : undefined;
	}

	/** Learns a frame that holds this text and nothing else. */
	learn(data: string, text: string): void {
		const written = JSON.stringify(text);
		const start = data.lastIndexOf(written);
		const head = data.slice(0, Math.max(start, 0));
		const tail = data.slice(start + written.length);
		// The words may be elsewhere in the frame as well; the point lets none of these pass, as it follows no value.
		const other = `${text}.`;
		if (start >= 0 && plainText(parsed(head + JSON.stringify(other) + tail)) === other) {
			this.head = head;
			this.tail = tail;
		}
	}
}

/** The value of a JSON text; undefined for what is none. */
export function parsed(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
