/**
 * Cuts a clip that a server made longer than asked, in a thread of its own.
 * In: a file and the seconds it should have.
 * Out: the file, shorter where it could be without encoding it again; otherwise why not.
 */
export { clipKind } from "./clipKind.ts";
export { createThreadTrim, type TrimClip } from "./trimThread.ts";
