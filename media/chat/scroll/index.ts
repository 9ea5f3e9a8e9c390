/**
 * Where the reader is: the pin at the end, the window of turns that are drawn, their heights.
 * In: scrolling and growing content.
 * Out: which turns are drawn; what is read stays where it is.
 */
export { ListWindow } from "./listWindow.ts";
export type { ReadingPosition } from "./placeInTurn.ts";
export { highlightTurn, turnElement } from "./turnElement.ts";
export { ScrollPin } from "./scrollPin.ts";
export type { WindowPiece } from "./turnWindow.ts";
