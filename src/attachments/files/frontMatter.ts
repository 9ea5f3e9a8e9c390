import { revealInLine } from "../../common/hiddenText.ts";
import { cutText } from "./readText.ts";

/** A Markdown file in its two parts. */
export interface DescribedText {
	/** The `description` of its front matter, in one line; empty without one. */
	readonly description: string;
	/** Everything behind the front matter. */
	readonly text: string;
}

/**
 * Splits a Markdown file into the `description` of its front matter, at most `maxDescription` UTF-16 units of it, and everything
 * behind that. A description of several lines, folded or not, becomes one.
 */
export function splitFrontMatter(file: string, maxDescription: number): DescribedText {
	const [whole = "", head = ""] =
		/^---\r?\n([\s\S]*?)(?:^|\n)---[ \t]*(?:\r?\n|$)/.exec(file) ?? [];
	const description = revealInLine(cutText(valueOf(head), maxDescription).text);
	return { description, text: file.slice(whole.length) };
}

/** The value behind `description:`: the rest of its line and the indented lines below, as YAML writes them. */
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
