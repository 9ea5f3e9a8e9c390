import type { Palette } from "../layout/index.ts";
import { frameSize, type SceneTiming } from "./scene.ts";
import { svgPicture } from "./svgText.ts";

const { width, height } = frameSize;

/** Radii of the lights; the first is the largest and is furthest back. */
const radii = [430, 360, 320, 260] as const;

/** The moving background: a gradient with soft lights that wander, further and faster the stronger the motion. */
export function drawBackdrop(palette: Palette, timing: SceneTiming, seconds: number): string {
	const gradient = `<linearGradient id="g" x1="0" y1="0" x2="1" y2="1"><stop stop-color="${palette.deep}"/><stop offset="1" stop-color="${palette.deeper}"/></linearGradient>`;
	const lights = palette.lights.map((colour, index) => {
		const angle = (palette.phase + index / palette.lights.length) * 2 * Math.PI;
		const turn =
			angle + seconds * (0.12 + 0.22 * timing.motionStrength) * (index % 2 === 0 ? 1 : -1);
		const reach = 40 + 26 * timing.motionStrength;
		const x = width * (0.5 + 0.42 * Math.cos(angle)) + reach * Math.cos(turn);
		const y = height * (0.5 + 0.42 * Math.sin(angle * 1.3)) + reach * Math.sin(turn);
		return `<radialGradient id="l${index}"><stop stop-color="${colour}" stop-opacity=".75"/><stop offset=".5" stop-color="${colour}" stop-opacity=".28"/><stop offset="1" stop-color="${colour}" stop-opacity="0"/></radialGradient><circle cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" r="${radii[index] ?? 300}" fill="url(#l${index})"/>`;
	});
	return svgPicture(
		width,
		height,
		gradient,
		`<rect width="${width}" height="${height}" fill="url(#g)"/>`,
		...lights,
	);
}
