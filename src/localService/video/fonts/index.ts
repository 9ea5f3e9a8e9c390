/**
 * Fonts of the machine, for letters that those of Cutaway lack.
 * In: the letters.
 * Out: bytes of font files, how wide their letters are, and which of them draws what of a text.
 */
export { ClusterMetrics, type LetterCluster } from "./clusters.ts";
export { CodeFonts, type NamedFont } from "./codeFonts.ts";
export { findEditorFont } from "./editorFont.ts";
export { findFonts, type FoundFont, systemFontFolders } from "./findFonts.ts";
