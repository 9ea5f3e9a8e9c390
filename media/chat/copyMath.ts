import { texOf } from "./markdown/math.ts";

/** Copies a selection that has formulas in it with their sources in place of their drawings, which would come out as letters twice. */
export function copyFormulasAsTex(root: HTMLElement): void {
	root.addEventListener("copy", event => {
		const text = selectedText(root);
		if (text !== undefined && event.clipboardData) {
			event.clipboardData.setData("text/plain", text);
			event.preventDefault();
		}
	});
}

/** The selected text with formulas as they are written; nothing when there are none in it. */
function selectedText(root: HTMLElement): string | undefined {
	const selection = document.getSelection();
	const range = selection?.rangeCount === 1 ? selection.getRangeAt(0) : undefined;
	if (!range || range.collapsed || !root.contains(range.commonAncestorContainer)) {
		return undefined;
	}
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
	if (formulas.length === 0) {
		return undefined;
	}
	formulas.forEach(formula => formula.replaceChildren(texOf(formula) ?? ""));
	return textAsShown(copy);
}

function formulaAround(node: Node): Element | null {
	return (node instanceof Element ? node : node.parentElement)?.closest(".math.drawn") ?? null;
}

/** The text of an element with line breaks where they would be seen; it has to be on the page for that, out of sight. */
function textAsShown(element: HTMLElement): string {
	element.className = "markdown screen-reader-only";
	document.body.append(element);
	const text = element.innerText;
	element.remove();
	return text;
}
