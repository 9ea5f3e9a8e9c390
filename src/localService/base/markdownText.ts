/** A text as Markdown that shows it as it is: nothing in it formats, links, or loads. CommonMark §2.4. */
export function escapeMarkdown(text: string): string {
	return text
		.replaceAll(/[\\`*_[\]<>|~&!#]/g, "\\$&")
		.replaceAll(/^([ \t]*)([-+=]|\d+[.)])/gm, "$1\\$2")
		.replaceAll(/\b(https?|mailto|www)([:.])/gi, "$1\\$2");
}

/** Fences code so that no fence inside it ends it early. CommonMark §4.5. */
export function fence(code: string, language = ""): string {
	const longest = Math.max(2, ...[...code.matchAll(/`+/g)].map(([ticks]) => ticks.length));
	const ticks = "`".repeat(longest + 1);
	return `${ticks}${language}\n${code}\n${ticks}`;
}
