/** Remembers what a reader has unfolded in a turn while the turn is off the page. */
export interface FoldMemory {
	/** A turn leaves the page. */
	keep(turnId: string, element: HTMLElement): void;
	/** A turn is back: what was open is open again. */
	restore(turnId: string, element: HTMLElement): void;
	/** Another chat is shown. */
	forget(): void;
}

/** Makes a memory of nothing. It grows with what was unfolded, not with the chat. */
export function createFoldMemory(): FoldMemory {
	const open = new Map<string, readonly number[]>();
	return {
		keep: (turnId, element) => {
			const numbers = [...element.querySelectorAll("details")].flatMap((fold, number) =>
				fold.open ? [number] : [],
			);
			if (numbers.length > 0) {
				open.set(turnId, numbers);
			}
		},
		restore: (turnId, element) => {
			const numbers = open.get(turnId) ?? [];
			open.delete(turnId);
			if (numbers.length > 0) {
				const folds = element.querySelectorAll("details");
				numbers.forEach(number => folds[number]?.setAttribute("open", ""));
			}
		},
		forget: () => open.clear(),
	};
}
