import type { FrameShape } from "../../../common/clipLooks.ts";
import type { CodeArea } from "./codeLayout.ts";

/** A rectangle on the frame, in pixels. */
interface Area {
	readonly x: number;
	readonly y: number;
	readonly width: number;
	readonly height: number;
}

/** A frame and where on it things go, in pixels. */
export interface ClipStage {
	readonly width: number;
	readonly height: number;
	/** Where a card's text may be. */
	readonly text: Area;
	/** The drawn editor window. */
	readonly pane: Area;
	/** Code begins this far from the window's left edge. */
	readonly gutter: number;
	/** From the line numbers to the code. */
	readonly numberGap: number;
	/** Room for code in the window. */
	readonly room: CodeArea;
	/** Top of rows that fill the window. */
	readonly roomTop: number;
}

/** Height of the window's title bar. */
export const titleHeight = 46;

/** Frames of about the same number of pixels, whatever their shape. */
const frames: Readonly<Record<FrameShape, Omit<ClipStage, "room" | "roomTop">>> = {
	"16:9": {
		width: 960,
		height: 540,
		text: { x: 84, y: 64, width: 800, height: 398 },
		pane: { x: 56, y: 40, width: 848, height: 440 },
		gutter: 74,
		numberGap: 24,
	},
	"1:1": {
		width: 720,
		height: 720,
		text: { x: 70, y: 64, width: 590, height: 574 },
		pane: { x: 32, y: 36, width: 656, height: 618 },
		gutter: 66,
		numberGap: 20,
	},
	"9:16": {
		width: 540,
		height: 960,
		text: { x: 54, y: 72, width: 440, height: 788 },
		pane: { x: 20, y: 36, width: 500, height: 842 },
		gutter: 52,
		numberGap: 14,
	},
};

/** Where things go on the frames of a shape. */
export function stageOf(shape: FrameShape): ClipStage {
	const frame = frames[shape];
	const { pane, gutter, numberGap } = frame;
	return {
		...frame,
		room: {
			width: pane.width - gutter - numberGap - 2,
			height: pane.height - titleHeight - 30,
		},
		roomTop: pane.y + titleHeight + 14,
	};
}

/** The window is at least this high, which all of it is on the widest frames. */
const leastPaneHeight = 440;

/** A stage whose window is only as high as these pixels of rows need it, in the middle of where it could be. */
export function fitPane(stage: ClipStage, rowsHeight: number): ClipStage {
	const { pane, room } = stage;
	const wanted = Math.ceil(rowsHeight) + pane.height - room.height;
	const height = Math.min(pane.height, Math.max(leastPaneHeight, wanted));
	const y = pane.y + Math.floor((pane.height - height) / 2);
	return {
		...stage,
		pane: { ...pane, y, height },
		room: { ...room, height: room.height - (pane.height - height) },
		roomTop: stage.roomTop + y - pane.y,
	};
}
