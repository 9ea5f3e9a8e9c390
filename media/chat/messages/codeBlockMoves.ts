import * as l10n from "@vscode/l10n";
import type { TurnView } from "../../../src/shared/chat.ts";

/** Where to go from the code block that has the focus. */
export type BlockStep = "next" | "previous";

/** Whether an element is below another one in the document. */
function isAfter(element: Element, other: Element): boolean {
	return (other.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
}

/** The block to go to: seen from the one with the focus, else from what the reader looks at. */
function findBlock(
	scroller: HTMLElement,
	blocks: readonly HTMLElement[],
	step: BlockStep,
): HTMLElement | undefined {
	const focused = document.activeElement;
	const from = focused && scroller.contains(focused) && focused !== scroller ? focused : undefined;
	const current = from && blocks.find(block => block.contains(from));
	const { top, bottom } = scroller.getBoundingClientRect();
	const isBelow = (block: HTMLElement): boolean =>
		from ? isAfter(block, from) && block !== current : block.getBoundingClientRect().top >= top;
	const isAbove = (block: HTMLElement): boolean =>
		from
			? isAfter(from, block) && block !== current
			: block.getBoundingClientRect().bottom <= bottom;
	return step === "next" ? blocks.find(isBelow) : blocks.findLast(isAbove);
}

/** Element that takes the focus of a block: its code, or where that is hidden behind a diagram, the button that shows it again. */
function focusTarget(block: HTMLElement): HTMLElement | null {
	const code = block.querySelector("pre");
	return code?.checkVisibility() ? code : block.querySelector("button");
}

/** Dependencies of the moves between code blocks. */
export interface CodeBlockMoveDependencies {
	readonly scroller: HTMLElement;
	/** All turns of the chat, on the page or not. */
	readonly turns: () => readonly TurnView[];
	/** Puts a turn onto the page and goes there. */
	readonly show: (turnId: string) => void;
}

/**
 * Gives the focus to the next or the previous code block of the chat and brings its head into sight; at the last one there is
 * nowhere to go. Returns whether it went anywhere.
 */
export function moveToCodeBlock(dependencies: CodeBlockMoveDependencies, step: BlockStep): boolean {
	const { scroller } = dependencies;
	const passed = new Set<string>();
	for (;;) {
		const blocks = blocksIn(scroller);
		const block = findBlock(scroller, blocks, step);
		const away = turnOnTheWay(dependencies, step, block, passed);
		if (away === undefined) {
			return block !== undefined && focusBlock(scroller, block);
		}
		passed.add(away);
		dependencies.show(away);
		const inside = blocksIn(turnsOnPage(scroller).get(away));
		const found = step === "next" ? inside[0] : inside.at(-1);
		if (found) {
			return focusBlock(scroller, found);
		}
	}
}

function blocksIn(element: HTMLElement | undefined): HTMLElement[] {
	return [...(element?.querySelectorAll<HTMLElement>(".markdown .code-block") ?? [])];
}

function turnsOnPage(scroller: HTMLElement): Map<string, HTMLElement> {
	const elements = [...scroller.querySelectorAll<HTMLElement>(".turn")];
	return new Map(elements.map(element => [element.dataset["turn"] ?? "", element]));
}

/** Text that code can begin with in Markdown. A turn without any of it has none; one with it may have none anyway. */
const codeMark = /```|~~~|^(?: {4}|\t)/m;

/** The first turn with code that is not on the page and is before the block found there, or before the end. */
function turnOnTheWay(
	{ scroller, turns }: CodeBlockMoveDependencies,
	step: BlockStep,
	block: HTMLElement | undefined,
	passed: ReadonlySet<string>,
): string | undefined {
	const all = step === "next" ? turns() : turns().toReversed();
	const onPage = turnsOnPage(scroller);
	const indexOf = (element: Element | null | undefined): number =>
		all.findIndex(({ id }) => element !== undefined && onPage.get(id) === element);
	const from = indexOf(turnInSight(scroller, [...onPage.values()], step));
	const to = indexOf(block?.closest(".turn"));
	return all
		.slice(from + 1, to === -1 ? undefined : to)
		.find(
			({ id, messages }) =>
				!onPage.has(id) && !passed.has(id) && messages.some(({ text }) => codeMark.test(text)),
		)?.id;
}

/** The turn with the focus, or else the one that the reader looks at. */
function turnInSight(
	scroller: HTMLElement,
	elements: readonly HTMLElement[],
	step: BlockStep,
): Element | undefined {
	const focused = elements.find(element => element.contains(document.activeElement));
	const { top, bottom } = scroller.getBoundingClientRect();
	return (
		focused ??
		(step === "next"
			? elements.find(element => element.getBoundingClientRect().bottom > top)
			: elements.findLast(element => element.getBoundingClientRect().top < bottom))
	);
}

function focusBlock(scroller: HTMLElement, block: HTMLElement): boolean {
	const target = focusTarget(block);
	if (!target) {
		return false;
	}
	// How many there are in the whole chat is not known: most of a long one is not on the page.
	const blocks = blocksIn(block.closest<HTMLElement>(".turn") ?? scroller);
	const number = blocks.indexOf(block) + 1;
	block.setAttribute("role", "group");
	block.ariaLabel = l10n.t("Code block {0} of {1} in this answer", number, blocks.length);
	target.focus({ preventScroll: true });
	const isHigh = block.getBoundingClientRect().height > scroller.clientHeight;
	block.scrollIntoView({ block: isHigh ? "start" : "nearest" });
	return true;
}
