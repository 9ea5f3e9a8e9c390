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
