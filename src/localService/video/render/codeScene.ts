import type { Bitmap, Sprite } from "./bitmap.ts";
import { drawBackdrop } from "./backdrop.ts";
import {
	type CodeLayout,
	type CodeRow,
	layOutCode,
	rowHeight,
	drawableText,
	easeInOut,
	easeOut,
	progressBetween,
	pageAt,
	type PageMoment,
	type Palette,
	paletteOf,
	type PromptContent,
	breakWord,
} from "../layout/index.ts";
import { type SceneTools, frameSize, type Scene, type SceneTiming } from "./scene.ts";
import { createSignature } from "./signature.ts";
import { svgPicture, svgText } from "./svgText.ts";

const { width, height } = frameSize;
/** The drawn editor window. */
const pane = { x: 56, y: 40, width: 848, height: 440 } as const;
const titleHeight = 46;
const gutter = 74;
const room = { width: pane.width - gutter - 26, height: pane.height - titleHeight - 30 } as const;

interface CodePage {
	readonly rows: readonly CodeRow[];
	readonly bitmap: Bitmap;
	/** Top of the first row, in pixels. */
	readonly top: number;
}

/** What all pages share. */
interface CodeCard {
	readonly size: number;
	/** Width of one column in pixels. */
	readonly column: number;
	readonly pages: readonly CodePage[];
	readonly paneBitmap: Bitmap;
	readonly cursor: Bitmap;
	readonly band: Bitmap;
}

/** An editor window in which the code is typed, for a prompt that is code. */
export function createCodeScene(
	content: Extract<PromptContent, { readonly type: "code" }>,
	timing: SceneTiming,
	artist: SceneTools,
): Scene {
	const palette = paletteOf(content.code);
	// A letter that only the other font has is drawn with that one.
	const covers = (codePoint: number): boolean =>
		artist.mono.covers(codePoint) || artist.sans.covers(codePoint);
	const code = drawableText(content.code, { covers }).replaceAll(/^\n+|\n+$/g, "");
	const layout = layOutCode(code, content.language, {
		room,
		mono: artist.mono,
		duration: timing.duration,
	});
	const card = drawCard(layout, titleOf(content, artist), palette, artist);
	const signature = createSignature(artist, timing, palette);
	return {
		frameAt: seconds => ({
			background: drawBackdrop(palette, timing, seconds),
			sprites: [...cardSprites(card, timing, seconds), ...signature.spritesAt(seconds)],
		}),
	};
}

/** What is in the window's title: what was said about the code, or its language. */
function titleOf(
	{ caption, language }: Extract<PromptContent, { readonly type: "code" }>,
	artist: SceneTools,
): string {
	const said = caption === "" ? languageName(language) : drawableText(caption, artist.sans);
	const line = said.replaceAll(/\s+/g, " ");
	const size = 19;
	const [start = ""] = breakWord(line, { width: 620 / size, widthOf: artist.sans.widthOf });
	return start === line ? line : `${start.trimEnd()}…`;
}

/** Languages whose names are not just their first letter made large. */
const languageNames: Readonly<Record<string, string>> = {
	bash: "Bash",
	cpp: "C++",
	csharp: "C#",
	css: "CSS",
	html: "HTML",
	javascript: "JavaScript",
	js: "JavaScript",
	json: "JSON",
	jsx: "JSX",
	php: "PHP",
	py: "Python",
	rs: "Rust",
	sh: "Shell",
	sql: "SQL",
	ts: "TypeScript",
	tsx: "TSX",
	typescript: "TypeScript",
	xml: "XML",
	yaml: "YAML",
	yml: "YAML",
};

function languageName(language = "code"): string {
	return languageNames[language] ?? `${language.slice(0, 1).toUpperCase()}${language.slice(1)}`;
}

function drawCard(
	layout: CodeLayout,
	title: string,
	palette: Palette,
	artist: SceneTools,
): CodeCard {
	const { size } = layout;
	const column = artist.mono.widthOf("0") * size;
	const pixel = (fill: string, opacity: number, wide: number, high: number): Bitmap =>
		artist.drawText(
			svgPicture(
				wide,
				high,
				`<rect width="${wide}" height="${high}" fill="${fill}" fill-opacity="${opacity}"/>`,
			),
		);
	return {
		size,
		column,
		pages: layout.pages.map(rows => drawRows(rows, size, column, palette, artist)),
		paneBitmap: drawPane(title, palette, artist),
		cursor: pixel(
			palette.accent,
			0.95,
			Math.max(2, Math.round(column * 0.2)),
			Math.round(size * 1.2),
		),
		band: pixel(palette.accent, 0.11, pane.width, Math.round(size * rowHeight)),
	};
}

function drawPane(title: string, palette: Palette, artist: SceneTools): Bitmap {
	const { x, y, width: wide, height: high } = pane;
	const shadows = [26, 17, 9].map(
		(spread, index) =>
			`<rect x="${x - spread / 2}" y="${y + 8}" width="${wide + spread}" height="${high + spread / 2}" rx="${16 + spread / 2}" fill="#000000" fill-opacity="${0.07 + index * 0.04}"/>`,
	);
	const dots = [palette.accent, ...palette.lights.slice(0, 2)].map(
		(colour, index) =>
			`<circle cx="${x + 26 + index * 24}" cy="${y + 24}" r="7" fill="${colour}"/>`,
	);
	return artist.drawText(
		svgPicture(
			width,
			height,
			...shadows,
			`<rect x="${x}" y="${y}" width="${wide}" height="${high}" rx="16" fill="#0c0e13" fill-opacity=".88"/>`,
			`<rect x="${x + 0.75}" y="${y + 0.75}" width="${wide - 1.5}" height="${high - 1.5}" rx="15.5" fill="none" stroke="#ffffff" stroke-opacity=".16" stroke-width="1.5"/>`,
			`<rect x="${x}" y="${y + titleHeight}" width="${wide}" height="1" fill="#ffffff" fill-opacity=".1"/>`,
			...dots,
			svgText({
				text: title,
				x: x + 112,
				baseline: y + 31,
				size: 19,
				fill: palette.text,
				font: "sans",
				opacity: 0.75,
			}),
		),
	);
}

