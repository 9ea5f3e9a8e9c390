import { guessLanguage } from "../base/index.ts";
import { outlineOf } from "./outline.ts";

/** Longer outlines are cut, with the number of entries left out. */
const maxOutlineEntries = 20;

/**
 * What can be said about a text by counting: lines, words, characters, its language and its outline, as Markdown.
 * `language` is what the fence named, when it named one.
 */
export function reportText(text: string, language: string | undefined): string {
	const lines = text.split(/\r\n|\n|\r/);
	const blank = lines.filter(line => line.trim() === "").length;
	const longest = lines.reduce((most, line) => Math.max(most, [...line].length), 0);
	const kind = language ?? guessLanguage(text);
	const reminders = [...text.matchAll(/\b(?:TODO|FIXME|HACK|XXX)\b/g)].length;
	return [
		"| Counted | Result |",
		"| :-- | --: |",
		`| Looks like | ${kind ?? "plain text"} |`,
		`| Lines | ${count(lines.length)}${blank > 0 ? ` (${count(blank)} blank)` : ""} |`,
		`| Words | ${count([...text.matchAll(/[\p{L}\p{N}_'’]+/gu)].length)} |`,
		`| Characters | ${count([...text].length)} |`,
		`| Bytes in UTF-8 | ${count(Buffer.byteLength(text))} |`,
		`| Longest line | ${count(longest)} characters |`,
		...(reminders > 0 ? [`| Reminders such as TODO | ${count(reminders)} |`] : []),
		...describeOutline(text, kind),
	].join("\n");
}

function describeOutline(text: string, language: string | undefined): readonly string[] {
	const entries = outlineOf(text, language);
	if (entries.length === 0) {
		return [];
	}
	const shown = entries
		.slice(0, maxOutlineEntries)
		.map(({ line, kind, name }) => `- line ${line}: ${kind} \`${name}\``);
	const more = entries.length - maxOutlineEntries;
	return ["", "Outline:", "", ...shown, ...(more > 0 ? [`- and ${count(more)} more`] : [])];
}

function count(value: number): string {
	return value.toLocaleString("en");
}
