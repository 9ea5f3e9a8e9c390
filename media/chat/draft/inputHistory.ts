import type { Draft } from "./draft.ts";

/** Earlier messages, recalled in the composer with ↑ and ↓. */
export class InputHistory {
	private readonly draft: Pick<Draft, "text" | "set">;
	private readonly questions: () => readonly string[];
	private shown: { readonly list: readonly string[]; readonly index: number } | undefined;
	private written = "";

	/** `questions` returns the messages, the latest first. It is called again whenever the user starts to go back. */
	constructor(draft: Pick<Draft, "text" | "set">, questions: () => readonly string[]) {
		this.draft = draft;
		this.questions = questions;
	}

	/**
	 * Shows the message before (-1) or after (1) the current one. After the latest one, shows the draft again. Goes back only from the start of the
	 * text, and forward from its start or end. Returns whether it moved.
	 */
	move(step: 1 | -1, cursor: number): boolean {
		const { draft } = this;
		if (this.shown && draft.text !== this.shown.list[this.shown.index]) {
			// An edited message is a new draft.
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

	/** Shows the latest message and saves the draft. */
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
