/** The position of an end of a selection: the number of characters of an element before it. */
interface LetterOffset {
	readonly letters: number;
}

type SelectionEnd = LetterOffset | { readonly node: Node; readonly offset: number } | undefined;

/**
 * Changes an element and restores the selection inside it by character offset, because answers are rendered again while they are read. If the text
 * itself changes, leaves the selection to the browser.
 */
export function keepSelection(element: Element, change: () => void): void {
	const selection = document.getSelection();
	const {
		anchorNode = null,
		anchorOffset = 0,
		focusNode = null,
		focusOffset = 0,
	} = selection ?? {};
	const isHere = element.contains(anchorNode) || element.contains(focusNode);
	if (!selection || selection.isCollapsed || !isHere) {
		change();
		return;
	}
	const words = element.textContent;
	const ends = [endOf(element, anchorNode, anchorOffset), endOf(element, focusNode, focusOffset)];
	change();
	const lettersOf = (end: SelectionEnd): number =>
		end && "letters" in end ? end.letters : Infinity;
	const first = Math.min(...ends.map(lettersOf));
	const [anchor, focus] = ends.map(end =>
		end && "letters" in end ? find(element, end, end.letters === first) : end,
	);
	if (anchor && focus && element.textContent === words) {
		selection.setBaseAndExtent(anchor.node, anchor.offset, focus.node, focus.offset);
	}
}

function endOf(element: Element, node: Node | null, offset: number): SelectionEnd {
	if (!node || !element.contains(node)) {
		return node ? { node, offset } : undefined;
	}
	const range = document.createRange();
	range.setStart(element, 0);
	range.setEnd(node, offset);
	return { letters: range.toString().length };
}

/** Returns the text node at an offset. Between two nodes, chooses by whether it is the selection's start or end. */
function find(
	element: Element,
	{ letters }: LetterOffset,
	isFirst: boolean,
): Exclude<SelectionEnd, LetterOffset> {
	const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
	let rest = letters;
	for (let text = texts.nextNode(); text; text = texts.nextNode()) {
		const { length } = text.textContent ?? "";
		if (isFirst ? rest < length : rest <= length) {
			return { node: text, offset: rest };
		}
		rest -= length;
	}
	return undefined;
}
