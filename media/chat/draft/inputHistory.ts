import type { Draft } from "./draft.ts";

/** The questions asked before, to be had back in the composer with ↑ and ↓. */
export interface InputHistory {
	/**
	 * Shows the question before (-1) the one shown, or the one after it (1), behind the last of which the draft comes back
	 * that was there. Goes back from the very start of the text only, and on from its start or end; says whether it moved.
	 */
	move(step: 1 | -1, cursor: number): boolean;
}

/** Makes the history over `questions`, the latest first; it is read again whenever someone begins to go back. */
export function createInputHistory(
	draft: Pick<Draft, "text" | "set">,
	questions: () => readonly string[],
): InputHistory {
	/** Nothing while the draft is shown. */
	let shown: { readonly list: readonly string[]; readonly index: number } | undefined;
	let written = "";
	const show = (list: readonly string[], index: number): boolean => {
		const question = list[index];
		if (question === undefined) {
			return false;
		}
		shown = { list, index };
		draft.set(question);
		return true;
	};
	return {
		move: (step, cursor) => {
			if (shown && draft.text !== shown.list[shown.index]) {
				// A question that was changed is a draft of its own.
				shown = undefined;
			}
			const isAtStart = cursor === 0;
			if (step === -1) {
				if (!isAtStart) {
					return false;
				}
				if (shown) {
					return show(shown.list, shown.index + 1);
				}
				written = draft.text;
				const list = [...new Set(questions())].filter(question => question !== written);
				return show(list, 0);
			}
			if (!shown || !(isAtStart || cursor === draft.text.length)) {
				return false;
			}
			if (shown.index > 0) {
				return show(shown.list, shown.index - 1);
			}
			shown = undefined;
			draft.set(written);
			return true;
		},
	};
}
