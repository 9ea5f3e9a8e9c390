import { toggleFold, toggleWrap } from "../markdown/elements/longCode.ts";

/** A turn's collapsible elements and code blocks that differ from their default state, by index. */
interface KeptFolds {
	readonly open: readonly number[];
	readonly unfolded: readonly number[];
	readonly wrapped: readonly number[];
}

/** Remembers what the reader expanded and wrapped in a turn while it isn't rendered. Grows with these changes, not with the chat. */
export class FoldMemory {
	private readonly turns = new Map<string, KeptFolds>();

	/** Saves the state of a turn before it is removed. */
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

	/** Restores the state of a turn that was rendered again. */
	restore(turnId: string, element: HTMLElement): void {
		const kept = this.turns.get(turnId);
		this.turns.delete(turnId);
		if (kept) {
			const folds = element.querySelectorAll("details");
			kept.open.forEach(number => folds[number]?.setAttribute("open", ""));
			restoreCode(blocksOf(element), kept);
		}
	}

	/** Clears the state after switching chats. */
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
