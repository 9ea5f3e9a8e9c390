import * as l10n from "@vscode/l10n";
import * as z from "zod/mini";
import { ExportFailure } from "./exportFailure.ts";

const pixels = z.int().check(z.minimum(0), z.maximum(4096));

/** The host's `FramesHeader`. */
const framesHeaderSchema = z.object({
	width: pixels.check(z.minimum(1)),
	height: pixels.check(z.minimum(1)),
	durationMs: z.number(),
	frames: z.array(
		z.object({
			atMs: z.number(),
			left: pixels,
			top: pixels,
			width: pixels,
			height: pixels,
			size: z.int(),
		}),
	),
});

/** Frames that the local renderer drew, shown on a canvas one after the other. */
export class DrawnClip {
	/** The frame shown, in full size. */
	readonly canvas: OffscreenCanvas;
	readonly seconds: number;
	private readonly file: Uint8Array<ArrayBuffer>;
	private readonly context: OffscreenCanvasRenderingContext2D;
	private readonly frames: z.infer<typeof framesHeaderSchema>["frames"];
	private shown = 0;
	private offset: number;

	/** Reads the host's file. Throws `ExportFailure` if it isn't one. */
	constructor(file: Uint8Array) {
		const length = new DataView(file.buffer, file.byteOffset).getUint32(0, true);
		const head: unknown = JSON.parse(new TextDecoder().decode(file.subarray(4, 4 + length)));
		const header = z.safeParse(framesHeaderSchema, head);
		const canvas = new OffscreenCanvas(header.data?.width ?? 1, header.data?.height ?? 1);
		const context = canvas.getContext("2d");
		if (!header.success || !context) {
			throw new ExportFailure("failed", "noFrames");
		}
		this.file = new Uint8Array(file);
		this.canvas = canvas;
		this.context = context;
		this.frames = header.data.frames;
		this.seconds = header.data.durationMs / 1000;
		this.offset = 4 + length;
	}

	/** Draws the frames that start until a time in seconds. Times must not decrease. */
	async showUntil(seconds: number): Promise<void> {
		for (;;) {
			const frame = this.frames[this.shown];
			if (!frame || frame.atMs > seconds * 1000) {
				return;
			}
			const { left, top, width, height, size } = frame;
			const part = this.file.subarray(this.offset, this.offset + size);
			const pixels = new ImageData(await inflated(part), width, height);
			this.context.putImageData(pixels, left, top);
			this.offset += size;
			this.shown += 1;
		}
	}
}

async function inflated(part: Uint8Array<ArrayBuffer>): Promise<Uint8ClampedArray<ArrayBuffer>> {
	const pixels = new Blob([part]).stream().pipeThrough(new DecompressionStream("deflate"));
	return new Uint8ClampedArray(await new Response(pixels).arrayBuffer());
}

/** Returns the last of drawn frames as an element for a page. Throws `ExportFailure` if the host's file holds none. */
export async function pictureOfDrawn(file: Uint8Array): Promise<HTMLElement> {
	const clip = new DrawnClip(file);
	await clip.showUntil(clip.seconds);
	const { width, height } = clip.canvas;
	const canvas = document.createElement("canvas");
	Object.assign(canvas, { className: "clip", width, height });
	canvas.setAttribute("role", "img");
	canvas.ariaLabel = l10n.t("The clip's last frame with this look");
	canvas.getContext("2d")?.drawImage(clip.canvas, 0, 0);
	const stage = document.createElement("div");
	stage.className = "stage";
	stage.style.setProperty("--clip-ratio", String(width / height));
	stage.append(canvas);
	return stage;
}
