/** The most characters (Unicode code points) of a title that is taken from a question. */
const maxTitleCharacters = 60;

/** The most characters (Unicode code points) of a name that a person gives. */
const maxNameCharacters = 200;

/** A chat's title: the first line of its first question that says something, white space folded, at most 60 characters. */
export function titleOf(prompt: string): string {
	const line = prompt.split(/[\r\n]+/).find(candidate => candidate.trim() !== "") ?? "";
	return shorten(foldSpace(line), maxTitleCharacters);
}

/** A name a person gives a chat: in one line, white space folded, at most 200 characters. */
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
