import * as l10n from "@vscode/l10n";
import type { TurnView } from "../../../src/shared/chat.ts";
import { withoutHidden } from "../../../src/common/hiddenText.ts";
import { textOfRange } from "./copyMath.ts";

/**
 * Copies a selection that spans messages which are not on the page: all of them are copied as Markdown, as are those that are selected
 * from end to end; of one that is selected in part, that part as it is shown. Any other selection is left to the browser.
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

/** Returns the selection on the page; a text box copies its own text. */
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

/** Whether nothing of an element is left out of a range. */
function holds(range: Range, element: Element): boolean {
	const whole = around(element);
	return (
		range.compareBoundaryPoints(Range.START_TO_START, whole) <= 0 &&
		range.compareBoundaryPoints(Range.END_TO_END, whole) >= 0
	);
}

/** The part of a range that is inside an element. */
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

/** A turn as an export of the chat writes it, without what is on its cards. */
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
