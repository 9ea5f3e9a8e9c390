import type { CaptionPart } from "../../../src/shared/video.ts";
import { captionCues, type CaptionCue, graphemesOf } from "../captions/captionCues.ts";

type Canvas = OffscreenCanvasRenderingContext2D;

/** White on this background has a contrast of at least 12.6 : 1, whatever is below it. */
const ground = "rgb(0 0 0 / 80%)";

const words = new Intl.Segmenter(undefined, { granularity: "word" });

/** Draws captions into a clip's frames near the lower edge: white on a dark background, in the page's font, like its own captions. */
export class CaptionPainter {
	private readonly cues: readonly CaptionCue[];
	private readonly width: number;
	private readonly height: number;
	private readonly size: number;
	private readonly font: string;
	private wrapped: { readonly cue: CaptionCue; readonly lines: readonly string[] } | undefined;

	/** `width` and `height` are the frame size in pixels; `seconds` is the clip's length. */
	constructor(parts: readonly CaptionPart[], seconds: number, width: number, height: number) {
		this.cues = captionCues(parts, seconds);
		this.width = width;
		this.height = height;
		this.size = Math.max(15, Math.round(width * 0.028));
		this.font = `600 ${this.size}px ${getComputedStyle(document.body).fontFamily}`;
	}

	/** Draws the caption at a time, if there is one. */
	draw(canvas: Canvas, seconds: number): void {
		const cue = this.cues.find(({ start, end }) => start <= seconds && seconds < end);
		if (!cue) {
			return;
		}
		const { width, height, size, pad } = this;
		canvas.font = this.font;
		canvas.textAlign = "center";
		canvas.textBaseline = "middle";
		canvas.direction = isRightToLeft(cue.text) ? "rtl" : "ltr";
		const lines = this.linesOf(canvas, cue);
		const lineHeight = Math.round(size * 1.4);
		const widest = Math.max(...lines.map(line => canvas.measureText(line).width));
		const boxHeight = lines.length * lineHeight + pad;
		const top = height - this.margin - boxHeight;
		canvas.fillStyle = ground;
		const left = Math.ceil((width - widest) / 2) - pad;
		canvas.beginPath();
		canvas.roundRect(left, top, width - 2 * left, boxHeight, Math.round(size * 0.25));
		canvas.fill();
		canvas.fillStyle = "#ffffff";
		for (const [index, line] of lines.entries()) {
			canvas.fillText(line, width / 2, top + pad / 2 + (index + 0.5) * lineHeight);
		}
	}

	/** Padding around the text in pixels. */
	private get pad(): number {
		return Math.round(this.size * 0.5);
	}

	/** Margin at the edges in pixels. */
	private get margin(): number {
		return Math.round(this.width * 0.04);
	}

	private linesOf(canvas: Canvas, cue: CaptionCue): readonly string[] {
		if (this.wrapped?.cue !== cue) {
			const room = this.width - 2 * this.margin - 2 * this.pad;
			const widthOf = (text: string): number => canvas.measureText(text).width;
			this.wrapped = { cue, lines: wrap(cue.text, room, widthOf) };
		}
		return this.wrapped.lines;
	}
}

/** Splits text into lines of similar length, at most `room` wide. Breaks words that are wider. */
export function wrap(text: string, room: number, widthOf: (text: string) => number): string[] {
	const least = Math.ceil(widthOf(text) / room);
	const balanced = fill(text, Math.min(room, (widthOf(text) / least) * 1.12), widthOf);
	return balanced.length <= least ? balanced : fill(text, room, widthOf);
}

function fill(text: string, room: number, widthOf: (text: string) => number): string[] {
	const lines = [""];
	for (const { segment } of words.segment(text)) {
		for (const part of widthOf(segment) > room ? graphemesOf(segment) : [segment]) {
			const line = lines.at(-1) ?? "";
			if (widthOf((line + part).trimEnd()) <= room || line === "") {
				lines[lines.length - 1] = line + part;
			} else {
				lines.push(part);
			}
		}
	}
	return lines.map(line => line.trim()).filter(line => line !== "");
}

/** Whether the first letter is Hebrew, Arabic or of a related script. */
function isRightToLeft(text: string): boolean {
	const [letter = ""] = /\p{L}/u.exec(text) ?? [];
	return /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/.test(letter);
}
