import * as l10n from "@vscode/l10n";
import { createTextButton } from "./blockButton.ts";

/** A finished code block with more lines than this is collapsed. */
export const maxLinesShown = 80;

/** Lines shown of a collapsed block. `markdown.css` contains the same number. */
export const linesOfPart = 20;

const lineCounts = new WeakMap<Element, number>();

/** Collapses a long code block, with a button that expands it. All of its code stays in the DOM. */
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

/** Expands or collapses a block, and keeps its header in view. */
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

export function toggleWrap(block: HTMLElement): void {
	const isWrapped = block.classList.toggle("wrapped");
	block.querySelector(".wrap-code")?.setAttribute("aria-pressed", String(isWrapped));
}
