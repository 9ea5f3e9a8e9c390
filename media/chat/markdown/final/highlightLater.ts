import { replaceCode, type IdleQueue } from "../elements/index.ts";
import type { Highlighter } from "./highlight.ts";

/** Highlights the code blocks inside an element one by one in quiet moments; the library is loaded for the first. */
export function highlightLater(
	element: HTMLElement,
	loadHighlighter: () => Promise<Highlighter>,
	idle: IdleQueue,
): void {
	const blocks = [...element.querySelectorAll<HTMLElement>('pre > code[class^="language-"]')];
	if (blocks.length === 0) {
		return;
	}
	loadHighlighter().then(
		highlight => {
			for (const code of blocks) {
				idle.add(highlightBlock(code, highlight));
			}
		},
		// Without its colours the code is still all there.
		() => undefined,
	);
}

function* highlightBlock(code: HTMLElement, highlight: Highlighter): Generator<undefined, void> {
	const language = code.className.replace("language-", "");
	const pieces = code.isConnected ? highlight(code.textContent, language) : undefined;
	if (pieces) {
		yield;
		replaceCode(code, pieces);
	}
}
