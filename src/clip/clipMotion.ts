import { readPrompt } from "./promptContent.ts";

/** A motion of the local renderer. docs/interface.md. */
export type ClipMotion = "calm" | "focus" | "change" | "typed";

/** A motion with the strength that selects it, and others with the same effect. */
export interface MotionChoice {
	readonly motion: ClipMotion;
	readonly strength: number;
	readonly others: readonly number[];
}

const typed: MotionChoice = { motion: "typed", strength: 5, others: [] };

/** Returns the local renderer's motions for a text, calmest first; none if there is only one. docs/interface.md. */
export function motionsFor(prompt: string): readonly MotionChoice[] {
	const content = readPrompt(prompt);
	const calm = (...others: number[]): MotionChoice => ({ motion: "calm", strength: 2, others });
	switch (content.type) {
		case "prose":
			return [calm(1, 3, 4), typed];
		case "terminal":
			return [];
		case "change":
			return [calm(1), { motion: "change", strength: 4, others: [3] }, typed];
		case "code":
			return content.lit
				? [calm(1, 4), { motion: "focus", strength: 3, others: [] }, typed]
				: [calm(1, 3, 4), typed];
	}
}

/** Returns the motion of a strength; undefined if the text has only one. */
export function motionOf(prompt: string, wanted: number): ClipMotion | undefined {
	return motionsFor(prompt).find(
		({ strength, others }) => strength === wanted || others.includes(wanted),
	)?.motion;
}
