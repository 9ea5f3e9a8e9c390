import { actionSeconds, leadSeconds } from "../../../clip/clipLength.ts";
import { readableOn } from "../../../common/color.ts";
import { leastContrast, type Palette, progressBetween } from "../layout/palette.ts";
import type { Sprite } from "./bitmap.ts";
import { groundOf } from "./ground.ts";
import { framesPerSecond, type Scene, type SceneTiming, type SceneTools } from "./scene.ts";
import { svgPicture, svgText } from "./svgText.ts";

/** The animated content of a clip, without its background. */
export interface ClipAct {
	/** Sprites that never move, such as the window. */
	readonly still: readonly Sprite[];
	/** Whether text is directly on the background. */
	readonly isText?: true;
	/** Whether the final state is cleared line by line before the start. Otherwise the start appears at once. */
	readonly isCleared: boolean;
	/** Returns the whole content with its window, small enough for the frame, as the clip's start shows it; absent if the final state is whole. */
	readonly overview?: (() => readonly Sprite[]) | undefined;
	/** Returns the other sprites at a share of the action, 0 to 1. */
	at(share: number): readonly Sprite[];
}

/**
 * Returns a function that rounds the opacity of what appears within a share of the action. Three levels look as smooth as many
 * and are cheaper to encode. What appears within three frames has one level, because nobody would see more.
 */
export function appearance(
	share: number,
	{ duration }: Pick<SceneTiming, "duration">,
): (come: number) => number {
	const frames = share * actionSeconds(duration) * framesPerSecond;
	const levels = frames < 3.5 ? 1 : 3;
	return come => Math.ceil(come * levels - 0.2) / levels;
}

/** Share of the lead time for clearing the final state. */
const clearing = 0.7;

/**
 * Creates a scene of an act. The first frame shows the final state, because players display it before playing; only a storyboard's later scenes begin
 * at once. Then the act runs and its final state stays, so that a clip played in a loop has no seam.
 */
export function sceneOf(
	act: ClipAct,
	timing: Pick<SceneTiming, "duration" | "isLater">,
	palette: Palette,
	artist: SceneTools,
): Omit<Scene, "undrawn"> {
	const acting = actionSeconds(timing.duration);
	const lead = timing.isLater ? 0 : leadSeconds;
	const ends = act.isText ? palette.calm : palette.vivid;
	const behind = artist.ground === "solid" ? [palette.ground] : ends;
	const signature = signatureOf(behind, palette, artist);
	const still = [...act.still, ...signature];
	const end = act.at(1);
	let overview: readonly Sprite[] | undefined;
	const spritesAt = (seconds: number): readonly Sprite[] => {
		if (lead > 0 && seconds < 0.5 / framesPerSecond) {
			return end;
		}
		if (seconds < lead && act.isCleared) {
			const gone = progressBetween(seconds, 0, lead * clearing) * end.length;
			return gone < end.length
				? end.map((sprite, index) => (gone > index ? { ...sprite, opacity: 0 } : sprite))
				: act.at(0);
		}
		return act.at(progressBetween(seconds, lead, lead + acting));
	};
	return {
		size: artist.stage,
		ground: groundOf(artist.stage, { ground: palette.ground, ends }, artist.ground),
		frameAt: seconds => {
			if (act.overview && seconds < lead) {
				overview ??= [...act.overview(), ...signature];
				return { sprites: overview };
			}
			return { sprites: [...still, ...spritesAt(seconds)] };
		},
	};
}

const signatureSize = 13;

/** Draws the small note in the corner if the user enabled it. */
function signatureOf(
	grounds: readonly string[],
	palette: Palette,
	artist: SceneTools,
): readonly Sprite[] {
	if (!artist.isSigned) {
		return [];
	}
	const [width, height] = [140, 20];
	const words = svgText({
		text: "made with Cutaway",
		x: width,
		baseline: 15,
		size: signatureSize,
		fill: readableOn(palette.text, grounds, leastContrast),
		font: "sans",
		isRightAligned: true,
	});
	const { stage } = artist;
	const bitmap = artist.drawText(svgPicture(width, height, words));
	return [
		{ bitmap, x: stage.width - width - 14, y: stage.height - height - 6, scale: 1, opacity: 1 },
	];
}
