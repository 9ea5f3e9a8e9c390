import type { Bitmap, Sprite } from "./bitmap.ts";
import { backdropAt } from "./backdrop.ts";
import {
	drawableCodeLine,
	drawBlock,
	drawPane,
	drawRows,
	paneTitle,
	type RowMark,
	arrived,
	topOfRows,
	withPane,
} from "./codePane.ts";
import { columnsOf } from "../../../clip/columns.ts";
import { type PromptContent } from "../../../clip/promptContent.ts";
import {
	bandOpacity,
	type ChangeLayout,
	type ChangePage,
	type ChangeRow,
	easeInOut,
	easeOut,
	layOutChange,
	pageAt,
	type PageMoment,
	type Palette,
	type PlacedToken,
	progressBetween,
	rowHeight,
	type ClipStage,
	type TokenMove,
} from "../layout/index.ts";
import type { CodeTools, Scene, SceneTiming } from "./scene.ts";
import { createSignature, undrawnNote } from "./signature.ts";

type Span = readonly [number, number];

/** Shares of a page's time: the marks come, what goes fades, what stays travels, what is new arrives. */
interface Steps {
	readonly marking: Span;
	readonly leaving: Span;
	readonly moving: Span;
	readonly arriving: Span;
}

const steps: Steps = {
	marking: [0.08, 0.2],
	leaving: [0.24, 0.38],
	moving: [0.34, 0.66],
	arriving: [0.6, 0.78],
};

/** Where nothing goes, there is nothing to wait for. */
const stepsOfAddition: Steps = { ...steps, moving: [0.15, 0.45], arriving: [0.4, 0.6] };

/** Where nothing was, the first frame already shows something. */
const stepsOfNew: Steps = { ...steps, arriving: [-0.25, 0.35] };

/** One side of a page, drawn. */
interface Side {
	readonly rows: readonly ChangeRow[];
	readonly top: number;
	readonly bitmap: Bitmap;
}

interface DrawnPage extends Pick<ChangePage, "moves" | "leaving" | "arriving"> {
	readonly before: Side;
	readonly after: Side;
}

/** State shared by all pages. */
interface ChangeCard {
	readonly stage: ClipStage;
	readonly size: number;
	readonly column: number;
	readonly strength: number;
	readonly pages: readonly DrawnPage[];
	readonly bands: Readonly<Record<"removed" | "added", Bitmap>>;
}

/** An editor window in which code becomes other code: what stays slides, what goes fades, what is new comes in. */
export function createChangeScene(
	content: Extract<PromptContent, { readonly type: "change" }>,
	timing: SceneTiming,
	artist: CodeTools,
): Scene {
	const lines = content.steps.at(0) ?? [];
	const text = lines.map(({ text }) => text).join("\n");
	const palette = artist.paletteOf(text);
	const layout = layOutChange(
		lines.map(line => ({ ...line, text: drawableCodeLine(line.text, artist) })),
		content.language,
		{ room: artist.stage.room, mono: artist.mono, duration: timing.duration },
	);
	const rows = layout.pages.flatMap(({ before, after }) => [before.length, after.length]);
	const framed = withPane(artist, Math.max(...rows), layout.size);
	const card = drawCard(layout, timing, palette, framed);
	const title = paneTitle(content.caption, content.language, artist);
	const window = { bitmap: drawPane(title, palette, framed), x: 0, y: 0, scale: 1, opacity: 1 };
	const signature = createSignature(artist, timing, palette, undrawnNote(text, artist.code));
	return {
		size: artist.stage,
		frameAt: seconds => {
			const moment = pageAt(seconds, timing.duration, card.pages.length);
			const page = card.pages[moment.page];
			const sprites = page ? pageSprites(card, page, moment) : [];
			return {
				background: backdropAt(palette, timing, artist.stage, seconds),
				sprites: [
					...arrived([window, ...sprites], timing, seconds),
					...signature.spritesAt(seconds),
				],
			};
		},
	};
}

function drawCard(
	{ size, pages }: ChangeLayout,
	{ motionStrength }: SceneTiming,
	palette: Palette,
	artist: CodeTools,
): ChangeCard {
	const { stage } = artist;
	const column = artist.mono.widthOf("0") * size;
	const sideOf = (rows: readonly ChangeRow[]): Side => {
		const top = topOfRows(rows.length, size, stage);
		const look = { top, size, column, palette, markOf: markWith(palette) };
		return { rows, top, bitmap: drawRows(rows, look, artist) };
	};
	const bandOf = (fill: string): Bitmap =>
		drawBlock(artist, {
			fill,
			opacity: bandOpacity.change,
			width: stage.pane.width,
			height: Math.round(size * rowHeight),
		});
	return {
		stage,
		size,
		column,
		strength: motionStrength,
		pages: pages.map(page => ({
			...page,
			before: sideOf(page.before),
			after: sideOf(page.after),
		})),
		bands: { removed: bandOf(palette.removed), added: bandOf(palette.added) },
	};
}

