/** Characters that show nothing or change how their neighbors are shown. Threats T13, T30. */
const hidden =
	/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Default_Ignorable_Code_Point}\uFFFC]|\p{Surrogate}/gu;

/**
 * Text with every hidden or control character shown as `␣U+202E`; line feeds and tabs stay. For what a user decides upon,
 * never for what is sent. Threats T13, T30.
 */
export function revealHidden(text: string): string {
	return text.replaceAll(hidden, character =>
		isLayout(character) ? character : codeOf(character),
	);
}

/** The same for what is one line, such as a path or a name: a line end or a tab in it is shown by its code as well. */
export function revealInLine(text: string): string {
	return text.replaceAll(hidden, codeOf);
}

/** How many hidden or control characters a text holds, line ends and tabs apart. Threat T30. */
export function countHidden(text: string): number {
	return (text.replaceAll("\r\n", "\n").match(hidden) ?? []).filter(
		character => !isLayout(character),
	).length;
}

function isLayout(character: string): boolean {
	return character === "\n" || character === "\t";
}

function codeOf(character: string): string {
	const code = character.codePointAt(0) ?? 0;
	return `␣U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
}
