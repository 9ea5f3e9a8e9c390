/** An `@`, or a `/` that begins the text, being written, and what follows it up to the cursor. */
export interface Mention {
	/** Position of the sign in the text. */
	readonly start: number;
	readonly query: string;
	readonly trigger: "@" | "/";
}

/** The longest query that is looked up, in characters; the protocol takes no longer one. */
const maxQueryCharacters = 200;

/** The mention the cursor is at the end of: an `@` at the beginning of a word. */
export function mentionAt(text: string, cursor: number): Mention | undefined {
	const before = text.slice(Math.max(0, cursor - maxQueryCharacters - 1), cursor);
	const match = /(?:^|[\s("'[{])@([^\s@]*)$/u.exec(before);
	const query = match?.[1];
	if (query === undefined || query.length >= maxQueryCharacters) {
		return undefined;
	}
	return { start: cursor - query.length - 1, query, trigger: "@" };
}

/** The text with the mention replaced by the name of what was attached, and where the cursor goes. */
export function completeMention(
	text: string,
	{ start, query }: Mention,
	name: string,
): { readonly text: string; readonly cursor: number } {
	const rest = text.slice(start + 1 + query.length);
	const words = /^\s/.test(rest) ? name : `${name} `;
	return { text: text.slice(0, start) + words + rest, cursor: start + name.length + 1 };
}
