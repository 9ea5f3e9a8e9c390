import { createElement } from "./elements.ts";

/** A button of a block, known by its class to whoever handles the clicks of an answer; `icon` is all it shows unless it has words. */
export function createButton(className: string, name: string, icon: string): HTMLElement {
	const button = document.createElement("button");
	button.type = "button";
	button.className = `icon-button ${className}`;
	button.ariaLabel = name;
	button.title = name;
	button.append(createElement("span", `codicon codicon-${icon}`));
	return button;
}

/** A button of a block that shows its words. */
export function createTextButton(className: string, words: string): HTMLElement {
	const button = document.createElement("button");
	button.type = "button";
	button.className = `block-button ${className}`;
	button.textContent = words;
	return button;
}

/** A button of a block that opens a menu. */
export function createMenuButton(className: string, name: string, icon: string): HTMLElement {
	const button = createButton(className, name, icon);
	button.setAttribute("aria-haspopup", "menu");
	button.setAttribute("aria-expanded", "false");
	return button;
}
