import * as l10n from "@vscode/l10n";
import type { TurnView } from "../../../src/shared/chat.ts";
import { withoutHidden } from "../../../src/common/hiddenText.ts";
import { textOfRange } from "./copyMath.ts";

/**
 * Copies a selection that spans messages that aren't rendered: these and fully selected ones as Markdown, and of partly selected ones the shown part.
 * The browser handles other selections.
 */
export function copyAcrossGaps(list: HTMLElement, turns: () => readonly TurnView[]): void {
	document.addEventListener(
		"copy",
		event => {
			const range = selectedRange(event.target);
			if (!range || !event.clipboardData || !spansGap(list, range)) {
				return;
			}
			event.clipboardData.setData("text/plain", textAcross(list, range, turns()));
			event.preventDefault();
			event.stopImmediatePropagation();
		},
		{ capture: true },
	);
}

/** Returns the selection in the page. A text field copies its own text. */
function selectedRange(target: EventTarget | null): Range | undefined {
	const isBox = target instanceof HTMLTextAreaElement || target instanceof HTMLInputElement;
	const selection = document.getSelection();
	return !isBox && selection?.isCollapsed === false ? selection.getRangeAt(0) : undefined;
}

function spansGap(list: HTMLElement, range: Range): boolean {
	return [...list.children].some(
		element => element.classList.contains("gap") && range.intersectsNode(element),
	);
}

function textAcross(list: HTMLElement, range: Range, turns: readonly TurnView[]): string {
	const numbers = new Map(turns.map(({ id }, index) => [id, index]));
	const numberOf = (element: Element | null): number | undefined =>
		element instanceof HTMLElement ? numbers.get(element.dataset["turn"] ?? "") : undefined;
	return [...list.children]
		.filter(element => range.intersectsNode(element))
		.flatMap(element => {
			const own = numberOf(element);
			const first = own ?? (numberOf(element.previousElementSibling) ?? -1) + 1;
			const end = own === undefined ? (numberOf(element.nextElementSibling) ?? first) : own + 1;
			return own === undefined || holds(range, element)
				? turns.slice(first, end).map(textOfTurn)
				: [textOfRange(within(range, element)).text.trim()];
		})
		.filter(text => text !== "")
		.join("\n\n");
}

function around(element: Element): Range {
	const range = document.createRange();
	range.selectNodeContents(element);
	return range;
}

/** Whether a range contains a whole element. */
function holds(range: Range, element: Element): boolean {
	const whole = around(element);
	return (
		range.compareBoundaryPoints(Range.START_TO_START, whole) <= 0 &&
		range.compareBoundaryPoints(Range.END_TO_END, whole) >= 0
	);
}

/** Returns the part of a range inside an element. */
function within(range: Range, element: Element): Range {
	const part = around(element);
	if (range.compareBoundaryPoints(Range.START_TO_START, part) > 0) {
		part.setStart(range.startContainer, range.startOffset);
	}
	if (range.compareBoundaryPoints(Range.END_TO_END, part) < 0) {
		part.setEnd(range.endContainer, range.endOffset);
	}
	return part;
}

/** Returns a turn as in an export of the chat, without its cards. */
function textOfTurn({ prompt, messages }: TurnView): string {
	const answers = messages.filter(
		({ role, text }) => role !== "tool" && role !== "function" && text.trim() !== "",
	);
	return [
		`## ${l10n.t("You")}`,
		prompt.trim(),
		...(answers.length > 0 ? [`## ${l10n.t("Assistant")}`] : []),
		...answers.map(({ text }) => withoutHidden(text).trim()),
	].join("\n\n");
}
