/** The longest automatic title in characters (Unicode code points). */
const maxTitleCharacters = 60;

/** The longest name given by a user in characters (Unicode code points). */
const maxNameCharacters = 200;

/**
 * Returns a chat's title: the first nonempty line of its first message with whitespace folded, at most 60 characters. Skips an opening fence if code
 * follows. The location of the code comes first, because many messages about code have the same text.
 */
export function titleOf(prompt: string, place?: string): string {
	const lines = prompt.split(/[\r\n]+/).filter(candidate => candidate.trim() !== "");
	const line = lines.find(candidate => !/^\s*(?:`{3}|~{3})/.test(candidate)) ?? lines[0] ?? "";
	const words = foldSpace(line);
	const title = place === undefined || words.includes(place) ? words : `${place} · ${words}`;
	return shorten(title, maxTitleCharacters);
}

/** Normalizes a user's name for a chat: one line with whitespace folded, at most 200 characters. */
export function foldTitle(name: string): string {
	return shorten(foldSpace(name), maxNameCharacters);
}

function foldSpace(text: string): string {
	return text.trim().replaceAll(/\s+/g, " ");
}

function shorten(text: string, limit: number): string {
	const characters = [...text];
	return characters.length <= limit
		? characters.join("")
		: `${characters
				.slice(0, limit - 1)
				.join("")
				.trimEnd()}…`;
}
