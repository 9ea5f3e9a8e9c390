/**
 * The elements an answer is made of, and what makes each of them safe: links, images, code blocks, tables.
 * In: text and attributes that nobody checked.
 * Out: DOM elements that cannot run anything.
 */
export {
	fullInlineCharacters,
	inlineParts,
	maxBlockLevel,
	maxColumns,
	maxDrawnFormulas,
	maxInlineCharacters,
	maxInlineDepth,
	maxInlineElements,
	maxOpenContainers,
	maxRowsOf,
	wholeCharacters,
} from "./bounds.ts";
export { codeIn, GrowingCodeBlock, infoOf, keepColors, replaceCode } from "./codeBlock.ts";
export {
	type AnswerElement,
	appendPart,
	appendText,
	type ColumnAlignment,
	createCell,
	createExtraCell,
	createElement,
	createImage,
	createLink,
	inertAddress,
	keepWhole,
} from "./elements.ts";
export { createFileLink, fileOf, type NamedLines, placeIn, placeInAddress } from "./fileLink.ts";
export { flanking } from "./flanking.ts";
export {
	expandIndentation,
	FencedLines,
	type Fence,
	indentOf,
	interruptsParagraph,
	isBlank,
	isDecided,
	isThematicBreak,
	type ListMarker,
	parseFence,
	parseListMarker,
} from "./lineShape.ts";
export {
	createDetails,
	createFootnote,
	createFootnoteMark,
	detailsStart,
	dunderLength,
	footnoteAt,
	footnoteIndent,
	type InlineTag,
	isDetailsEnd,
	mayBecomeDunder,
	mayBecomeTag,
	nameDetails,
	startAlert,
	summaryAt,
	tagAt,
} from "./moreMarkdown.ts";
export { decodeHTMLStrict } from "./entities.ts";
export { IdleQueue } from "./idle.ts";
export { keepSelection } from "./keptSelection.ts";
export { listWithRoom } from "./lists.ts";
export { foldLongCode, toggleFold, toggleWrap } from "./longCode.ts";
export { asShown, IncomingText } from "./normalize.ts";
export { appendPlainText, createPlainNote, createPlainText, showHiddenNote } from "./plainText.ts";
export { parseSafeLink } from "./safeLink.ts";
export { createTableFrame } from "./tableFrame.ts";
export { cellsOf, extraText, parseDelimiterRow } from "./tableText.ts";
export { startTaskItem } from "./taskItem.ts";
