/**
 * Text with every character shown that would not show by itself or would turn the direction of others, as `␣U+202E`. For
 * what a person decides upon, such as a path; never for what is sent. Fault matrix T13, T30.
 */
export function revealHidden(text: string): string {
	return text
		.toWellFormed()
		.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u{E0000}-\u{E007F}]/gu, hidden => {
			const code = hidden.codePointAt(0) ?? 0;
			return `␣U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
		});
}
