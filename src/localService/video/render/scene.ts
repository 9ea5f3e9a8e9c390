import type { ClipColors, ClipGround, ClipTypeSize } from "../../../common/clipLooks.ts";
import type { CodeFonts } from "../fonts/codeFonts.ts";
import type { ProseFonts } from "./proseFonts.ts";
import type { MachineFonts } from "./svgText.ts";
import type { Bitmap, Sprite } from "./bitmap.ts";
import type { FontMetrics } from "../layout/fontMetrics.ts";
import type { ClipStage } from "../layout/stage.ts";
import type { Palette } from "../layout/palette.ts";

export type FrameSize = Pick<ClipStage, "width" | "height">;

/** Pixels per unit of a stage. */
export const density = 2;

export const framesPerSecond = 24;

/** A frame: sprites in front of the background, from back to front. */
export interface FramePlan {
	readonly sprites: readonly Sprite[];
}

/** What a clip shows at each moment. */
export interface Scene {
	readonly size: FrameSize;
	/** Returns the background. It never changes and is drawn on first use. */
	ground(): Bitmap;
	/** The number of characters missing in all fonts. */
	readonly undrawn: number;
	/** Returns the frame at a time in seconds. Can be called in any order. */
	frameAt(seconds: number): FramePlan;
}

export interface SceneTools {
	/** Renders SVG with text to a transparent bitmap with `density` pixels per unit. */
	drawText(svg: string): Bitmap;
	readonly sans: FontMetrics;
	/** Fonts of this machine for letters missing in the bundled ones; undefined if not needed. */
	readonly fonts?: MachineFonts | undefined;
	paletteOf(text: string): Palette;
	readonly stage: ClipStage;
	readonly ground: ClipGround;
	readonly groundColor?: string | undefined;
	readonly typeSize: ClipTypeSize;
	/** Whether to draw a still picture, which is as high as its text needs. */
	readonly isStill: boolean;
	readonly isSigned: boolean;
}

export interface TextTools extends SceneTools {
	/** Metrics of the font of code. The width of `0` is that of a column. */
	readonly mono: FontMetrics;
}

export interface ProseTools extends TextTools {
	readonly prose: ProseFonts;
}

export interface CodeTools extends TextTools {
	readonly code: CodeFonts;
	/** Colors of the clip's code as in the editor. */
	readonly colors: ClipColors | undefined;
	/** The layout with space for numbers or signs before each row. */
	readonly markedStage: ClipStage;
	/** Whether to show line numbers if they are known. */
	readonly isNumbered: boolean;
}

/** Duration and motion of a clip. */
export interface SceneTiming {
	/** Seconds, 1 to 12. */
	readonly duration: number;
	/** 1 to 5, as described in docs/interface.md. */
	readonly motionStrength: number;
	/** Whether another scene of the same storyboard precedes it. */
	readonly isLater?: true | undefined;
}
