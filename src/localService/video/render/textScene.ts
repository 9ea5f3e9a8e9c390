import { type ReadableText, readMarkdown } from "../../../common/plainMarkdown.ts";
import type { Bitmap, PixelRegion, Sprite } from "./bitmap.ts";
import { backdropAt } from "./backdrop.ts";
import {
	drawableText,
	isRightToLeft,
	unitProgress,
	maxPages,
	pageAt,
	type PageMoment,
	type Palette,
	balanceText,
	breaksWords,
	joinHardWraps,
	pagesOf,
	type ClipStage,
	type WrappedLine,
	wrapText,
} from "../layout/index.ts";
import type { SceneTools, FrameSize, Scene, SceneTiming } from "./scene.ts";
import { createSignature, undrawnNote } from "./signature.ts";
import { svgPicture, svgText } from "./svgText.ts";

/** From a poster down to the smallest that can be read comfortably: 5 % of the height of the widest frame. */
const sizes = [84, 72, 62, 54, 47, 41, 36, 32, 28] as const;
const smallestSize = 28;
/** A line is at least this wide, in the size of its letters: about a dozen of them. */
const fewestEms = 8;
const lineHeight = 1.34;
/** How far marks reach above a line and below it, relative to the size. */
const overhang = 0.3;
/** Sizes from here up are set bold, as a title. */
const boldFrom = 47;
/** More words than this come in line by line. */
const maxMovingWords = 60;

/** Text on pages that follow each other, every line within the area. */
export interface TextLayout {
	/** Font size in pixels, 28 to 84. */
	readonly size: number;
	readonly pages: readonly (readonly WrappedLine[])[];
	/** How many lines of the first page are the title. */
	readonly titleLines: number;
}

/** Room below a title, relative to a line. */
const titleGap = 0.4;

/**
 * Chooses the largest size at which the text fits on one page; when none does, the smallest size and as many pages as
 * the clip has time for. What is left over is counted in a last line, so nothing is cut silently.
 */
export function layOutText(
	{ title, body }: ReadableText,
	artist: SceneTools,
	duration: number,
): TextLayout {
	const { text: area } = artist.stage;
	const roomAt = (size: number) => ({
		width: area.width / size,
		widthOf: artist.sans.widthOf,
	});
	for (const size of sizes.filter(size => size <= area.width / fewestEms)) {
		const parts = [title, body].map(part => balanceText(part, roomAt(size)));
		const pages = [parts.flat()];
		const titleLines = parts[0]?.length ?? 0;
		const isWhole = size === smallestSize || !breaksWords(`${title}\n${body}`, roomAt(size));
		if (isWhole && heightOf(parts.flat().length, titleLines, size) <= area.height) {
			return { size, pages, titleLines };
		}
	}
	const perPage = Math.floor(area.height / (smallestSize * lineHeight));
	const lines = [title, body].flatMap(part => wrapText(part, roomAt(smallestSize)));
	const room = perPage * maxPages(duration);
	if (lines.length <= room) {
		return { size: smallestSize, pages: pagesOf(lines, perPage), titleLines: 0 };
	}
	const shown = lines.slice(0, room - 1);
	const rest = lines.slice(room - 1).reduce((sum, line) => sum + [...line.text].length, 0);
	const more = { text: `… and ${rest.toLocaleString("en")} more characters`, indent: 0 };
	return { size: smallestSize, pages: pagesOf([...shown, more], perPage), titleLines: 0 };
}

/** Height of a page in pixels. */
function heightOf(lines: number, titleLines: number, size: number): number {
	return (lines + (titleLines > 0 ? titleGap : 0)) * size * lineHeight;
}

/** A part of a page that moves by itself: a word or a line. */
interface Unit {
	readonly region: PixelRegion;
	readonly isFromRight: boolean;
}

interface TextPage {
	readonly bitmap: Bitmap;
	readonly units: readonly Unit[];
}

