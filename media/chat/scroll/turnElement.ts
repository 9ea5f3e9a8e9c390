/** The element of a turn, where it is on the page. */
export function turnElement(root: HTMLElement, turnId: string): HTMLElement | undefined {
	const turns = root.querySelectorAll<HTMLElement>(".turn");
	return [...turns].find(({ dataset }) => dataset["turn"] === turnId);
}

/** Points at a turn for a moment, so that the eye finds it; does nothing where it is not on the page. */
export function highlightTurn(root: HTMLElement, turnId: string): void {
	const turn = turnElement(root, turnId);
	if (turn) {
		turn.classList.add("pointed-at");
		turn.addEventListener("animationend", () => turn.classList.remove("pointed-at"), {
			once: true,
		});
	}
}
