import * as l10n from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit";
import type { ScrollPin } from "../scroll/scrollPin.ts";
import type { ViewMemory } from "../base/viewMemory.ts";

/** The collapsed long answers. Only a click collapses or expands an answer, also across reloads. */
export interface CollapsedAnswers {
	is(turnId: string, index: number): boolean;
	/** Returns the collapsed parts of a turn as text for comparing. */
	of(turnId: string): string;
	toggle(turnId: string, index: number, button: HTMLElement): void;
}

/** Lines from which an answer can be collapsed: several heights of a narrow side bar. */
const longLines = 60;

/** Characters of running text that count as a line. */
const lineCharacters = 70;

/** The most collapsed answers to remember; the oldest are dropped first. */
const maxRemembered = 200;

/** Whether an answer can be collapsed. Linear in its length, and stops as soon as it is known. */
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

export interface CollapsedAnswersDependencies {
	readonly memory: ViewMemory;
	readonly scroller: HTMLElement;
	readonly pin: Pick<ScrollPin, "letGo">;
	/** Renders the messages. */
	readonly onChange: () => void;
}

/** Creates access to the collapsed answers in the page's memory. */
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

/** Renders the change. An expanded answer grows downwards; a collapsed one keeps its button's position on the screen. */
function changeInPlace(
	{ scroller, pin, onChange }: CollapsedAnswersDependencies,
	button: HTMLElement,
	isCollapsing: boolean,
): void {
	const before = button.getBoundingClientRect().top;
	// Following the end would move the reader away.
	pin.letGo();
	// Otherwise the browser's scroll anchoring would move the list, too.
	scroller.style.overflowAnchor = "none";
	onChange();
	if (isCollapsing) {
		scroller.scrollTop += button.getBoundingClientRect().top - before;
	}
	scroller.style.overflowAnchor = "";
}

export interface LongAnswerView {
	readonly isCollapsed: boolean;
	readonly onToggle: (button: HTMLElement) => void;
}

/** Renders an answer, or its start; with `view`, also the button that toggles it. */
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

/** Expands an answer if the keyboard focus moves into its hidden part. */
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
