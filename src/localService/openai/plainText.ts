import * as z from "zod/mini";
import { parseJson } from "../../common/json.ts";

/** Fields of a chunk that carry no information besides the text. */
const chunkFields = new Set(["id", "object", "created", "model", "system_fingerprint", "choices"]);
const choiceFields = new Set(["index", "delta"]);
const deltaFields = new Set(["role", "content"]);

/** Returns the text of a chunk that contains only text, as nearly all do. Returns undefined for any other, which needs a schema. */
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

/** Reads frames that differ only in their text without parsing them completely, which would take most of the CPU time. */
export class RepeatedFrame {
	private head = "";
	private tail = "";

	/** Returns the text of a frame that otherwise equals the learned one, or undefined. */
	textOf(data: string): string | undefined {
		const { head, tail } = this;
		if (head === "" || !data.startsWith(head) || !data.endsWith(tail)) {
			return undefined;
		}
		const text = parseJson(data.slice(head.length, data.length - tail.length));
		return typeof text === "string" ? text : undefined;
	}

	learn(data: string, text: string): void {
		const written = JSON.stringify(text);
		const start = data.lastIndexOf(written);
		const head = data.slice(0, Math.max(start, 0));
		const tail = data.slice(start + written.length);
		// The text may occur elsewhere in the frame, too. A changed text with a dot confirms that this is the right place.
		const other = `${text}.`;
		if (start >= 0 && plainText(parseJson(head + JSON.stringify(other) + tail)) === other) {
			this.head = head;
			this.tail = tail;
		}
	}
}

/** A field that some servers set to null or to another type, which counts as missing. */
export const lenient = <Schema extends z.core.$ZodType>(schema: Schema) =>
	// oxlint-disable-next-line promise/valid-params -- this `catch` is zod's
	z.catch(z.nullish(schema), undefined);
