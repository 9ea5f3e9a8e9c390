/**
 * Where a block of code from an answer belongs in a file.
 * In: the text of the file, the block, and what the editor knows of the file.
 * Out: the hunks that put it there, or that its place is not clear. Nothing is read or changed here.
 */
export { placeAt, placeCode, type CodePlacement } from "./placeCode.ts";
export { changedRuns } from "./lineChanges.ts";
