import { animatedWebp, type WebpFrame } from "../../media/video/export/animatedWebp.ts";
import { changedBox, copyBox } from "../../media/video/export/changedBox.ts";
import { base64Of } from "../../media/video/export/runExport.ts";

/** Makes an animated WebP of screenshots, in a page. */
export class Animation {
	private readonly width: number;
	private height = 0;
	private readonly frames: WebpFrame[] = [];
	private shown: Uint8ClampedArray | undefined;

	constructor(width: number) {
		this.width = width;
	}

	/** Adds a screenshot, a PNG as base64, that is shown for so many milliseconds. */
	async add(png: string, durationMs: number): Promise<void> {
		const image = await createImageBitmap(
			await (await fetch(`data:image/png;base64,${png}`)).blob(),
		);
		const { width } = this;
		const height = Math.round((width * image.height) / image.width);
		const canvas = new OffscreenCanvas(width, height);
		const context = canvas.getContext("2d", { alpha: false, willReadFrequently: true });
		if (!context) {
			throw new Error("No canvas");
		}
		context.imageSmoothingQuality = "high";
		context.drawImage(image, 0, 0, width, height);
		const { data } = context.getImageData(0, 0, width, height);
		const whole = { left: 0, top: 0, width, height };
		const box = this.shown ? changedBox(this.shown, data, width) : whole;
		this.shown ??= new Uint8ClampedArray(data.length);
		this.height = height;
		const last = this.frames.at(-1);
		if (box) {
			copyBox(this.shown, data, width, box);
			const part = new OffscreenCanvas(box.width, box.height);
			part.getContext("2d", { alpha: false })?.drawImage(canvas, -box.left, -box.top);
			const blob = await part.convertToBlob({ type: "image/webp", quality: 0.8 });
			this.frames.push({ ...box, durationMs, image: new Uint8Array(await blob.arrayBuffer()) });
		} else if (last) {
			this.frames[this.frames.length - 1] = { ...last, durationMs: last.durationMs + durationMs };
		}
	}

	/** The file, as base64. */
	finish(): string {
		const { width, height, frames } = this;
		const bytes = animatedWebp({ width, height, isLooping: true, hasAlpha: false, frames });
		return base64Of(bytes);
	}
}

declare global {
	interface Window {
		animation: Animation;
	}
}

/** Begins an animation that the following calls add to. */
export function begin(width: number): void {
	window.animation = new Animation(width);
}
