/** The most characters of the service's own words that are kept. docs/faults.md. */
export const maxMessageCharacters = 500;

/** The most characters of a detail or of a web page's title that are kept. Fault matrix, row N10. */
export const maxDetailCharacters = 120;

/**
 * Foreign text as it may be shown: control, bidirectional and invisible format characters removed, runs of spaces folded,
 * cut to `maxCharacters` code points with «…» at the cut.
 */
export function plainText(text: string, maxCharacters: number): string {
	const cleaned = text
		// 64 code units per kept character leave room for what is removed and keep the work bounded.
		.slice(0, maxCharacters * 64)
		.toWellFormed()
		.replaceAll(/\r\n?/g, "\n")
		// Joiners stay: scripts and emoji need them.
		.replaceAll(/(?![\n\t\u200c\u200d])[\p{Cc}\p{Cf}]/gu, "")
		.replaceAll(/[^\S\n]+/gu, " ")
		.replaceAll(/ ?\n[\s]*/gu, "\n")
		.trim();
	const characters = [...cleaned];
	return characters.length > maxCharacters
		? `${characters.slice(0, maxCharacters - 1).join("")}…`
		: cleaned;
}
