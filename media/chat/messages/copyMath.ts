import { texOf } from "../markdown/final/math.ts";

/** Copies a selection with formulas as their source, because their rendering contains letters twice. */
export function copyFormulasAsTex(root: HTMLElement): void {
	root.addEventListener("copy", event => {
		const selection = document.getSelection();
		const range = selection?.rangeCount === 1 ? selection.getRangeAt(0) : undefined;
		if (!range || range.collapsed || !root.contains(range.commonAncestorContainer)) {
			return;
		}
		const { text, hasFormulas } = textOfRange(range);
		if (hasFormulas && event.clipboardData) {
			event.clipboardData.setData("text/plain", text);
			event.preventDefault();
		}
	});
}

/** Returns a range's visible text with formulas as their source, and whether it has any. */
export function textOfRange(range: Range): {
	readonly text: string;
	readonly hasFormulas: boolean;
} {
	const whole = range.cloneRange();
	const [first, last] = [formulaAround(range.startContainer), formulaAround(range.endContainer)];
	if (first) {
		whole.setStartBefore(first);
	}
	if (last) {
		whole.setEndAfter(last);
	}
	const copy = document.createElement("div");
	copy.append(whole.cloneContents());
	const formulas = [...copy.querySelectorAll(".math.drawn")];
	formulas.forEach(formula => formula.replaceChildren(texOf(formula) ?? ""));
	return { text: textAsShown(copy), hasFormulas: formulas.length > 0 };
}

function formulaAround(node: Node): Element | null {
	return (node instanceof Element ? node : node.parentElement)?.closest(".math.drawn") ?? null;
}

/** Returns an element's text with visible line breaks. For that it is inserted into the page invisibly. */
function textAsShown(element: HTMLElement): string {
	element.className = "markdown screen-reader-only";
	document.body.append(element);
	const text = element.innerText;
	element.remove();
	return text;
}
