/** An end of a selection: how many letters of an element are before it. */
interface LetterOffset {
	readonly letters: number;
}

type SelectionEnd = LetterOffset | { readonly node: Node; readonly offset: number } | undefined;

/**
 * Makes a change inside an element and puts back what was selected there, letter for letter: an answer is put in order while it is
 * read. Where the change is one of the words, the selection goes as the browser has it.
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

/** The text at a place; where two texts meet, the one that the selection begins in or ends in. */
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