/** A sign says it to those who do not tell the colors apart. */
function markWith(palette: Palette): (row: ChangeRow) => RowMark {
	return ({ kind }) =>
		kind === "same"
			? { text: "", fill: "none" }
			: { text: kind === "removed" ? "−" : "+", fill: palette[kind] };
}

function pageSprites(card: ChangeCard, page: DrawnPage, moment: PageMoment): readonly Sprite[] {
	const share = moment.seconds / moment.length;
	const { marking, leaving, moving, arriving } = stepsOf(page);
	const through = ([from, to]: Span): number => easeInOut(progressBetween(share, from, to));
	const marked = through(marking);
	const gone = through(leaving);
	const moved = through(moving);
	const come = through(arriving);
	const { before, after } = page;
	const step = card.size * rowHeight;
	const bands = (side: Side, kind: "removed" | "added", opacity: number): readonly Sprite[] =>
		side.rows.flatMap((row, index) => {
			const y = side.top + index * step - card.size * 0.12;
			return row.kind === kind
				? [{ bitmap: card.bands[kind], x: card.stage.pane.x, y, scale: 1, opacity }]
				: [];
		});
	const marks = (side: Side, kind: "removed" | "added", opacity: number): readonly Sprite[] =>
		side.rows.flatMap((row, index) =>
			row.kind === kind ? [sprite(card, side, markPlace(index), { opacity })] : [],
		);
	const sprites = [
		...bands(before, "removed", marked * (1 - gone)),
		...bands(after, "added", come),
		...marks(before, "removed", marked * (1 - gone)),
		...marks(after, "added", come),
		...page.leaving.map(token => sprite(card, before, token, { opacity: 1 - gone })),
		...page.moves.flatMap(move => moveSprites(card, page, move, moved)),
		...page.arriving.map(token =>
			sprite(card, after, token, { opacity: come, dx: (1 - easeOut(come)) * -6 * card.strength }),
		),
	];
	return sprites.map(each => ({ ...each, opacity: each.opacity * moment.presence }));
}

function stepsOf({ before, leaving }: DrawnPage): Steps {
	if (before.rows.length === 0) {
		return stepsOfNew;
	}
	return leaving.length === 0 ? stepsOfAddition : steps;
}

/** The sign beside a row, as if it were a token. */
function markPlace(row: number): Pick<PlacedToken, "row" | "column" | "text"> {
	return { row, column: -3, text: "   " };
}

/** A piece on its way; one that changes its color does so as it goes. */
function moveSprites(
	card: ChangeCard,
	{ before, after }: DrawnPage,
	{ from, to }: TokenMove,
	moved: number,
): readonly Sprite[] {
	const step = card.size * rowHeight;
	const dx = (to.column - from.column) * card.column;
	const dy = after.top - before.top + (to.row - from.row) * step;
	const isFar = Math.abs(dx) > step || Math.abs(dy) > 2 * step;
	// What flies far goes in a bow, so that it can be followed.
	const bow = isFar && from.row !== to.row ? Math.sin(moved * Math.PI) * 5 * card.strength : 0;
	const isRecolored = from.kind !== to.kind;
	const leaving = sprite(card, before, from, {
		opacity: moved < 1 ? 1 : 0,
		dx: dx * moved + bow,
		dy: dy * moved,
	});
	const arriving = sprite(card, after, to, {
		opacity: isRecolored ? moved : Number(moved === 1),
		dx: dx * (moved - 1) + bow,
		dy: dy * (moved - 1),
	});
	return [leaving, arriving];
}

/** A piece of a side's sheet, moved from where it is there. */
function sprite(
	{ size, column, stage }: ChangeCard,
	{ top, bitmap }: Side,
	token: Pick<PlacedToken, "row" | "column" | "text">,
	change: { readonly opacity: number; readonly dx?: number; readonly dy?: number },
): Sprite {
	const left = stage.pane.x + stage.gutter + token.column * column;
	const x = Math.round(left);
	const y = Math.round(top + token.row * size * rowHeight);
	const width = Math.round(left + columnsOf(token.text) * column) - x;
	const region = { x, y, width, height: Math.floor(size * rowHeight) };
	const { dx = 0, dy = 0, opacity } = change;
	return { bitmap, region, x: x + dx, y: y + dy, scale: 1, opacity };
}
