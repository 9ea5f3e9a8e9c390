import * as z from "zod/mini";

/** The editor's theme colors for a diagram, as `rgb(…)`. */
export interface DiagramColors {
	readonly isDark: boolean;
	readonly background: string;
	readonly text: string;
	readonly surface: string;
	readonly line: string;
	readonly accent: string;
	readonly font: string;
}

export interface DrawRequest {
	readonly source: string;
	readonly colors: DiagramColors;
}

/** Messages of a frame. It runs code written by a model, so other messages are rejected, and its numbers are limited by the page. */
export const frameReplySchema = z.discriminatedUnion("type", [
	/** The diagram is drawn, with its height at the frame's width, in CSS pixels. */
	z.strictObject({ type: z.literal("drawn"), height: z.number() }),
	/** Drawing failed. `reason` is the library's message and may be empty. */
	z.strictObject({ type: z.literal("failed"), reason: z.string().check(z.maxLength(2000)) }),
	/** The kind of diagram is supported by Mermaid but not bundled; see `esbuild.js`. */
	z.strictObject({ type: z.literal("left-out") }),
]);
export type FrameReply = z.infer<typeof frameReplySchema>;
