import type { ViewMemory } from "../base/viewMemory.ts";
import type { Draft } from "./draft.ts";

/** Earlier messages, recalled in the composer with ↑ and ↓. A draft that they replaced is the latest one until it is back in the composer. */
export class InputHistory {
	private readonly draft: Pick<Draft, "text" | "set">;
	private readonly memory: Pick<ViewMemory, "current" | "update">;
	private readonly questions: () => readonly string[];
	private shown: { readonly list: readonly string[]; readonly index: number } | undefined;
	private written = "";
	/** Drafts that may be replaced: the current one before an earlier one. */
	private unsent: readonly string[] = [];

	/** `questions` returns the messages, the latest first. It is called again whenever the user starts to go back. */
	constructor(
		draft: Pick<Draft, "text" | "set">,
		memory: InputHistory["memory"],
		questions: () => readonly string[],
	) {
		this.draft = draft;
		this.memory = memory;
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
		this.replace(this.written);
		return true;
	}

	private goBack(): boolean {
		const written = this.draft.text;
		const asked = new Set(this.questions());
		this.written = written;
		this.unsent = [written, this.memory.current.unsent].filter(
			text => text.trim() !== "" && !asked.has(text),
		);
		const all = new Set([...this.unsent, ...asked]);
		return this.show(
			[...all].filter(question => question !== written),
			0,
		);
	}

	private show(list: readonly string[], index: number): boolean {
		const question = list[index];
		if (question === undefined) {
			return false;
		}
		this.shown = { list, index };
		this.replace(question);
		return true;
	}

	/** Replaces the text and saves the draft that this takes from the composer, also for a page that replaces this one. */
	private replace(text: string): void {
		this.memory.update({ unsent: this.unsent.find(each => each !== text) ?? "" });
		this.draft.set(text);
	}
}
