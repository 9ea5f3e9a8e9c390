import type { Highlighter } from "./highlight.ts";
import { highlightLater } from "./highlightLater.ts";
import type { IdleQueue } from "../elements/index.ts";
import { drawMathLater, type MathRenderer } from "./math.ts";

/** What finished text is worked on with, each loaded when a text first needs it. */
export interface FinishingTools {
	readonly idle: IdleQueue;
	readonly loadHighlighter: () => Promise<Highlighter>;
	readonly loadMath: () => Promise<MathRenderer>;
}

/** Does, in quiet moments, what finished text on the page still lacks: colours of code, drawn formulas. */
export function finishLater(element: HTMLElement, tools: FinishingTools): void {
	highlightLater(element, tools.loadHighlighter, tools.idle);
	drawMathLater(element, tools.loadMath, tools.idle);
}
