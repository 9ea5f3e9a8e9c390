import * as l10n from "@vscode/l10n";
import { createTextButton } from "./blockButton.ts";

/** A finished code block with more lines than this is shown in part. */
export const maxLinesShown = 80;

/** How many lines of it are shown then; `markdown.css` holds the same number. */
export const linesOfPart = 20;

const lineCounts = new WeakMap<Element, number>();

/** Shows a long code block in part, with a button that shows the rest; all of its code stays in it. */
export function foldLongCode(block: HTMLElement, code: string): void {
	const lines = code.replace(/\n$/, "").split("\n").length;
	if (lines > maxLinesShown) {
		lineCounts.set(block, lines);
		block.classList.add("folded");
		block.append(createTextButton("show-lines", allLines(lines)));
	}
}

function allLines(lines: number): string {
	return l10n.t("Show all {0} lines", lines);
}

/** Shows a folded block whole, or a whole one in part again, without moving its head out of sight. */
export function toggleFold(block: HTMLElement): void {
	const isFolded = block.classList.toggle("folded");
	const button = block.querySelector(".show-lines");
	if (button) {
		button.textContent = isFolded
			? allLines(lineCounts.get(block) ?? 0)
			: l10n.t("Show the first {0} lines", linesOfPart);
	}
	if (isFolded) {
		block.querySelector("pre")?.scrollTo(0, 0);
		block.scrollIntoView({ block: "nearest" });
	}
}

/** Breaks the long lines of a block, or lets them run on again. */
export function toggleWrap(block: HTMLElement): void {
	block.classList.toggle("wrapped");
}
