import * as l10n from "@vscode/l10n";

/** Where a turn and its question end, in CSS pixels from the top of what can be seen. */
export interface TurnEnds {
	readonly turnId: string;
	readonly question: number;
	readonly turn: number;
}

/** The turn whose answer is at the top of what can be seen, below a bar of `height`, while its question is out of sight; the turns are from top to bottom. */
export function questionAbove(turns: Iterable<TurnEnds>, height: number): string | undefined {
	for (const { turnId, question, turn } of turns) {
		if (turn > height) {
			return question <= 0 ? turnId : undefined;
		}
	}
	return undefined;
}

/** Height of the bar in CSS pixels, as stickyQuestion.css has it. */
const barHeight = 28;

/** How much of a question is in the bar, in UTF-16 code units; one line shows less. */
const maxWords = 500;

/** Dependencies of the bar. */
export interface StickyQuestionDependencies {
	readonly scroller: HTMLElement;
	/** Element that holds the turns. */
	readonly list: HTMLElement;
	readonly onGo: (turnId: string) => void;
}

/** One line at the top edge, over the conversation, with the question of the answer that is read; a click leads to it. It moves nothing. */
export class StickyQuestion {
	readonly element = document.createElement("div");
	private readonly dependencies: StickyQuestionDependencies;
	private readonly button = document.createElement("button");
	private shown: string | undefined;

	/** Makes the bar, which follows what is scrolled and what changes its size. */
	constructor(dependencies: StickyQuestionDependencies) {
		this.dependencies = dependencies;
		const { scroller, list, onGo } = dependencies;
		const { element, button } = this;
		element.className = "sticky-question";
		element.hidden = true;
		button.type = "button";
		button.addEventListener("click", () => {
			if (this.shown !== undefined) {
				onGo(this.shown);
			}
		});
		element.append(button);
		// At both moments everything is laid out anyway, so that looking costs no layout.
		scroller.addEventListener("scroll", () => this.update(), { passive: true });
		const observer = new ResizeObserver(() => this.update());
		observer.observe(scroller);
		observer.observe(list);
	}

	private update(): void {
		const { element, button } = this;
		const turnId = questionAbove(this.ends(), barHeight);
		if (turnId === undefined) {
			// The focus stays at the top of the conversation and not on what is gone.
			if (element.contains(document.activeElement)) {
				this.dependencies.scroller.focus({ preventScroll: true });
			}
			element.hidden = true;
		} else if (turnId !== this.shown || element.hidden) {
			const words = this.wordsOf(turnId);
			// Drawn by the style: what is searched, selected or copied is the question itself alone.
			button.dataset["words"] = words;
			button.title = words;
			button.ariaLabel = l10n.t("Go to your message: {0}", words);
			element.hidden = words === "";
		}
		this.shown = turnId;
	}

	private *ends(): Generator<TurnEnds> {
		const { scroller, list } = this.dependencies;
		const { top } = scroller.getBoundingClientRect();
		for (const turn of list.children) {
			const turnId = turn instanceof HTMLElement ? turn.dataset["turn"] : undefined;
			const question = turn.querySelector(":scope > .question");
			if (turnId !== undefined && question) {
				yield {
					turnId,
					question: question.getBoundingClientRect().bottom - top,
					turn: turn.getBoundingClientRect().bottom - top,
				};
			}
		}
	}

	/** The question as it is on the page, in one line. */
	private wordsOf(turnId: string): string {
		const turn = [...this.dependencies.list.children].find(
			element => element instanceof HTMLElement && element.dataset["turn"] === turnId,
		);
		const words = turn?.querySelector(".prompt")?.textContent ?? "";
		return words.slice(0, maxWords).replaceAll(/\s+/g, " ").trim();
	}
}
