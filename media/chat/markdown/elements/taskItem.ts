import { createElement } from "./elements.ts";

/** How the text of a list item begins that is a task (GFM §5.3): a box, white space, and something to do. */
const taskMark = /^\[([ xX])\][ \t\n]+(?=\S)/;

/** The item of a list whose text begins in `parent`; nothing when it begins elsewhere or the item has text already. */
function itemOf(parent: HTMLElement): HTMLElement | undefined {
	if (parent.localName === "li") {
		return parent.hasChildNodes() ? undefined : parent;
	}
	const item = parent.localName === "p" && !parent.hasChildNodes() ? parent.parentElement : null;
	return item?.localName === "li" && item.firstChild === parent ? item : undefined;
}

/** The text of a task without its mark, and the element it goes into. */
export interface TaskText {
	readonly target: HTMLElement;
	readonly text: string;
}

/**
 * Makes the text that begins in `parent` a task when it is one: a box that shows whether it is done and cannot be pressed, named by
 * the text. Everything else comes back as it is.
 */
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
