/**
 * Finished blocks: markdown-it's tokens made into elements, highlighting and formulas.
 * In: the Markdown of whole blocks.
 * Out: their elements.
 */
export type { Boundary, MarkdownEngine, References } from "./engine.ts";
export { FileLinks } from "./fileLinks.ts";
export { type FinishingDependencies, finishLater } from "./finishing.ts";
export { loadHighlighter } from "./highlight.ts";
export { loadMath } from "./loadMath.ts";
export { texOf } from "./math.ts";
export { renderBlocks } from "./renderBlocks.ts";
export { appendPiece, appendSection, estimateHeight, sectionCharacters } from "./sections.ts";
export { tableToCsv } from "./tableCsv.ts";
