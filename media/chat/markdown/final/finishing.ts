import type { FileLinks } from "./fileLinks.ts";
import type { Highlighter } from "./highlight.ts";
import type { IdleQueue } from "../elements/idle.ts";
import { replaceCode } from "../elements/codeBlock.ts";
import { drawMathLater, type MathRenderer } from "./math.ts";

/** Dependencies of finishing a text, each loaded on first use. */
export interface FinishingDependencies {
	readonly idle: Pick<IdleQueue, "add">;
	readonly loadHighlighter: (language: string) => Promise<Highlighter>;
	readonly loadMath: () => Promise<MathRenderer>;
	/** Links the names of workspace files. */
	readonly fileLinks: Pick<FileLinks, "linkIn">;
}

/** Adds syntax highlighting, formulas and file links to finished text in idle periods. */
export function finishLater(element: HTMLElement, tools: FinishingDependencies): void {
	highlightLater(element, tools.loadHighlighter, tools.idle);
	drawMathLater(element, tools.loadMath, tools.idle);
	tools.fileLinks.linkIn(element);
}

/** Highlights the code blocks in an element one by one in idle periods. Loads languages on first use. */
function highlightLater(
	element: HTMLElement,
	loadHighlighter: FinishingDependencies["loadHighlighter"],
	idle: Pick<IdleQueue, "add">,
): void {
	for (const code of element.querySelectorAll<HTMLElement>('pre > code[class^="language-"]')) {
		const language = code.className.replace("language-", "");
		loadHighlighter(language).then(
			highlight => idle.add(highlightBlock(code, language, highlight), code),
			// Without highlighting the code is still complete.
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
