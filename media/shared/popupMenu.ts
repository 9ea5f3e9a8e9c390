/** One thing a menu offers. */
export interface MenuItem {
	readonly label: string;
	/** Text that tells it from another one with the same label, shown fainter behind it. */
	readonly detail?: string;
	/** Whether it is on, of what can be switched. */
	readonly isChecked?: boolean;
	onPick(): void;
}

/**
 * Opens a menu at a button: arrows, Home, End and first letters move through it, Enter and a click pick, Escape, Tab and a
 * click elsewhere close it. The focus is in the menu while it is open and back on the button afterwards. A button whose menu
 * is open closes it.
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

function createItem({ label, detail, isChecked }: MenuItem, onPick: () => void): HTMLButtonElement {
	const button = document.createElement("button");
	button.type = "button";
	button.role = "menuitem";
	button.tabIndex = -1;
	button.className = "popup-menu-item";
	button.textContent = label;
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

/** An answer that flows in moves the button, and the menu with it; out of sight, the menu closes. */
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

/** Below the button where there is room, above it otherwise; always inside the page. */
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

/** Moves the focus as a key says; false for a key that does not move. */
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

/** The next item behind `at` that begins with a letter, around the end. */
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
