import { countUndrawn, type Palette, wrapText } from "../layout/index.ts";
import type { Sprite } from "./bitmap.ts";
import type { SceneTools, SceneTiming } from "./scene.ts";
import { svgPicture, svgText } from "./svgText.ts";

const barHeight = 5;
/** Size of the line, and from one to the next where it takes several. */
const lineSize = 15;
const lineStep = 20;
const lineLeft = 24;

/** Draws the front of every frame: a line that tells where the clip comes from, and a bar that fills as it plays. */
export interface FrameSignature {
	spritesAt(seconds: number): readonly Sprite[];
}

/** Says in the line how many characters of a text could not be drawn; nothing when all could. */
export function undrawnNote(text: string, font: { covers(codePoint: number): boolean }): string {
	const count = countUndrawn(text, font);
	return count === 0
		? ""
		: `; ${count} ${count === 1 ? "character" : "characters"} could not be drawn`;
}

/** Draws the line that says no model made this clip; `detail` may add what is shown. */
export function createSignature(
	artist: SceneTools,
	timing: SceneTiming,
	colors: Pick<Palette, "accent" | "shade" | "text">,
	detail = "",
): FrameSignature {
	const says = `Drawn on this computer by Cutaway, not by a video model${detail}`;
	const { width, height } = artist.stage;
	const room = { width: (width - 2 * lineLeft) / lineSize, widthOf: artist.sans.widthOf };
	const lines = wrapText(says, room);
	const labelHeight = 16 + lines.length * lineStep;
	const texts = lines.flatMap(({ text }, index) => {
		const line = { text, size: lineSize, font: "sans" } as const;
		const baseline = 25 + index * lineStep;
		return [
			// A dark twin below keeps the line readable on light pictures.
			svgText({ ...line, x: 25, baseline: baseline + 1, fill: colors.shade, opacity: 0.55 }),
			svgText({ ...line, x: lineLeft, baseline, fill: colors.text, opacity: 0.9 }),
		];
	});
	const label = artist.drawText(svgPicture(width, labelHeight, ...texts));
	const bar = artist.drawText(
		svgPicture(
			width,
			barHeight,
			`<rect width="${width}" height="${barHeight}" fill="${colors.accent}"/>`,
		),
	);
	return {
		spritesAt: seconds => [
			{ bitmap: label, x: 0, y: height - 10 - labelHeight, scale: 1, opacity: 1 },
			{
				bitmap: bar,
				region: {
					x: 0,
					y: 0,
					width: Math.round((seconds / timing.duration) * width),
					height: barHeight,
				},
				x: 0,
				y: height - barHeight,
				scale: 1,
				opacity: 0.9,
			},
		],
	};
}
