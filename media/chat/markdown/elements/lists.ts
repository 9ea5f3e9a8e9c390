import { maxListItems } from "./bounds.ts";
import { createElement } from "./elements.ts";

/** The list, or one that goes on right after it where it already has as many items as a list may have. */
export function listWithRoom(list: HTMLElement): HTMLElement {
	const count = list.childElementCount;
	if (count < maxListItems) {
		return list;
	}
	const isOrdered = list.localName === "ol";
	// The browser looks at every item of what it draws as one whenever the text grows; a list that is full is drawn by itself.
	list.className = "full-list";
	const next = createElement(isOrdered ? "ol" : "ul");
	if (isOrdered) {
		next.setAttribute("start", String(Number(list.getAttribute("start") ?? 1) + count));
	}
	list.after(next);
	return next;
}
