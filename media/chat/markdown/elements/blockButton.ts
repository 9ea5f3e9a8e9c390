import { createElement } from "./elements.ts";

/** Creates an icon button of a block. The click handler recognizes it by its class. */
export function createButton(className: string, name: string, icon: string): HTMLElement {
	const button = document.createElement("button");
	button.type = "button";
	button.className = `icon-button ${className}`;
	button.ariaLabel = name;
	button.title = name;
	button.append(createElement("span", `codicon codicon-${icon}`));
	return button;
}

export function createToggle(className: string, name: string, icon: string): HTMLElement {
	const button = createButton(className, name, icon);
	button.ariaPressed = "false";
	return button;
}

export function createTextButton(className: string, words: string): HTMLElement {
	const button = document.createElement("button");
	button.type = "button";
	button.className = `block-button ${className}`;
	button.textContent = words;
	return button;
}

export function createMenuButton(className: string, name: string, icon: string): HTMLElement {
	const button = createButton(className, name, icon);
	button.setAttribute("aria-haspopup", "menu");
	button.setAttribute("aria-expanded", "false");
	return button;
}
