/** The most characters (Unicode code points) of a title that is taken from a question. */
const maxTitleCharacters = 60;

/** The most characters (Unicode code points) of a name that a user gives. */
const maxNameCharacters = 200;

/**
 * A chat's title: the first line of its first question that says something, white space folded, at most 60 characters. A fence
 * says nothing where code follows.
 * The place of the code that the question is about comes first: many are asked in the same words.
 */
export function titleOf(prompt: string, place?: string): string {
	const lines = prompt.split(/[\r\n]+/).filter(candidate => candidate.trim() !== "");
	const line = lines.find(candidate => !/^\s*(?:`{3}|~{3})/.test(candidate)) ?? lines[0] ?? "";
	const words = foldSpace(line);
	const title = place === undefined || words.includes(place) ? words : `${place} · ${words}`;
	return shorten(title, maxTitleCharacters);
}

/** A name a user gives a chat: in one line, white space folded, at most 200 characters. */
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