/** A card of moving typography over wandering lights, for a prompt that is prose. */
export function createTextScene(prompt: string, timing: SceneTiming, artist: SceneTools): Scene {
	const palette = artist.paletteOf(prompt);
	const text = readMarkdown(joinHardWraps(drawableText(prompt, artist.sans).trim()));
	const layout = layOutText(text, artist, timing.duration);
	const isFromRight = isRightToLeft(`${text.title} ${text.body}`);
	const pages = layout.pages.map((lines, index) => {
		const titleLines = index === 0 ? layout.titleLines : 0;
		return drawPage({ lines, titleLines, size: layout.size, isFromRight }, palette, artist);
	});
	const signature = createSignature(artist, timing, palette, undrawnNote(prompt, artist.sans));
	const ornament = placeOrnament(drawOrnament(palette, artist), timing, artist.stage);
	return {
		size: artist.stage,
		frameAt: seconds => ({
			background: backdropAt(palette, timing, artist.stage, seconds),
			sprites: [ornament, ...pageSprites(pages, timing, seconds), ...signature.spritesAt(seconds)],
		}),
	};
}

/** The content of one page. */
interface TextPageContent {
	readonly lines: readonly WrappedLine[];
	readonly titleLines: number;
	readonly size: number;
	readonly isFromRight: boolean;
}

function drawPage(page: TextPageContent, palette: Palette, artist: SceneTools): TextPage {
	const { lines, titleLines, size, isFromRight } = page;
	const { width, height, text: area } = artist.stage;
	const step = size * lineHeight;
	const high = heightOf(lines.length, titleLines, size);
	const top = area.y + (area.height - high) / 2;
	const topOf = (line: number): number =>
		top + (line + (titleLines > 0 && line >= titleLines ? titleGap : 0)) * step;
	const texts = lines.map(({ text, indent }, index) =>
		svgText({
			text,
			x: isFromRight ? area.x + area.width - indent * size : area.x + indent * size,
			baseline: topOf(index) + size * 0.98,
			size,
			fill: index < titleLines ? palette.accent : palette.text,
			font: "sans",
			isBold: size >= boldFrom || index < titleLines,
			isRightAligned: isFromRight,
			isRightToLeft: isFromRight,
			fonts: artist.fonts,
		}),
	);
	const barX = isFromRight ? area.x + area.width + 29 : area.x - 34;
	const bar = `<rect x="${barX}" y="${(top + size * 0.2).toFixed(1)}" width="5" height="${(high - size * 0.3).toFixed(1)}" rx="2.5" fill="${palette.accent}"/>`;
	const units = lines.map((line, index) => {
		// Marks of tall scripts reach above the first line and below the last; between lines nothing is left out.
		const y = Math.round(topOf(index) - (index === 0 ? size * overhang : 0));
		const last = index === lines.length - 1;
		const end = Math.round(topOf(index + 1) + (last ? size * overhang : 0));
		const rows = { y, height: end - y };
		const canMoveByWord = !isFromRight && isSimple(line.text);
		const whole = lineUnit(rows, isFromRight, artist.stage);
		return { whole, words: canMoveByWord ? wordUnits(line, rows, size, artist) : [whole] };
	});
	const words = units.flatMap(unit => unit.words);
	const moving = words.length <= maxMovingWords ? words : units.map(unit => unit.whole);
	return {
		bitmap: artist.drawText(svgPicture(width, height, bar, ...texts)),
		units: [barUnit(isFromRight, artist.stage), ...moving],
	};
}

/** Beside the text, where it begins. */
function barUnit(isFromRight: boolean, { width, height, text: area }: ClipStage): Unit {
	const wide = area.x - 20;
	const x = isFromRight ? area.x + area.width + 20 : 0;
	return { region: { x, y: 0, width: Math.min(wide, width - x), height }, isFromRight };
}

