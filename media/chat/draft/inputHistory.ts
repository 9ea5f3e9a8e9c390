import type { Draft } from "./draft.ts";

/** The questions asked before, to be had back in the composer with ↑ and ↓. */
export class InputHistory {
	private readonly draft: Pick<Draft, "text" | "set">;
	private readonly questions: () => readonly string[];
	/** Nothing while the draft is shown. */
	private shown: { readonly list: readonly string[]; readonly index: number } | undefined;
	private written = "";

	/** Makes the history over `questions`, the latest first; it is read again whenever someone begins to go back. */
	constructor(draft: Pick<Draft, "text" | "set">, questions: () => readonly string[]) {
		this.draft = draft;
		this.questions = questions;
	}

	/**
	 * Shows the question before (-1) the one shown, or the one after it (1), behind the last of which the draft comes back
	 * that was there. Goes back from the very start of the text only, and on from its start or end; says whether it moved.
	 */
	move(step: 1 | -1, cursor: number): boolean {
		const { draft } = this;
		if (this.shown && draft.text !== this.shown.list[this.shown.index]) {
			// A question that was changed is a draft of its own.
			this.shown = undefined;
		}
		const { shown } = this;
		const isAtStart = cursor === 0;
		if (step === -1) {
			return isAtStart && (shown ? this.show(shown.list, shown.index + 1) : this.goBack());
		}
		if (!shown || !(isAtStart || cursor === draft.text.length)) {
			return false;
		}
		if (shown.index > 0) {
			return this.show(shown.list, shown.index - 1);
		}
		this.shown = undefined;
		draft.set(this.written);
		return true;
	}

	/** Shows the latest question, and keeps the draft for the way forth. */
	private goBack(): boolean {
		const written = this.draft.text;
		this.written = written;
		return this.show(
			[...new Set(this.questions())].filter(question => question !== written),
			0,
		);
	}

	private show(list: readonly string[], index: number): boolean {
		const question = list[index];
		if (question === undefined) {
			return false;
		}
		this.shown = { list, index };
		this.draft.set(question);
		return true;
	}
}
