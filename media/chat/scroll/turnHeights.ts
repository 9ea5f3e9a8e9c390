import type { TurnView } from "../../../src/shared/chat.ts";

/** A turn as it was laid out, in CSS pixels. */
export interface TurnSize {
	readonly turnId: string;
	readonly height: number;
}

/** Heights of a question and an answer without their text, and each character of them, in CSS pixels in a narrow side bar. */
const bareTurnPixels = 110;
const pixelsPerCharacter = 0.36;

const expected = new WeakMap<TurnView, number>();

/** Height of a turn expected from the length of its text. */
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

/** How high the turns of a chat are: as measured once they were on the page, else as their text lets expect. */
export class TurnHeights {
	private readonly measured = new Map<string, number>();
	private width = 0;

	/** The height of every turn, in CSS pixels. */
	of(turns: readonly TurnView[]): readonly number[] {
		const { measured } = this;
		// A chat that was just opened has none that is measured, and is not searched for any.
		if (measured.size === 0) {
			return turns.map(expectHeight);
		}
		const ratio = calibrate(turns, measured);
		return turns.map(turn => measured.get(turn.id) ?? Math.round(expectHeight(turn) * ratio));
	}

	/** Turns were laid out `width` pixels wide; when that is another width, all other heights change in proportion. */
	measure(sizes: readonly TurnSize[], width: number): void {
		if (width !== this.width) {
			stretchAll(this.measured, sizes);
			this.width = width;
		}
		for (const { turnId, height } of sizes) {
			this.measured.set(turnId, height);
		}
	}

	/** Another chat is shown. */
	forget(): void {
		this.measured.clear();
	}
}

/** How many times higher turns are than expected, by those that were measured. */
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

/** Of turns that are not on the page, the new height is what became of those that are. */
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
