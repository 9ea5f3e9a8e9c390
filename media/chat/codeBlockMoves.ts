import * as l10n from "@vscode/l10n";

/** Where to go from the code block that has the focus. */
export type BlockStep = "next" | "previous";

/** Whether an element stands below another one in the document. */
function isAfter(element: Element, other: Element): boolean {
	return (other.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
}

/** The block to go to: seen from the one with the focus, else from what the reader looks at. */
function findBlock(
	scroller: HTMLElement,
	blocks: readonly HTMLElement[],
	step: BlockStep,
): HTMLElement | undefined {
	const focused = document.activeElement;
	const from = focused && scroller.contains(focused) && focused !== scroller ? focused : undefined;
	const current = from && blocks.find(block => block.contains(from));
	const { top, bottom } = scroller.getBoundingClientRect();
	const isBelow = (block: HTMLElement): boolean =>
		from ? isAfter(block, from) && block !== current : block.getBoundingClientRect().top >= top;
	const isAbove = (block: HTMLElement): boolean =>
		from
			? isAfter(from, block) && block !== current
			: block.getBoundingClientRect().bottom <= bottom;
	return step === "next" ? blocks.find(isBelow) : blocks.findLast(isAbove);
}

/** What takes the focus of a block: its code, or where that is hidden behind a diagram, the button that shows it again. */
function focusTarget(block: HTMLElement): HTMLElement | null {
	const code = block.querySelector("pre");
	return code?.checkVisibility() ? code : block.querySelector("button");
}

/**
 * Gives the focus to the next or the previous code block on the page and brings its head into sight; at the last one there is
 * nowhere to go. Returns whether it went anywhere.
 */
export function moveToCodeBlock(scroller: HTMLElement, step: BlockStep): boolean {
	const blocks = [...scroller.querySelectorAll<HTMLElement>(".markdown .code-block")];
	const block = findBlock(scroller, blocks, step);
	const target = block && focusTarget(block);
	if (!target) {
		return false;
	}
	block.setAttribute("role", "group");
	block.ariaLabel = l10n.t("Code block {0} of {1}", blocks.indexOf(block) + 1, blocks.length);
	target.focus({ preventScroll: true });
	const { top, bottom } = block.getBoundingClientRect();
	const view = scroller.getBoundingClientRect();
	if (top < view.top || bottom > view.bottom) {
		block.scrollIntoView({ block: bottom - top > view.height ? "start" : "nearest" });
	}
	return true;
}
