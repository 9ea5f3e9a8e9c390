/**
 * Files to share, made of the clip that a preview shows.
 * In: what the host wants of the clip.
 * Out: the parts of the file, or why there is none.
 */
export { exportClip, runExport } from "./runExport.ts";
