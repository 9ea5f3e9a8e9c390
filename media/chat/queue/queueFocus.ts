/** Keeps the focus on a control of a waiting message whose place in the list changes with what `draw` draws. */
export function keepRowFocus(draw: () => void): void {
	const { activeElement } = document;
	const row = activeElement?.closest<HTMLElement>("[data-queued]");
	draw();
	const hasMoved = document.activeElement !== activeElement;
	if (row && hasMoved && activeElement instanceof HTMLElement && activeElement.isConnected) {
		activeElement.focus({ preventScroll: true });
		row.scrollIntoView({ block: "nearest" });
	}
}

/** Puts the focus on a waiting message, or on the part of it that `selector` names, with the cursor at its end. */
export function focusRow(footer: HTMLElement, id: string, selector: string | undefined): void {
	const rows = [...footer.querySelectorAll<HTMLElement>("[data-queued]")];
	const row = rows.find(({ dataset }) => dataset["queued"] === id);
	const element = selector === undefined ? row : row?.querySelector<HTMLElement>(selector);
	element?.focus();
	element?.scrollIntoView({ block: "nearest" });
	if (element instanceof HTMLTextAreaElement) {
		element.setSelectionRange(element.value.length, element.value.length);
	}
}
