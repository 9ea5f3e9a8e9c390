/** Shapes of the clips that the local renderer draws, as width to height. */
export const clipShapes = ["16:9", "1:1", "9:16"] as const;
export type FrameShape = (typeof clipShapes)[number];

/** How the clips of the local renderer look, as far as the editor and its user say so. No other service gets it. */
export interface ClipLooks {
	readonly shape: FrameShape;
	/** Columns from one tab stop to the next, 1 to 16. */
	readonly tabSize: number;
}

/** The looks of a clip for which none are known. */
export const plainLooks: ClipLooks = { shape: "16:9", tabSize: 4 };
