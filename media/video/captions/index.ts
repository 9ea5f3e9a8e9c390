/**
 * The words of a clip over its pictures.
 * In: the words of its parts, and its length.
 * Out: cues, and the text track of a player that shows them.
 */
export { type CaptionCue, captionCues, graphemesOf } from "./captionCues.ts";
export { CaptionTrack } from "./captionTrack.ts";
