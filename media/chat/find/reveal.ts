import { toggleFold } from "../markdown/elements/longCode.ts";
import type { ScrollPin } from "../scroll/scrollPin.ts";
import { boxOf } from "./highlights.ts";

/** Free space between a match that was gone to and the edges of the view, in CSS pixels. */
const edge = 12;

/** How often a place is corrected that moves because what is around it is laid out for the first time. */
const maxTries = 6;

const nextFrame = (): Promise<unknown> => new Promise(requestAnimationFrame);

/**
 * Brings a match into sight, unfolding what hides it. `locate` is asked again each time, since what is shown can be replaced
 * meanwhile; it returns nothing when the match is not wanted any more.
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

/** Opens what the match is folded into. */
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
		// The match is in the source, which the diagram stands for.
		code.querySelector<HTMLElement>(".draw-diagram")?.click();
	}
	if (code?.classList.contains("folded")) {
		toggleFold(code);
	}
}

/** Scrolls code and tables that are wider than the view. */
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
