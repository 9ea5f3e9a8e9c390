/** The most characters (Unicode code points) of a title. */
const maxTitleCharacters = 60;

/** A chat's title: the first line of its first question that says something, white space folded, at most 60 characters. */
export function titleOf(prompt: string): string {
	const line = prompt.split(/[\r\n]+/).find(candidate => candidate.trim() !== "") ?? "";
	const characters = [...line.trim().replaceAll(/\s+/g, " ")];
	return characters.length <= maxTitleCharacters
		? characters.join("")
		: `${characters
				.slice(0, maxTitleCharacters - 1)
				.join("")
				.trimEnd()}…`;
}
