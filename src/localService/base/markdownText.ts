/** Escapes a text so that Markdown shows it literally, without formatting, links or images. CommonMark §2.4. */
export function escapeMarkdown(text: string): string {
	return text
		.replaceAll(/[\\`*_[\]<>|~&!#]/g, "\\$&")
		.replaceAll(/^([ \t]*)([-+=]|\d+[.)])/gm, "$1\\$2")
		.replaceAll(/\b(https?|mailto|www)([:.])/gi, "$1\\$2");
}

/** Fences code with enough backticks that no fence inside it ends it. CommonMark §4.5. */
export function fence(code: string, language = ""): string {
	const longest = Math.max(2, ...[...code.matchAll(/`+/g)].map(([ticks]) => ticks.length));
	const ticks = "`".repeat(longest + 1);
	return `${ticks}${language}\n${code}\n${ticks}`;
}
