/** Points at a turn for a moment, so that the eye finds it; does nothing where it is not on the page. */
export function highlightTurn(root: HTMLElement, turnId: string): void {
	const turns = root.querySelectorAll<HTMLElement>("[data-turn]");
	const turn = [...turns].find(({ dataset }) => dataset["turn"] === turnId);
	if (turn) {
		turn.classList.add("pointed-at");
		turn.addEventListener("animationend", () => turn.classList.remove("pointed-at"), {
			once: true,
		});
	}
}
