/**
 * Diagrams in answers, drawn in a frame that may do nothing else.
 * In: the source of a diagram.
 * Out: a picture in the page. No script and no address of it gets out of the frame.
 */
export { toggleDiagram } from "./diagram.ts";
export type { DiagramColors, DrawRequest, FrameReply } from "./messages.ts";
