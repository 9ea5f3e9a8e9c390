import { createElement } from "../elements/elements.ts";
import type { IdleQueue } from "../elements/idle.ts";
import { maxDrawnFormulas } from "../elements/bounds.ts";

/** Renders a formula, or returns why it can't be rendered. */
export type MathRenderer = (
	tex: string,
	isDisplay: boolean,
) => { readonly drawing: Node } | { readonly problem: string };

/** Kept outside the DOM, because attributes must not contain a model's text (docs/security.md). */
const formulas = new WeakMap<Element, { readonly tex: string; readonly isDisplay: boolean }>();

/** Creates a formula that shows its source until it is rendered. */
export function createFormula(tex: string, isDisplay: boolean, isBlock: boolean): HTMLElement {
	const className = isDisplay ? "math math-display" : "math";
	const element = createElement(isBlock ? "div" : "span", className);
	element.append(sourceOf(tex, isDisplay));
	formulas.set(element, { tex, isDisplay });
	return element;
}

/** Returns a formula's Markdown. */
function sourceOf(tex: string, isDisplay: boolean): string {
	return isDisplay ? `$$${tex}$$` : `$${tex}$`;
}

/** Returns a formula's source, also for one copied from the page; undefined for any other element. */
export function texOf(element: Element): string | undefined {
	if (!element.classList.contains("math")) {
		return undefined;
	}
	const tex = element.querySelector("annotation")?.textContent;
	return tex === undefined
		? element.textContent
		: sourceOf(tex, element.classList.contains("math-display"));
}

/** Renders the formulas in an element one by one in idle periods. Loads the renderer on first use. */
export function drawMathLater(
	element: HTMLElement,
	loadMath: () => Promise<MathRenderer>,
	idle: Pick<IdleQueue, "add">,
): void {
	const waiting = drawable([...element.querySelectorAll<HTMLElement>(".math:not(.drawn)")]);
	if (waiting.length === 0) {
		return;
	}
	loadMath().then(
		render => waiting.forEach(formula => idle.add(drawFormula(formula, render), formula)),
		// The source is still readable.
		() => undefined,
	);
}

/** Returns the formulas to render. Beyond a block's limit, the source is shown. */
function drawable(formulas: readonly HTMLElement[]): readonly HTMLElement[] {
	const counts = new Map<Element | null, number>();
	return formulas.filter(formula => {
		const block = formula.closest("p, li, td, th, h1, h2, h3, h4, h5, h6");
		const count = (counts.get(block) ?? 0) + 1;
		counts.set(block, count);
		return count <= maxDrawnFormulas;
	});
}

function* drawFormula(element: HTMLElement, render: MathRenderer): Generator<undefined, void> {
	const formula = formulas.get(element);
	if (!formula) {
		return;
	}
	yield;
	const result = render(formula.tex, formula.isDisplay);
	element.classList.add("drawn");
	if ("drawing" in result) {
		element.replaceChildren(result.drawing);
	} else {
		element.classList.add("math-problem");
		element.title = result.problem;
	}
}
