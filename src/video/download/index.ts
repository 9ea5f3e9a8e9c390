/**
 * The way of a finished clip to its file: address, download, check, name.
 * In: a job that is complete.
 * Out: a file in its place, or the reason why there is none.
 */
export type { Resolve } from "./clipAddress.ts";
export { ClipFetcher } from "./clipFetcher.ts";
export { discardPart, discardParts, findNamed, nameClip, preparePart } from "./clipFile.ts";
export { clipBaseName } from "./videoFileName.ts";
