import { type Bitmap, downscaleTowards } from "./bitmap.ts";
import { easeInOut, hashOf, paletteOf } from "../layout/palette.ts";
import {
	density,
	type FramePlan,
	type FrameSize,
	type Scene,
	type SceneTiming,
	type SceneTools,
} from "./scene.ts";
import { groundOf } from "./ground.ts";

/** The greatest enlargement for filling the frame. A smaller image is placed on a background. */
const maxEnlargement = 2.5;

/** Creates a pan and zoom over an image, in a direction determined by its URL. */
export function createImageScene(
	image: Bitmap,
	source: string,
	timing: SceneTiming,
	artist: SceneTools,
): Omit<Scene, "undrawn"> {
	const { width, height } = artist.stage;
	const palette = paletteOf(source);
	const covers = Math.max(width / image.width, height / image.height) <= maxEnlargement;
	const placed = covers
		? createPan(image, source, timing, artist.stage)
		: createFloat(image, timing, artist.stage);
	return {
		size: artist.stage,
		// Images that are small or may be transparent need a background.
		ground: groundOf(artist.stage, { ground: palette.ground, ends: palette.calm }, "gradient"),
		frameAt: seconds => ({ sprites: [placed(easeInOut(seconds / timing.duration))] }),
	};
}

type Placement = (progress: number) => FramePlan["sprites"][number];

/** Covers the frame with the image and moves over the excess. The motion strength determines distance and zoom. */
function createPan(
	image: Bitmap,
	source: string,
	timing: SceneTiming,
	{ width, height }: FrameSize,
): Placement {
	const strength = timing.motionStrength;
	const hash = hashOf(source);
	const isZoomingOut = (hash & 1) === 1;
	const direction = { x: (hash & 2) === 0 ? 1 : -1, y: (hash & 4) === 0 ? 1 : -1 };
	const bitmap = downscaleTowards(image, width * density * 1.2);
	const cover = Math.max(width / bitmap.width, height / bitmap.height);
	const base = cover * (1.02 + 0.01 * strength);
	return progress => {
		const nearness = isZoomingOut ? 1 - progress : progress;
		const scale = base * (1 + 0.065 * strength * nearness);
		const spare = { x: bitmap.width * scale - width, y: bitmap.height * scale - height };
		const travel = (progress - 0.5) * (0.2 + 0.16 * strength);
		return {
			bitmap,
			x: -spare.x * (0.5 + travel * direction.x * 0.9),
			y: -spare.y * (0.5 + travel * direction.y * 0.9),
			scale,
			opacity: 1,
		};
	};
}

/** Centers a small image and zooms in, up to two and a half times its size. */
function createFloat(image: Bitmap, timing: SceneTiming, { width, height }: FrameSize): Placement {
	const strength = timing.motionStrength;
	const fitting = Math.min((width * 0.6) / image.width, (height * 0.6) / image.height);
	const base = Math.min(fitting, maxEnlargement);
	return progress => {
		const scale = base * (1 + 0.05 * strength * progress);
		const rise = (0.5 - progress) * 8 * strength;
		return {
			bitmap: image,
			x: (width - image.width * scale) / 2,
			y: (height - image.height * scale) / 2 + rise,
			scale,
			opacity: 1,
		};
	};
}
