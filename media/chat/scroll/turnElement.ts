export function turnElement(root: HTMLElement, turnId: string): HTMLElement | undefined {
	const turns = root.querySelectorAll<HTMLElement>(".turn");
	return [...turns].find(({ dataset }) => dataset["turn"] === turnId);
}

/** Briefly highlights a turn if it is in the page. */
export function highlightTurn(root: HTMLElement, turnId: string): void {
	const turn = turnElement(root, turnId);
	if (turn) {
		turn.classList.add("pointed-at");
		turn.addEventListener("animationend", () => turn.classList.remove("pointed-at"), {
			once: true,
		});
	}
}
