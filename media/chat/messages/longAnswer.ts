import * as l10n from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit";
import type { ScrollPin } from "../scroll/scrollPin.ts";
import type { ViewMemory } from "../base/viewMemory.ts";

/** Which long answers are collapsed. An answer collapses by a click alone, and stays so over reloads until another. */
export interface CollapsedAnswers {
	is(turnId: string, index: number): boolean;
	/** Collapsed parts of a turn, as a text to compare. */
	of(turnId: string): string;
	/** `button` is what was pressed. */
	toggle(turnId: string, index: number, button: HTMLElement): void;
}

/** An answer of more lines can be collapsed: several heights of a narrow side bar. */
const longLines = 60;

/** Characters of running text that count as a line. */
const lineCharacters = 70;

/** Of so many answers it is remembered that they are collapsed; the oldest are forgotten first. */
const maxRemembered = 200;

/** Whether an answer is long enough to be collapsed. Linear in its text, and stops as soon as it is. */
export function isLongAnswer(text: string): boolean {
	let lines = 0;
	for (let start = 0; start < text.length && lines <= longLines;) {
		const end = text.indexOf("\n", start);
		const stop = end === -1 ? text.length : end;
		lines += Math.max(1, Math.ceil((stop - start) / lineCharacters));
		start = stop + 1;
	}
	return lines > longLines;
}

/** Dependencies of collapsed answers. */
export interface CollapsedAnswersDependencies {
	readonly memory: ViewMemory;
	readonly scroller: HTMLElement;
	readonly pin: Pick<ScrollPin, "letGo">;
	/** Draws the messages again. */
	readonly onChange: () => void;
}

/** Makes what knows the collapsed answers, kept in the page's own memory. */
export function createCollapsedAnswers(
	dependencies: CollapsedAnswersDependencies,
): CollapsedAnswers {
	const { memory } = dependencies;
	const keyOf = (turnId: string, index: number): string => `${turnId} ${index}`;
	return {
		is: (turnId, index) => memory.current.collapsed.includes(keyOf(turnId, index)),
		of: turnId => memory.current.collapsed.filter(key => key.startsWith(`${turnId} `)).join(),
		toggle: (turnId, index, button) => {
			const key = keyOf(turnId, index);
			const others = memory.current.collapsed.filter(other => other !== key);
			const wasCollapsed = others.length < memory.current.collapsed.length;
			memory.update({ collapsed: wasCollapsed ? others : [...others, key].slice(-maxRemembered) });
			changeInPlace(dependencies, button, !wasCollapsed);
		},
	};
}

/** Draws the change. An answer that opens grows downwards; one that collapses has its button where it was on the screen. */
function changeInPlace(
	{ scroller, pin, onChange }: CollapsedAnswersDependencies,
	button: HTMLElement,
	isCollapsing: boolean,
): void {
	const before = button.getBoundingClientRect().top;
	// Following the end would take the reader away from what they look at.
	pin.letGo();
	// Meanwhile the browser, which has an anchor of its own, must not move the list as well.
	scroller.style.overflowAnchor = "none";
	onChange();
	if (isCollapsing) {
		scroller.scrollTop += button.getBoundingClientRect().top - before;
	}
	scroller.style.overflowAnchor = "";
}

/** How a long answer is shown. */
export interface LongAnswerView {
	readonly isCollapsed: boolean;
	readonly onToggle: (button: HTMLElement) => void;
}

/** An answer, or its beginning; with a view given, with the button that changes between them. */
export function renderCollapsible(
	text: HTMLElement,
	view: LongAnswerView | undefined,
): TemplateResult {
	return html`<div
			class=${view?.isCollapsed ? "long-answer collapsed" : "long-answer"}
			@focusin=${(event: FocusEvent) => openForFocus(event, view)}
		>
			${text}
		</div>
		${view ? renderToggle(view) : nothing}`;
}

function renderToggle({ isCollapsed, onToggle }: LongAnswerView): TemplateResult {
	const toggle = ({ currentTarget }: Event): void => {
		if (currentTarget instanceof HTMLElement) {
			onToggle(currentTarget);
		}
	};
	return html`<button
		type="button"
		class="long-toggle"
		aria-expanded=${isCollapsed ? "false" : "true"}
		@click=${toggle}
	>
		${isCollapsed ? l10n.t("Show more") : l10n.t("Collapse")}
	</button>`;
}

/** Whoever goes by keyboard to what is hidden wants to see it. */
function openForFocus({ currentTarget: frame, target }: FocusEvent, view?: LongAnswerView): void {
	if (!view?.isCollapsed || !(frame instanceof Element) || !(target instanceof Element)) {
		return;
	}
	const button = frame.nextElementSibling;
	const isHidden = target.getBoundingClientRect().bottom > frame.getBoundingClientRect().bottom;
	if (isHidden && button instanceof HTMLElement) {
		view.onToggle(button);
	}
}
