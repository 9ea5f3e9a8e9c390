import * as l10n from "@vscode/l10n";
import type { TurnView } from "../../../src/shared/chat.ts";

/** Direction from the focused code block. */
export type BlockStep = "next" | "previous";

/** Whether an element is after another one in the document. */
function isAfter(element: Element, other: Element): boolean {
	return (other.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
}

/** Returns the block to go to, starting at the focused one or else at the visible part. */
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

/** Returns the element to focus: a block's code, or the button that shows it if a diagram is shown instead. */
function focusTarget(block: HTMLElement): HTMLElement | null {
	const code = block.querySelector("pre");
	return code?.checkVisibility() ? code : block.querySelector("button");
}

export interface CodeBlockMoveDependencies {
	readonly scroller: HTMLElement;
	/** All turns of the chat, rendered or not. */
	readonly turns: () => readonly TurnView[];
	/** Renders a turn and scrolls to it. */
	readonly show: (turnId: string) => void;
}

/** Focuses the next or previous code block of the chat and scrolls to its header. Returns false if there is none. */
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

/** Text that may start code in Markdown. A turn without it has no code; one with it may have none, either. */
const codeMark = /```|~~~|^(?: {4}|\t)/m;

/** Returns the first turn with code that isn't rendered and is before the found block, or before the end. */
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

/** Returns the focused turn, or else the visible one. */
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
	// The number in the whole chat is unknown, because most of a long chat isn't rendered.
	const blocks = blocksIn(block.closest<HTMLElement>(".turn") ?? scroller);
	const number = blocks.indexOf(block) + 1;
	block.setAttribute("role", "group");
	block.ariaLabel = l10n.t("Code block {0} of {1} in this answer", number, blocks.length);
	target.focus({ preventScroll: true });
	const isHigh = block.getBoundingClientRect().height > scroller.clientHeight;
	block.scrollIntoView({ block: isHigh ? "start" : "nearest" });
	return true;
}