function lineUnit(
	rows: Pick<PixelRegion, "y" | "height">,
	isFromRight: boolean,
	{ width, text: area }: ClipStage,
): Unit {
	const left = isFromRight ? 0 : area.x - 20;
	const right = isFromRight ? area.x + area.width + 20 : width;
	return { region: { x: left, width: right - left, ...rows }, isFromRight };
}

/** Whether the width of each word of a line is the sum of those of its letters. */
function isSimple(line: string): boolean {
	return !/[^\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Armenian}\p{Script=Georgian}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Common}\p{Script=Inherited}]/u.test(
		line,
	);
}

/** One unit for each word, cut in the middle of the spaces; only for letters that all run from left to right. */
function wordUnits(
	line: WrappedLine,
	rows: Pick<PixelRegion, "y" | "height">,
	size: number,
	artist: SceneTools,
): readonly Unit[] {
	const { width, text: area } = artist.stage;
	const space = artist.sans.widthOf(" ") * size;
	const words = line.text.split(" ");
	let left = area.x + line.indent * size;
	return words.map((word, index) => {
		const right = left + artist.sans.widthOf(word) * size;
		const start = Math.round(left - space / 2);
		const end = index === words.length - 1 ? width : Math.round(right + space / 2);
		left = right + space;
		return {
			region: { x: start, width: Math.min(end, width) - start, ...rows },
			isFromRight: false,
		};
	});
}

function pageSprites(
	pages: readonly TextPage[],
	timing: SceneTiming,
	seconds: number,
): readonly Sprite[] {
	const moment = pageAt(seconds, timing.duration, pages.length);
	const page = pages[moment.page];
	if (!page) {
		return [];
	}
	const strength = timing.motionStrength;
	const span = Math.min(moment.length * 0.5, 0.35 + page.units.length * 0.06);
	return page.units.map(({ region, isFromRight }, index) => {
		// The bar comes with the first word, so that even one word alone is in the first frame.
		const arrival = unitProgress(
			moment.seconds,
			Math.max(0, index - 1),
			page.units.length - 1,
			span,
		);
		const away = (1 - arrival) * (8 + 9 * strength);
		const gone = (1 - moment.presence) * (10 + 8 * strength);
		const shift = isFromRight ? away : -away;
		return {
			bitmap: page.bitmap,
			region,
			x: Math.round(region.x + shift * 0.35),
			y: Math.round(region.y + away - gone),
			scale: 1,
			opacity: Math.min(1, arrival * fadingIn) * presenceOf(index / page.units.length, moment),
		};
	});
}

/**
 * The share of its way in for which a unit fades in is one in this many. What moves without fading costs next to nothing to encode, and
 * letters that can be seen are read sooner.
 */
const fadingIn = 2;

/** Units go one after another, without fading, in their `order` of 0 to 1; the first, which is the bar, fades beside them. */
function presenceOf(order: number, { presence }: PageMoment): number {
	return order === 0 ? presence : Number(1 - presence < order);
}

/** Fine rings, larger than the frame, that give the lights an edge to pass behind. */
function drawOrnament(palette: Palette, artist: SceneTools): Bitmap {
	const rings = [150, 232, 318, 410].map(
		(radius, index) =>
			`<circle cx="420" cy="420" r="${radius}" fill="none" stroke="${palette.accent}" stroke-opacity="${0.3 - index * 0.06}" stroke-width="1.6"/>`,
	);
	return artist.drawText(svgPicture(840, 840, ...rings));
}

/** Holds still, further in the stronger the motion: the lights are what moves. */
function placeOrnament(
	bitmap: Bitmap,
	{ motionStrength }: SceneTiming,
	{ width, height }: FrameSize,
): Sprite {
	const half = bitmap.width / 2;
	const x = Math.round(width * 0.83 - half - motionStrength * 7);
	const y = Math.round(height * 0.24 - half + motionStrength * 3);
	return { bitmap, x, y, scale: 1, opacity: 1 };
}
