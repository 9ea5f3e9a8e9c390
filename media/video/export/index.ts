/**
 * Files to share, made of the clip that a preview shows.
 * In: the address of a clip, and what to make of it.
 * Out: the bytes of the file.
 */
export { exportClip } from "./exportClip.ts";
export { ExportFailure } from "./exportFailure.ts";
