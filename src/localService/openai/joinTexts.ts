type Text = { readonly type: "text"; readonly text: string };
type ThinkingText = { readonly type: "thinking"; readonly text: string };

/** Joins texts that follow each other, so that what came together goes on together. What failed comes after the texts before it. */
export function* joinTexts<Other extends { readonly type: "end" | "not-thinking" }>(
	parts: Iterable<Text | ThinkingText | Other>,
): Generator<Text | ThinkingText | Other, void, undefined> {
	let type: "text" | "thinking" = "text";
	let held = "";
	const release = function* (): Generator<Text | ThinkingText, void, undefined> {
		const text = held;
		held = "";
		if (text !== "") {
			yield type === "text" ? { type, text } : { type, text };
		}
	};
	try {
		for (const part of parts) {
			if (part.type !== type) {
				yield* release();
			}
			if (part.type === "text" || part.type === "thinking") {
				({ type } = part);
				held += part.text;
			} else {
				yield part;
			}
		}
	} catch (error) {
		yield* release();
		throw error;
	}
	yield* release();
}
