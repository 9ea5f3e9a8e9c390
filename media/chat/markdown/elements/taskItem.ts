import { createElement } from "./elements.ts";

/** Start of a task's text in a list item (GFM §5.3): a box, whitespace, and text. */
const taskMark = /^\[([ xX])\][ \t\n]+(?=\S)/;

/** Returns the list item whose text starts in `parent`, or undefined if it starts elsewhere or the item already has text. */
function itemOf(parent: HTMLElement): HTMLElement | undefined {
	if (parent.localName === "li") {
		return parent.hasChildNodes() ? undefined : parent;
	}
	const item = parent.localName === "p" && !parent.hasChildNodes() ? parent.parentElement : null;
	return item?.localName === "li" && item.firstChild === parent ? item : undefined;
}

/** A task's text without the box, and the element to put it into. */
export interface TaskText {
	readonly target: HTMLElement;
	readonly text: string;
}

/** If the text that starts in `parent` is a task, adds a disabled checkbox labeled by the text. Otherwise returns the text unchanged. */
export function startTaskItem(parent: HTMLElement, text: string): TaskText {
	const mark = taskMark.exec(text);
	const item = mark ? itemOf(parent) : undefined;
	if (!mark || !item) {
		return { target: parent, text };
	}
	item.classList.add("task-item");
	const label = createElement("label", "task");
	const box = document.createElement("input");
	box.className = "task-box";
	box.type = "checkbox";
	box.toggleAttribute("disabled", true);
	box.toggleAttribute("checked", mark[1] !== " ");
	label.append(box);
	parent.append(label);
	return { target: label, text: text.slice(mark[0].length) };
}
