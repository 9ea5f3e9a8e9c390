import type { Backdrop } from "./backdropPainter.ts";
import type { CodeFonts } from "../fonts/index.ts";
import type { MachineFonts } from "./svgText.ts";
import type { Bitmap, Sprite } from "./bitmap.ts";
import type { FontMetrics, ClipStage, Palette } from "../layout/index.ts";

/** Size of a clip in pixels. */
export type FrameSize = Pick<ClipStage, "width" | "height">;

/** Frames of every second of a clip. */
export const framesPerSecond = 24;

/** One frame, from back to front. */
export interface FramePlan {
	readonly background: Backdrop;
	readonly sprites: readonly Sprite[];
}

/** A clip's course: what can be seen at each moment. */
export interface Scene {
	readonly size: FrameSize;
	/** `seconds` from the start; any moment may be asked for, in any order. */
	frameAt(seconds: number): FramePlan;
}

/** The means that scenes are drawn with. */
export interface SceneTools {
	/** Draws SVG with text in the bundled fonts, transparent where nothing is. */
	drawText(svg: string): Bitmap;
	readonly sans: FontMetrics;
	/** For letters that only fonts of the machine have; absent where all are in the bundled ones. */
	readonly fonts?: MachineFonts | undefined;
	/** The colors of a clip with this text. */
	paletteOf(text: string): Palette;
	/** The frame, and where on it things go. */
	readonly stage: ClipStage;
}

/** The means that scenes of code are drawn with. */
export interface CodeTools extends SceneTools {
	/** How wide a column is, by that of «0». */
	readonly mono: FontMetrics;
	readonly code: CodeFonts;
}

/** How long a clip is and how lively. */
export interface SceneTiming {
	/** Seconds, 1 to 4. Interface §4.1. */
	readonly duration: number;
	/** 1 is calm, 5 lively. Interface §4.1. */
	readonly motionStrength: number;
}
