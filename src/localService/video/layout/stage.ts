import type { ClipLooks } from "../../../common/clipLooks.ts";
import type { CodeArea } from "./codeLayout.ts";

/** A rectangle on the frame. */
interface Area {
	readonly x: number;
	readonly y: number;
	readonly width: number;
	readonly height: number;
}

/** A frame and where on it things go, in units of which a pixel of the picture is a half. */
export interface ClipStage {
	readonly width: number;
	readonly height: number;
	/** Where a card's text may be. */
	readonly text: Area;
	/** The drawn editor window. */
	readonly pane: Area;
	/** Height of the window's title bar; 0 where it has none. */
	readonly titleHeight: number;
	/** Code begins this far from the window's left edge. */
	readonly gutter: number;
	/** Room for code in the window. */
	readonly room: CodeArea;
	/** Top of the first row. */
	readonly roomTop: number;
}

/** What a stage depends on. */
export type StageLooks = Pick<ClipLooks, "shape" | "padding" | "bar">;

const titleBar = 44;
/** From the window's edges to its rows. */
const inset = { side: 30, top: 18 } as const;
/** Room for the numbers of lines, or for the signs of a change, and from there to the code. */
const marksWidth = 34;

/** Frames of about the same number of pixels, whatever their shape; around the window and the text, with the usual padding. */
const frames = {
	"16:9": { width: 960, height: 540, margin: { x: 52, y: 34 }, card: { x: 88, y: 60 } },
	"1:1": { width: 720, height: 720, margin: { x: 34, y: 40 }, card: { x: 66, y: 66 } },
	"9:16": { width: 540, height: 960, margin: { x: 22, y: 44 }, card: { x: 46, y: 76 } },
} as const;

const paddings = { narrow: 0.5, usual: 1, wide: 1.9 } as const;

/** Where things go on the frames of these looks; `hasMarks` leaves room before each row for a number or a sign. */
export function stageOf(looks: StageLooks, hasMarks = false): ClipStage {
	const { width, height, margin, card } = frames[looks.shape];
	const share = paddings[looks.padding ?? "usual"];
	const x = Math.round(margin.x * share);
	const y = Math.round(margin.y * share);
	const pane = { x, y, width: width - 2 * x, height: height - 2 * y };
	const titleHeight = looks.bar === false ? 0 : titleBar;
	const gutter = inset.side + (hasMarks ? marksWidth : 0);
	return {
		...{ width, height, pane, gutter, titleHeight },
		text: {
			...{ x: card.x, y: card.y, width: width - 2 * card.x, height: height - 2 * card.y },
		},
		room: {
			width: pane.width - gutter - inset.side,
			height: pane.height - titleHeight - 2 * inset.top,
		},
		roomTop: y + titleHeight + inset.top,
	};
}

/** The window is at least this share of its widest. */
const leastWidth = 0.7;

/** A stage whose window is only as high and as wide as rows of this size need it, in the middle of where it could be. */
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
