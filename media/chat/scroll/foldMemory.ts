import { toggleFold, toggleWrap } from "../markdown/elements/longCode.ts";

/** Which of a turn's folds and code blocks differ from how they are made, counted from 0. */
interface KeptFolds {
	readonly open: readonly number[];
	readonly unfolded: readonly number[];
	readonly wrapped: readonly number[];
}

/** Remembers what a reader has unfolded and wrapped in a turn while the turn is off the page. It grows with that, not with the chat. */
export class FoldMemory {
	private readonly turns = new Map<string, KeptFolds>();

	/** A turn leaves the page. */
	keep(turnId: string, element: HTMLElement): void {
		const blocks = blocksOf(element);
		const kept = {
			open: numbersOf([...element.querySelectorAll("details")], fold => fold.open),
			unfolded: numbersOf(blocks, isUnfolded),
			wrapped: numbersOf(blocks, block => block.classList.contains("wrapped")),
		};
		if (kept.open.length + kept.unfolded.length + kept.wrapped.length > 0) {
			this.turns.set(turnId, kept);
		}
	}

	/** A turn is back: what was open is open again, and code as it was read. */
	restore(turnId: string, element: HTMLElement): void {
		const kept = this.turns.get(turnId);
		this.turns.delete(turnId);
		if (kept) {
			const folds = element.querySelectorAll("details");
			kept.open.forEach(number => folds[number]?.setAttribute("open", ""));
			restoreCode(blocksOf(element), kept);
		}
	}

	/** Another chat is shown. */
	forget(): void {
		this.turns.clear();
	}
}

function restoreCode(blocks: readonly HTMLElement[], { unfolded, wrapped }: KeptFolds): void {
	for (const block of unfolded.map(number => blocks[number])) {
		if (block?.classList.contains("folded") === true) {
			toggleFold(block);
		}
	}
	for (const block of wrapped.map(number => blocks[number])) {
		if (block) {
			toggleWrap(block);
		}
	}
}

function blocksOf(element: HTMLElement): HTMLElement[] {
	return [...element.querySelectorAll<HTMLElement>(".code-block")];
}

function isUnfolded(block: HTMLElement): boolean {
	return block.querySelector(".show-lines") !== null && !block.classList.contains("folded");
}

function numbersOf<Part>(parts: readonly Part[], is: (part: Part) => boolean): number[] {
	return parts.flatMap((part, number) => (is(part) ? [number] : []));
}
