import { revealInLine } from "../../common/hiddenText.ts";
import { cutText } from "./readText.ts";

export interface DescribedText {
	/** The front matter's `description` as a single line; empty if there is none. */
	readonly description: string;
	readonly text: string;
}

/**
 * Splits a Markdown file into the `description` of its front matter, cut to `maxDescription` UTF-16 units, and everything after the front matter.
 * Joins the lines of a description.
 */
export function splitFrontMatter(file: string, maxDescription: number): DescribedText {
	const [whole = "", head = ""] =
		/^---\r?\n([\s\S]*?)(?:^|\n)---[ \t]*(?:\r?\n|$)/.exec(file) ?? [];
	const description = revealInLine(cutText(valueOf(head), maxDescription).text);
	return { description, text: file.slice(whole.length) };
}

/** Returns the YAML value of `description:`: the rest of the line and the indented lines below. */
function valueOf(head: string): string {
	const [first = "", ...others] = head.slice(/^description:/m.exec(head)?.index).split(/\r?\n/);
	const end = others.findIndex(line => /^\S/.test(line));
	const lines = [
		first.replace(/^description:/, "").replace(/^\s*[>|][+-]?\s*$/, ""),
		...others.slice(0, end === -1 ? others.length : end),
	];
	const value = first.startsWith("description:")
		? lines.join(" ").replaceAll(/\s+/g, " ").trim()
		: "";
	const [, double, single] = /^(?:"(.*)"|'(.*)')$/.exec(value) ?? [];
	return double ?? single ?? value;
}
