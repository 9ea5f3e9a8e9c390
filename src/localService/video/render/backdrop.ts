import type { Palette } from "../layout/index.ts";
import type { Backdrop, Rgb } from "./backdropPainter.ts";
import type { FrameSize, SceneTiming } from "./scene.ts";

/** Radii of the lights; the first is the largest and is furthest back. */
const radii = [430, 360, 320, 260] as const;

/** Soft lights look as smooth at fewer frames of a second, and every frame between them costs next to nothing. */
const movesPerSecond = { calm: 8, lively: 12 } as const;
/** From this motion on, lights go so far in one move that more moves are needed. */
const livelyFrom = 4;

/** The moving background: lights that wander, further and faster the stronger the motion. */
export function backdropAt(
	palette: Palette,
	timing: SceneTiming,
	{ width, height }: FrameSize,
	seconds: number,
): Backdrop {
	// A moment that is a whole number of moves may come out a little below it.
	const moves = timing.motionStrength < livelyFrom ? movesPerSecond.calm : movesPerSecond.lively;
	const moment = Math.floor(seconds * moves + 1e-6) / moves;
	const lights = palette.lights.map((color, index) => {
		const angle = (palette.phase + index / palette.lights.length) * 2 * Math.PI;
		const turn =
			angle + moment * (0.12 + 0.22 * timing.motionStrength) * (index % 2 === 0 ? 1 : -1);
		const reach = 40 + 26 * timing.motionStrength;
		return {
			x: width * (0.5 + 0.42 * Math.cos(angle)) + reach * Math.cos(turn),
			y: height * (0.5 + 0.42 * Math.sin(angle * 1.3)) + reach * Math.sin(turn),
			radius: radii[index] ?? 300,
			color: rgbOf(color),
		};
	});
	return { from: rgbOf(palette.deep), to: rgbOf(palette.deeper), lights };
}

function rgbOf(color: string): Rgb {
	const value = Number.parseInt(color.slice(1), 16);
	return [value >> 16, (value >> 8) & 0xff, value & 0xff];
}
