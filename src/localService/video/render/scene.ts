import type { ClipGround } from "../../../common/clipLooks.ts";
import type { CodeFonts } from "../fonts/codeFonts.ts";
import type { MachineFonts } from "./svgText.ts";
import type { Bitmap, Sprite } from "./bitmap.ts";
import type { FontMetrics } from "../layout/fontMetrics.ts";
import type { ClipStage } from "../layout/stage.ts";
import type { Palette } from "../layout/palette.ts";

/** Size of a clip. */
export type FrameSize = Pick<ClipStage, "width" | "height">;

/** Pixels of a frame for each unit of a stage. */
export const density = 2;

/** Frames of every second of a clip. */
export const framesPerSecond = 24;

/** One frame: what is before the ground, from back to front. */
export interface FramePlan {
	readonly sprites: readonly Sprite[];
}

/** A clip's course: what can be seen at each moment. */
export interface Scene {
	readonly size: FrameSize;
	/** What is behind everything, as large as a frame; it never changes, and is drawn when it is first asked for. */
	ground(): Bitmap;
	/** How many characters of the text no font has. */
	readonly undrawn: number;
	/** `seconds` from the start; any moment may be asked for, in any order. */
	frameAt(seconds: number): FramePlan;
}

/** The means that scenes are drawn with. */
export interface SceneTools {
	/** Draws SVG with text in the fonts at hand, transparent where nothing is, with `density` pixels for a unit. */
	drawText(svg: string): Bitmap;
	readonly sans: FontMetrics;
	/** For letters that only fonts of the machine have; absent where all are in the bundled ones. */
	readonly fonts?: MachineFonts | undefined;
	/** The colors of a clip with this text. */
	paletteOf(text: string): Palette;
	/** The frame, and where on it things go. */
	readonly stage: ClipStage;
	readonly ground: ClipGround;
	/** Whether a few words in the corner say what made the clip. */
	readonly isSigned: boolean;
}

/** The means that scenes of code are drawn with. */
export interface CodeTools extends SceneTools {
	/** How wide a column is, by that of «0». */
	readonly mono: FontMetrics;
	readonly code: CodeFonts;
	/** The frame with room for numbers or signs before each row. */
	readonly markedStage: ClipStage;
	/** Whether the numbers of lines are shown where they are known. */
	readonly isNumbered: boolean;
}

/** How long a clip is and how it moves. */
export interface SceneTiming {
	/** Seconds, 1 to 12. */
	readonly duration: number;
	/** 1 to 5; docs/interface.md says what each does. */
	readonly motionStrength: number;
}
