/**
 * Fonts of the machine, for letters that those of Cutaway lack.
 * In: the letters.
 * Out: bytes of font files, and how wide their letters are.
 */
export { ClusterMetrics, type LetterCluster } from "./clusters.ts";
export { findFonts, systemFontFolders } from "./findFonts.ts";
