import { toggleFold } from "../markdown/elements/longCode.ts";
import type { ScrollPin } from "../scroll/scrollPin.ts";
import { boxOf } from "./highlights.ts";

/** Space between a revealed match and the edges of the view, in CSS pixels. */
const edge = 12;

/** How often to correct the position, which shifts as the content around it is laid out. */
const maxTries = 6;

const nextFrame = (): Promise<unknown> => new Promise(requestAnimationFrame);

/**
 * Scrolls to a match and expands what hides it. Calls `locate` each time, because elements may be replaced; it returns undefined if the match is no
 * longer wanted.
 */
export async function revealMatch(
	scroller: HTMLElement,
	pin: ScrollPin,
	locate: () => StaticRange | undefined,
): Promise<void> {
	for (let tries = 0; tries < maxTries; tries++) {
		const range = locate();
		if (!range) {
			return;
		}
		unfold(range);
		const box = boxOf(range);
		const view = scroller.getBoundingClientRect();
		if (box.top < view.top + edge || box.bottom > view.bottom - edge) {
			pin.letGo();
			scroller.scrollTop += box.top - view.top - view.height / 3;
		} else if (tries > 0) {
			return;
		}
		scrollSideways(range);
		await nextFrame();
	}
}

/** Expands the elements in which a match is collapsed. */
function unfold(range: StaticRange): void {
	const parent = range.startContainer.parentElement;
	for (let fold = parent?.closest("details"); fold; fold = fold.parentElement?.closest("details")) {
		fold.open = true;
	}
	const answer = parent?.closest(".long-answer.collapsed");
	const toggle = answer?.nextElementSibling;
	if (answer && boxOf(range).bottom > answer.getBoundingClientRect().bottom) {
		(toggle instanceof HTMLElement ? toggle : undefined)?.click();
	}
	const code = parent?.closest<HTMLElement>(".code-block");
	if (code?.classList.contains("drawn")) {
		// The match is in the source that the diagram replaces.
		code.querySelector<HTMLElement>(".draw-diagram")?.click();
	}
	if (code?.classList.contains("folded")) {
		toggleFold(code);
	}
}

/** Scrolls code and tables horizontally. */
function scrollSideways(range: StaticRange): void {
	const frame = range.startContainer.parentElement?.closest<HTMLElement>("pre, .table-frame");
	if (!frame) {
		return;
	}
	const [box, view] = [boxOf(range), frame.getBoundingClientRect()];
	if (box.left < view.left || box.right > view.right) {
		frame.scrollLeft += box.left - view.left - view.width / 3;
	}
}
