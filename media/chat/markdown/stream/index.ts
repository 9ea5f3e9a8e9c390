/**
 * A block that still grows: a small writer of CommonMark that adds to what is there and never draws a character twice.
 * In: text as it comes.
 * Out: elements that are nearly those of the finished block.
 */
export { LiveText, type RenderingDependencies } from "./liveText.ts";
