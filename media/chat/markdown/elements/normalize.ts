/** Brings the line ends of a text to `\n`, and makes NUL visible (CommonMark 0.31.2 §2.3). */
export function normalizeText(text: string): string {
	return text.replaceAll(/\r\n?/g, "\n").replaceAll("\0", "\uFFFD");
}
