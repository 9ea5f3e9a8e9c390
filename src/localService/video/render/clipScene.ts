import { actionSeconds, leadSeconds } from "../../../clip/clipLength.ts";
import { type Palette, progressBetween } from "../layout/palette.ts";
import type { Sprite } from "./bitmap.ts";
import { groundOf } from "./ground.ts";
import { framesPerSecond, type Scene, type SceneTiming, type SceneTools } from "./scene.ts";
import { svgPicture, svgText } from "./svgText.ts";

/** What happens in a clip, apart from its ground. */
export interface ClipAct {
	/** What never moves: the window. */
	readonly still: readonly Sprite[];
	/** Whether words are on the ground itself. */
	readonly isText?: true;
	/** Whether the end goes line by line before the beginning comes; else the beginning is there at once. */
	readonly isCleared: boolean;
	/** Everything else as it is when a share of the action, 0 to 1, has passed. */
	at(share: number): readonly Sprite[];
}

/** Share of the lead in which the end goes. */
const clearing = 0.7;

/**
 * Makes a scene of an act: its first frame is its end, which a player shows before it plays; then the act begins, and its end rests.
 * The last frame is the first one, so that a clip that is played again has no seam.
 */
export function sceneOf(
	act: ClipAct,
	timing: Pick<SceneTiming, "duration">,
	palette: Palette,
	artist: SceneTools,
): Omit<Scene, "undrawn"> {
	const acting = actionSeconds(timing.duration);
	const still = [...act.still, ...signatureOf(palette, artist)];
	const end = act.at(1);
	const spritesAt = (seconds: number): readonly Sprite[] => {
		if (seconds < 0.5 / framesPerSecond) {
			return end;
		}
		if (seconds < leadSeconds && act.isCleared) {
			const gone = progressBetween(seconds, 0, leadSeconds * clearing) * end.length;
			return gone < end.length
				? end.map((sprite, index) => (gone > index ? { ...sprite, opacity: 0 } : sprite))
				: act.at(0);
		}
		return act.at(progressBetween(seconds, leadSeconds, leadSeconds + acting));
	};
	return {
		size: artist.stage,
		ground: groundOf(
			artist.stage,
			{ ground: palette.ground, ends: act.isText ? palette.calm : palette.vivid },
			artist.ground,
		),
		frameAt: seconds => ({ sprites: [...still, ...spritesAt(seconds)] }),
	};
}

const signatureSize = 13;

/** Small words in the corner, where the user's settings ask for them. */
function signatureOf(palette: Palette, artist: SceneTools): readonly Sprite[] {
	if (!artist.isSigned) {
		return [];
	}
	const [width, height] = [140, 20];
	const words = svgText({
		...{ text: "made with Cutaway", x: width, baseline: 15, size: signatureSize },
		...{ fill: palette.text, font: "sans", isRightAligned: true },
	});
	const { stage } = artist;
	const bitmap = artist.drawText(svgPicture(width, height, words));
	return [
		{ bitmap, x: stage.width - width - 14, y: stage.height - height - 6, scale: 1, opacity: 1 },
	];
}
