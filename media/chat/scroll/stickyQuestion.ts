import * as l10n from "@vscode/l10n";

/** The bottom edges of a turn and its question, in CSS pixels from the top of the visible area. */
export interface TurnEnds {
	readonly turnId: string;
	readonly question: number;
	readonly turn: number;
}

/**
 * Returns the turn whose answer is at the top of the visible area, below a bar of `height`, while its question is out of view. `turns` are in order.
 */
export function questionAbove(turns: Iterable<TurnEnds>, height: number): string | undefined {
	for (const { turnId, question, turn } of turns) {
		if (turn > height) {
			return question <= 0 ? turnId : undefined;
		}
	}
	return undefined;
}

/** Height of the bar in CSS pixels, as in stickyQuestion.css. */
const barHeight = 28;

/** The lowest conversation that the bar may cover, in CSS pixels. */
const minHeight = 5 * barHeight;

/** The longest text in the bar, in UTF-16 code units; one line shows less. */
const maxWords = 500;

export interface StickyQuestionDependencies {
	readonly scroller: HTMLElement;
	/** The element that contains the turns. */
	readonly list: HTMLElement;
	readonly onGo: (turnId: string) => void;
}

/** A line at the top, over the conversation, with the question of the visible answer. A click scrolls to it. */
export class StickyQuestion {
	readonly element = document.createElement("div");
	private readonly dependencies: StickyQuestionDependencies;
	private readonly button = document.createElement("button");
	private shown: string | undefined;

	/** Updates the bar on scrolling and resizing. */
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
		// The layout is up to date at both times, so measuring causes none.
		scroller.addEventListener("scroll", () => this.update(), { passive: true });
		const observer = new ResizeObserver(() => this.update());
		observer.observe(scroller);
		observer.observe(list);
	}

	private update(): void {
		const { element, button } = this;
		// An approval request must be fully visible.
		const isAsking = this.dependencies.list.querySelector(".tool-asking") !== null;
		const hasRoom = this.dependencies.scroller.clientHeight >= minHeight && !isAsking;
		const turnId = hasRoom ? questionAbove(this.ends(), barHeight) : undefined;
		if (turnId === undefined) {
			// Keeps the focus in the conversation when the bar disappears.
			if (element.contains(document.activeElement)) {
				this.dependencies.scroller.focus({ preventScroll: true });
			}
			element.hidden = true;
		} else if (turnId !== this.shown || element.hidden) {
			const words = this.questionLine(turnId);
			// Rendered by CSS, so that searching, selecting and copying find only the question itself.
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

	/** Returns the rendered question in one line. */
	private questionLine(turnId: string): string {
		const turn = [...this.dependencies.list.children].find(
			element => element instanceof HTMLElement && element.dataset["turn"] === turnId,
		);
		const words = turn?.querySelector(".prompt")?.textContent ?? "";
		return words.slice(0, maxWords).replaceAll(/\s+/g, " ").trim();
	}
}
