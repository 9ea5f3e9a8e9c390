import { maxListItems } from "./bounds.ts";
import { createElement } from "./elements.ts";

/** Returns the list, or a new list after it if it has the most items allowed. */
export function listWithRoom(list: HTMLElement): HTMLElement {
	const count = list.childElementCount;
	if (count < maxListItems) {
		return list;
	}
	const isOrdered = list.localName === "ol";
	// The browser visits every item of a list whenever its text grows, so a full list is rendered separately.
	list.className = "full-list";
	const next = createElement(isOrdered ? "ol" : "ul");
	if (isOrdered) {
		next.setAttribute("start", String(Number(list.getAttribute("start") ?? 1) + count));
	}
	list.after(next);
	return next;
}