function drawRows(
	rows: readonly CodeRow[],
	size: number,
	column: number,
	palette: Palette,
	artist: SceneTools,
): CodePage {
	const step = size * rowHeight;
	const top = pane.y + titleHeight + Math.max(14, (room.height + 30 - rows.length * step) / 2);
	const texts = rows.flatMap((row, index) => {
		const baseline = top + index * step + size;
		const fill = palette.code.comment;
		const number = svgText({
			text: row.number === undefined ? "" : String(row.number),
			x: pane.x + gutter - 24,
			baseline,
			size: size * 0.8,
			fill,
			font: "mono",
			isRightAligned: true,
		});
		return [number, ...tokenTexts(row, { baseline, size, column, palette })];
	});
	return { rows, top, bitmap: artist.drawText(svgPicture(width, height, ...texts)) };
}

/** Every token at its own column, so that the code is in a grid whatever font a letter comes from. */
function tokenTexts(
	row: CodeRow,
	options: { baseline: number; size: number; column: number; palette: Palette },
): readonly string[] {
	let columns = 0;
	return row.tokens.map(({ kind, text }) => {
		const x = pane.x + gutter + columns * options.column;
		columns += [...text].length;
		const { baseline, size, palette } = options;
		return text.trim() === ""
			? ""
			: svgText({ text, x, baseline, size, fill: palette.code[kind], font: "mono" });
	});
}

function cardSprites(card: CodeCard, timing: SceneTiming, seconds: number): readonly Sprite[] {
	const moment = pageAt(seconds, timing.duration, card.pages.length);
	const page = card.pages[moment.page];
	const strength = timing.motionStrength;
	const arrival = easeOut(progressBetween(seconds + 0.2, 0, 0.5));
	const sway = Math.sin(((seconds / timing.duration) * 2 - 0.5) * Math.PI);
	// Squared: letters this small seem to move a lot when they move at all.
	const dx = sway * 0.3 * strength ** 2;
	const dy =
		(1 - arrival) * 8 * strength - easeInOut(seconds / timing.duration) * 0.4 * strength ** 2;
	const sprites = [
		{ bitmap: card.paneBitmap, x: 0, y: 0, scale: 1, opacity: 1 },
		...(page ? rowSprites(card, page, moment) : []),
	];
	return sprites.map(sprite => ({
		...sprite,
		x: sprite.x + dx,
		y: sprite.y + dy,
		opacity: sprite.opacity * (0.25 + 0.75 * arrival),
	}));
}

/** The rows typed so far, the cursor behind the last letter, and then a light that reads the code line by line. */
function rowSprites(card: CodeCard, page: CodePage, moment: PageMoment): readonly Sprite[] {
	const { presence } = moment;
	const step = card.size * rowHeight;
	const total = page.rows.reduce((sum, row) => sum + row.columns + 4, 0);
	const typingEnds = Math.min(moment.length * 0.55, 0.3 + total * 0.012);
	const typed = total * progressBetween(moment.seconds + 0.2, 0, typingEnds);
	const sprites: Sprite[] = [];
	let before = 0;
	let cursorAt: { readonly row: number; readonly column: number } | undefined;
	for (const [index, row] of page.rows.entries()) {
		const columns = Math.floor(Math.min(row.columns, typed - before));
		if (columns >= 0) {
			sprites.push(rowSprite(card, page, { index, columns, presence }));
			cursorAt = { row: index, column: columns };
		}
		before += row.columns + 4;
	}
	const reading = progressBetween(moment.seconds, typingEnds, moment.length);
	const isTyping = reading === 0;
	const bandRow = isTyping ? (cursorAt?.row ?? 0) : easeInOut(reading) * (page.rows.length - 1);
	const y = page.top + bandRow * step - card.size * 0.12;
	const band = { bitmap: card.band, x: pane.x, y, scale: 1, opacity: presence };
	const isCursorShown = isTyping || Math.floor(moment.seconds / 0.25) % 2 === 0;
	const cursor = {
		bitmap: card.cursor,
		x: pane.x + gutter + (cursorAt?.column ?? 0) * card.column + 1,
		y: page.top + (cursorAt?.row ?? 0) * step - card.size * 0.02,
		scale: 1,
		opacity: isCursorShown ? presence : 0,
	};
	return [band, ...sprites, cursor];
}

function rowSprite(
	card: CodeCard,
	page: CodePage,
	{ index, columns, presence }: { index: number; columns: number; presence: number },
): Sprite {
	const y = Math.round(page.top + index * card.size * rowHeight);
	const region = {
		x: 0,
		y,
		width: Math.ceil(pane.x + gutter + columns * card.column),
		height: Math.floor(card.size * rowHeight),
	};
	return { bitmap: page.bitmap, region, x: 0, y, scale: 1, opacity: presence };
}
