import type { Highlighter } from "./highlight.ts";
import { type IdleQueue, replaceCode } from "../elements/index.ts";
import { drawMathLater, type MathRenderer } from "./math.ts";

/** Dependencies of finishing a text, each loaded when a text first needs it. */
export interface FinishingDependencies {
	readonly idle: Pick<IdleQueue, "add">;
	readonly loadHighlighter: () => Promise<Highlighter>;
	readonly loadMath: () => Promise<MathRenderer>;
}

/** Does, in quiet moments, what finished text on the page still lacks: colors of code, drawn formulas. */
export function finishLater(element: HTMLElement, tools: FinishingDependencies): void {
	highlightLater(element, tools.loadHighlighter, tools.idle);
	drawMathLater(element, tools.loadMath, tools.idle);
}

/** Highlights the code blocks inside an element one by one in quiet moments; the library is loaded for the first. */
function highlightLater(
	element: HTMLElement,
	loadHighlighter: () => Promise<Highlighter>,
	idle: Pick<IdleQueue, "add">,
): void {
	const blocks = [...element.querySelectorAll<HTMLElement>('pre > code[class^="language-"]')];
	if (blocks.length === 0) {
		return;
	}
	loadHighlighter().then(
		highlight => {
			for (const code of blocks) {
				idle.add(highlightBlock(code, highlight), code);
			}
		},
		// Without its colors the code is still all there.
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
