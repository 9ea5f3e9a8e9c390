import type { ClipLooks } from "../../../common/clipLooks.ts";
import { type CodeArea, rowStep, scrolledSize } from "./codeLayout.ts";

interface Area {
	readonly x: number;
	readonly y: number;
	readonly width: number;
	readonly height: number;
}

/** Layout of a frame, in units of two pixels. */
export interface ClipStage {
	readonly width: number;
	readonly height: number;
	readonly text: Area;
	readonly pane: Area;
	/** Height of the window's title bar; 0 without one. */
	readonly titleHeight: number;
	/** Distance of code from the window's left edge. */
	readonly gutter: number;
	readonly room: CodeArea;
	readonly roomTop: number;
}

export type StageLooks = Pick<ClipLooks, "shape" | "padding" | "bar">;

/** Heights of the title bar, distances from the window's edges to its rows, and the share of the margins above and below, also with many rows. */
const usual = { titleBar: 44, top: 18, margin: 1 } as const;
const dense = { titleBar: 36, top: 12, margin: 0.6 } as const;
export const insetSide = 30;
/** Width of line numbers or change signs, including the gap to the code. */
const marksWidth = 34;

/** Frames of about the same number of pixels in each shape, with margins around window and text for the usual padding. */
const frames = {
	"16:9": { width: 960, height: 540, margin: { x: 52, y: 34 }, card: { x: 88, y: 60 } },
	"1:1": { width: 720, height: 720, margin: { x: 34, y: 40 }, card: { x: 66, y: 66 } },
	"9:16": { width: 540, height: 960, margin: { x: 22, y: 44 }, card: { x: 46, y: 76 } },
} as const;

const paddings = { narrow: 0.5, usual: 1, wide: 1.9 } as const;

/** Creates the layout for these settings, denser for many lines. `hasMarks` reserves space before each row for a number or sign. */
export function stageOf(looks: StageLooks, hasMarks = false, lines = 0): ClipStage {
	const stage = createStage(looks, hasMarks, usual);
	return lines * rowStep(scrolledSize) > stage.room.height
		? createStage(looks, hasMarks, dense)
		: stage;
}

function createStage(
	looks: StageLooks,
	hasMarks: boolean,
	inset: typeof usual | typeof dense,
): ClipStage {
	const { width, height, margin, card } = frames[looks.shape];
	const share = paddings[looks.padding ?? "usual"];
	const x = Math.round(margin.x * share);
	const y = Math.round(margin.y * share * inset.margin);
	const pane = { x, y, width: width - 2 * x, height: height - 2 * y };
	const titleHeight = looks.bar === false ? 0 : inset.titleBar;
	const gutter = insetSide + (hasMarks ? marksWidth : 0);
	return {
		width,
		height,
		pane,
		gutter,
		titleHeight,
		text: {
			x: card.x,
			y: card.y,
			width: width - 2 * card.x,
			height: height - 2 * card.y,
		},
		room: {
			width: pane.width - gutter - insetSide,
			height: pane.height - titleHeight - 2 * inset.top,
		},
		roomTop: y + titleHeight + inset.top,
	};
}

/** Makes a frame higher, with its window and its text. */
export function tallerStage(stage: ClipStage, by: number): ClipStage {
	const more = Math.max(0, Math.ceil(by));
	const { height, pane, room, text } = stage;
	return {
		...stage,
		height: height + more,
		pane: { ...pane, height: pane.height + more },
		room: { ...room, height: room.height + more },
		text: { ...text, height: text.height + more },
	};
}

/** The window's least width, relative to the greatest. */
const leastWidth = 0.7;

/** Shrinks the window to rows of this size and centers it. */
export function fitPane(stage: ClipStage, rows: CodeArea): ClipStage {
	const { pane, room } = stage;
	const height = Math.min(room.height, Math.ceil(rows.height));
	const least = pane.width * leastWidth - (pane.width - room.width);
	const width = Math.min(room.width, Math.max(Math.ceil(rows.width), Math.round(least)));
	const [less, lower] = [room.width - width, room.height - height];
	const y = pane.y + Math.floor(lower / 2);
	return {
		...stage,
		pane: {
			x: pane.x + Math.floor(less / 2),
			y,
			width: pane.width - less,
			height: pane.height - lower,
		},
		room: { width, height },
		roomTop: stage.roomTop + y - pane.y,
	};
}
