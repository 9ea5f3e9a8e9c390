import { easeInOut, paletteFor, progressBetween } from "../layout/palette.ts";
import { type Bitmap, createBitmap, downscaleTowards, type Sprite } from "./bitmap.ts";
import { groundOf } from "./ground.ts";
import { density, type Scene, type SceneTiming, type SceneTools } from "./scene.ts";
import { svgPicture } from "./svgText.ts";

/** Margin around a picture as a share of the frame's shorter side, and the radius of its corners in units. */
const margin = 0.07;
const radius = 10;
/** The greatest enlargement of a small picture, and of a part of any. */
const mostEnlarged = 2.5;

/** Shares of the clip between which the view moves to a part, and back to the whole. */
const moves = { there: [0.14, 0.44], back: [0.66, 0.94] } as const;

/** A part of a picture, in shares of its sides. */
interface PicturePart {
	readonly x: number;
	readonly y: number;
	readonly width: number;
	readonly height: number;
}

/** Creates a view of a whole picture on a ground, which moves slowly to a part of it and back. The motion strength determines how near it comes. */
export function createImageScene(
	image: Bitmap,
	source: string,
	timing: SceneTiming,
	artist: SceneTools,
): Omit<Scene, "undrawn"> {
	const { width, height } = artist.stage;
	const palette = paletteFor(source, undefined, artist.ground, artist.groundColor);
	const space = Math.min(width, height) * margin;
	const fit = Math.min(
		(width - 2 * space) / image.width,
		(height - 2 * space) / image.height,
		mostEnlarged,
	);
	const size = { width: image.width * fit, height: image.height * fit };
	const place = { x: (width - size.width) / 2, y: (height - size.height) / 2, ...size };
	const bitmap = roundCorners(downscaleTowards(image, size.width * density), size.width);
	const shadow = drawShadow(place, artist);
	const part = partOf(source);
	const focus = {
		x: place.x + size.width * (part ? part.x + part.width / 2 : 0.5),
		y: place.y + size.height * (part ? part.y + part.height / 2 : 0.5),
	};
	const nearest = part
		? Math.min(
				mostEnlarged,
				(width * 0.8) / Math.max(1, part.width * size.width),
				(height * 0.8) / Math.max(1, part.height * size.height),
			)
		: 1.06 + 0.07 * timing.motionStrength;
	const at = (progress: number): readonly Sprite[] => {
		const nearness =
			easeInOut(progressBetween(progress, ...moves.there)) -
			easeInOut(progressBetween(progress, ...moves.back));
		const zoom = 1 + (nearest - 1) * nearness;
		const view = {
			x: focus.x + (width / 2 - focus.x) * nearness,
			y: focus.y + (height / 2 - focus.y) * nearness,
		};
		const placed = (x: number, y: number) => ({
			x: view.x + (x - focus.x) * zoom,
			y: view.y + (y - focus.y) * zoom,
		});
		return [
			{ bitmap: shadow, ...placed(0, 0), scale: zoom, opacity: 1 },
			{
				bitmap,
				...placed(place.x, place.y),
				scale: (size.width / bitmap.width) * zoom,
				opacity: 1,
			},
		];
	};
	return {
		size: artist.stage,
		ground: groundOf(artist.stage, { ground: palette.ground, ends: palette.vivid }, artist.ground),
		frameAt: seconds => ({ sprites: at(seconds / timing.duration) }),
	};
}

/** Returns the part that an address names in percent. @see https://www.w3.org/TR/media-frags/#naming-space */
function partOf(source: string): PicturePart | undefined {
	const numbers = /#(?:.*&)?xywh=percent:([\d.]+),([\d.]+),([\d.]+),([\d.]+)/.exec(source);
	const [x = 0, y = 0, width = 0, height = 0] = (numbers ?? [])
		.slice(1)
		.map(text => Number(text) / 100);
	const isInside = width > 0 && height > 0 && x + width <= 1.001 && y + height <= 1.001;
	return isInside ? { x, y, width, height } : undefined;
}

/** Copies a bitmap with round corners, smooth at their edges. `shown` is its width in units. */
function roundCorners(image: Bitmap, shown: number): Bitmap {
	const { width, height } = image;
	const bitmap = createBitmap(width, height);
	bitmap.pixels.set(image.pixels);
	const round = Math.min((radius * width) / shown, width / 2, height / 2);
	const corner = Math.ceil(round);
	const places = Array.from({ length: corner * corner }, (_, index) => ({
		x: index % corner,
		y: Math.floor(index / corner),
	}));
	for (const { x, y } of places) {
		const outside = Math.hypot(round - x - 0.5, round - y - 0.5) - round;
		const kept = Math.min(1, Math.max(0, 0.5 - outside));
		for (const row of [y, height - 1 - y]) {
			fadePixel(bitmap, row * width + x, kept);
			fadePixel(bitmap, row * width + width - 1 - x, kept);
		}
	}
	return bitmap;
}

/** Keeps a share of a pixel, whose colors are premultiplied. */
function fadePixel({ pixels }: Bitmap, index: number, kept: number): void {
	for (let channel = index * 4; channel < index * 4 + 4; channel += 1) {
		pixels[channel] = Math.round((pixels[channel] ?? 0) * kept);
	}
}

const shadowSteps = 12;

function drawShadow(
	place: {
		readonly x: number;
		readonly y: number;
		readonly width: number;
		readonly height: number;
	},
	artist: SceneTools,
): Bitmap {
	const rects = Array.from({ length: shadowSteps }, (_, index) => {
		const spread = 1.5 * (shadowSteps - index);
		const [x, y] = [place.x - spread, place.y - spread + 5];
		return `<rect x="${x}" y="${y}" width="${place.width + 2 * spread}" height="${place.height + 2 * spread}" rx="${radius + spread}" fill="#000000" fill-opacity="${(0.01 + index * 0.003).toFixed(4)}"/>`;
	});
	return artist.drawText(svgPicture(artist.stage.width, artist.stage.height, ...rects));
}
