import type { FileLinks } from "./fileLinks.ts";
import type { Highlighter } from "./highlight.ts";
import type { IdleQueue } from "../elements/idle.ts";
import { replaceCode } from "../elements/codeBlock.ts";
import { drawMathLater, type MathRenderer } from "./math.ts";

/** Dependencies of finishing a text, each loaded when a text first needs it. */
export interface FinishingDependencies {
	readonly idle: Pick<IdleQueue, "add">;
	readonly loadHighlighter: (language: string) => Promise<Highlighter>;
	readonly loadMath: () => Promise<MathRenderer>;
	/** Makes links of what names files of the workspace. */
	readonly fileLinks: Pick<FileLinks, "linkIn">;
}

/** Does, in quiet moments, what finished text on the page still lacks: colors of code, drawn formulas, links to files. */
export function finishLater(element: HTMLElement, tools: FinishingDependencies): void {
	highlightLater(element, tools.loadHighlighter, tools.idle);
	drawMathLater(element, tools.loadMath, tools.idle);
	tools.fileLinks.linkIn(element);
}

/** Highlights the code blocks inside an element one by one in quiet moments; a language is loaded for the first block in it. */
function highlightLater(
	element: HTMLElement,
	loadHighlighter: FinishingDependencies["loadHighlighter"],
	idle: Pick<IdleQueue, "add">,
): void {
	for (const code of element.querySelectorAll<HTMLElement>('pre > code[class^="language-"]')) {
		const language = code.className.replace("language-", "");
		loadHighlighter(language).then(
			highlight => idle.add(highlightBlock(code, language, highlight), code),
			// Without its colors the code is still all there.
			() => undefined,
		);
	}
}

function* highlightBlock(
	code: HTMLElement,
	language: string,
	highlight: Highlighter,
): Generator<undefined, void> {
	const pieces = code.isConnected ? highlight(code.textContent, language) : undefined;
	if (pieces) {
		yield;
		replaceCode(code, pieces);
	}
}
