export interface MenuItem {
	readonly label: string;
	/** Fainter text that distinguishes items with the same label. */
	readonly detail?: string;
	/** State of an item that can be toggled. */
	readonly isChecked?: boolean;
	/** Whether it is the one in use, which has a check. */
	readonly isCurrent?: boolean;
	onPick(): void;
}

/**
 * Opens a menu at a button. Arrow keys, Home, End and initial letters move the focus; Enter and a click select an item; Escape, Tab and a click
 * elsewhere close the menu. The focus returns to the button. If its menu is open, closes it instead.
 */
export function openPopupMenu(
	anchor: HTMLElement,
	label: string,
	items: readonly MenuItem[],
): void {
	if (anchor.ariaExpanded === "true") {
		return;
	}
	const abort = new AbortController();
	const menu = document.createElement("div");
	menu.className = "popup-menu";
	menu.role = "menu";
	menu.ariaLabel = label;
	const close = (): void => {
		abort.abort();
		menu.remove();
		anchor.ariaExpanded = "false";
	};
	const buttons = items.map(item =>
		createItem(item, () => {
			close();
			anchor.focus();
			item.onPick();
		}),
	);
	menu.append(...buttons);
	anchor.ariaExpanded = "true";
	(anchor.closest("main") ?? document.body).append(menu);
	place(menu, anchor);
	buttons[0]?.focus();
	menu.addEventListener("keydown", event => {
		const isOver = event.key === "Escape" || event.key === "Tab";
		if (isOver || moveFocus(buttons, event.key)) {
			event.preventDefault();
			event.stopPropagation();
		}
		if (isOver) {
			close();
			anchor.focus();
		}
	});
	closeFromOutside(menu, close, abort.signal);
	followButton(menu, anchor, close, abort.signal);
}

function createItem(
	{ label, detail, isChecked, isCurrent = false }: MenuItem,
	onPick: () => void,
): HTMLButtonElement {
	const button = document.createElement("button");
	button.type = "button";
	button.role = "menuitem";
	button.tabIndex = -1;
	button.className = "popup-menu-item";
	button.textContent = label;
	button.ariaCurrent = isCurrent ? "true" : null;
	if (isChecked !== undefined) {
		button.role = "menuitemcheckbox";
		button.ariaChecked = String(isChecked);
	}
	if (detail !== undefined) {
		const shown = document.createElement("span");
		shown.className = "popup-menu-detail";
		shown.textContent = detail;
		button.append(" ", shown);
	}
	button.addEventListener("click", onPick);
	return button;
}

function closeFromOutside(menu: HTMLElement, close: () => void, signal: AbortSignal): void {
	const closeOutside = (event: Event): void => {
		if (!(event.target instanceof Node && menu.contains(event.target))) {
			close();
		}
	};
	document.addEventListener("pointerdown", closeOutside, { signal, capture: true });
	window.addEventListener("blur", close, { signal });
	window.addEventListener("resize", close, { signal });
}

/** Moves the menu with its button while an answer streams in, and closes it when the button is out of view. */
function followButton(
	menu: HTMLElement,
	anchor: HTMLElement,
	close: () => void,
	signal: AbortSignal,
): void {
	const follow = (event: Event): void => {
		if (event.target instanceof Node && menu.contains(event.target)) {
			return;
		}
		const { top, bottom } = anchor.getBoundingClientRect();
		if (anchor.isConnected && bottom > 0 && top < window.innerHeight) {
			place(menu, anchor);
		} else {
			close();
		}
	};
	document.addEventListener("scroll", follow, { signal, capture: true });
}

/** Places the menu below the button if there is room, otherwise above it, always inside the page. */
function place(menu: HTMLElement, anchor: HTMLElement): void {
	const gap = 2;
	const box = anchor.getBoundingClientRect();
	const { width, height } = menu.getBoundingClientRect();
	const { innerWidth, innerHeight } = window;
	const below = box.bottom + gap;
	const top = below + height <= innerHeight ? below : box.top - gap - height;
	menu.style.top = `${Math.max(gap, top)}px`;
	menu.style.left = `${Math.max(gap, Math.min(box.left, innerWidth - width - gap))}px`;
}

/** Moves the focus for a key. Returns false for other keys. */
function moveFocus(buttons: readonly HTMLElement[], key: string): boolean {
	const at = buttons.findIndex(button => button === document.activeElement);
	const count = buttons.length;
	const next = ((): number | undefined => {
		switch (key) {
			case "ArrowDown":
				return (at + 1) % count;
			case "ArrowUp":
				return (at - 1 + count) % count;
			case "Home":
				return 0;
			case "End":
				return count - 1;
			default:
				return key.length === 1 && key !== " " ? startingWith(buttons, key, at) : undefined;
		}
	})();
	buttons[next ?? -1]?.focus();
	return next !== undefined;
}

/** Returns the next item after `at` that starts with a letter; wraps around. */
function startingWith(
	buttons: readonly HTMLElement[],
	letter: string,
	at: number,
): number | undefined {
	const order = buttons.map((_, offset) => (at + 1 + offset) % buttons.length);
	return order.find(index =>
		buttons[index]?.textContent.toLowerCase().startsWith(letter.toLowerCase()),
	);
}
