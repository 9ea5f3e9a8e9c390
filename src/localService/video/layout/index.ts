/**
 * Where text goes on a clip: fonts, lines, pages, colors of code, steps of movement.
 * In: text and the size of a picture.
 * Out: places and colors; nothing here draws.
 */
export { type CodeRow, layOutScroll, layOutTokens, rowHeight, scrollStops } from "./codeLayout.ts";
export { type ChangeLayout, type ChangePage, layOutChange } from "./changeLayout.ts";
export {
	countUndrawn,
	drawableLine,
	drawableText,
	isRightToLeft,
	lettersWithout,
} from "./drawableText.ts";
export { easeInOut, easeOut, progressBetween } from "./easing.ts";
export {
	type FontMetrics,
	joinMetrics,
	readCharacterMap,
	readFontMetrics,
	readTables,
} from "./fontMetrics.ts";
export { fitPane, type ClipStage, stageOf } from "./stage.ts";
export { bandOpacity, hashOf, type Palette, paletteFor, paletteOf } from "./palette.ts";
export type { ChangeRow, PlacedToken, TokenMove } from "./tokenMoves.ts";
export {
	balanceText,
	breaksWords,
	breakWord,
	joinHardWraps,
	type WrappedLine,
	wrapText,
} from "./wrapText.ts";
