import * as z from "zod/mini";

/** The colors of the editor's theme, as `rgb(…)`, for a diagram. */
export interface DiagramColors {
	readonly isDark: boolean;
	readonly background: string;
	readonly text: string;
	readonly surface: string;
	readonly line: string;
	readonly accent: string;
	readonly font: string;
}

/** Message of the page to the frame: draw this. */
export interface DrawRequest {
	readonly source: string;
	readonly colors: DiagramColors;
}

/** Messages of a frame. It runs what a model wrote, so nothing else is heard, and its numbers are held to what the page can show. */
export const frameReplySchema = z.discriminatedUnion("type", [
	/** The diagram has been drawn; how high it is at the width the frame has, in CSS pixels. */
	z.strictObject({ type: z.literal("drawn"), height: z.number() }),
	/** It cannot be drawn; the reason in the library's words, which may be none. */
	z.strictObject({ type: z.literal("failed"), reason: z.string().check(z.maxLength(2000)) }),
	/** It is of a kind that Mermaid draws and Cutaway leaves out; `esbuild.js` says which. */
	z.strictObject({ type: z.literal("left-out") }),
]);
/** A reply of the frame. */
export type FrameReply = z.infer<typeof frameReplySchema>;
