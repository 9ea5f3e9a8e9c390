import type { TurnView } from "../../../src/shared/chat.ts";

/** Measured size of a turn, in CSS pixels. */
export interface TurnSize {
	readonly turnId: string;
	readonly height: number;
}

/** Estimated height of a turn without its text, and per character, in CSS pixels in a narrow side bar. */
const bareTurnPixels = 110;
const pixelsPerCharacter = 0.36;

const expected = new WeakMap<TurnView, number>();

/** Estimates a turn's height from the length of its text. */
function expectHeight(turn: TurnView): number {
	const known = expected.get(turn);
	if (known !== undefined) {
		return known;
	}
	const characters = turn.messages.reduce((all, { text }) => all + text.length, turn.prompt.length);
	const height = bareTurnPixels + Math.ceil(characters * pixelsPerCharacter);
	expected.set(turn, height);
	return height;
}

/** Heights of a chat's turns: measured if they were rendered, otherwise estimated. */
export class TurnHeights {
	private readonly measured = new Map<string, number>();
	private width = 0;

	/** Returns the height of every turn, in CSS pixels. */
	of(turns: readonly TurnView[]): readonly number[] {
		const { measured } = this;
		// Nothing is measured in a chat that was just opened.
		if (measured.size === 0) {
			return turns.map(expectHeight);
		}
		const ratio = calibrate(turns, measured);
		return turns.map(turn => measured.get(turn.id) ?? Math.round(expectHeight(turn) * ratio));
	}

	/** Stores heights measured at `width` pixels. If the width has changed, scales all other heights. */
	measure(sizes: readonly TurnSize[], width: number): void {
		if (width !== this.width) {
			stretchAll(this.measured, sizes);
			this.width = width;
		}
		for (const { turnId, height } of sizes) {
			this.measured.set(turnId, height);
		}
	}

	/** Clears the heights after switching chats. */
	forget(): void {
		this.measured.clear();
	}
}

/** Returns the ratio of measured to estimated heights. */
function calibrate(turns: readonly TurnView[], measured: ReadonlyMap<string, number>): number {
	let [real, guessed] = [0, 0];
	for (const turn of turns) {
		const height = measured.get(turn.id);
		if (height !== undefined) {
			real += height;
			guessed += expectHeight(turn);
		}
	}
	return guessed === 0 ? 1 : real / guessed;
}

/** Scales the heights of turns that aren't rendered by the change of those that are. */
function stretchAll(measured: Map<string, number>, sizes: readonly TurnSize[]): void {
	const known = sizes.filter(({ turnId }) => measured.has(turnId));
	const before = known.reduce((all, { turnId }) => all + (measured.get(turnId) ?? 0), 0);
	const after = known.reduce((all, { height }) => all + height, 0);
	if (before > 0) {
		for (const [turnId, height] of measured) {
			measured.set(turnId, height * (after / before));
		}
	}
}
