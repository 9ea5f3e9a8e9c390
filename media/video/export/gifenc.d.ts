/** The part of `gifenc` that is used. The package has no types. */
declare module "gifenc" {
	type Palette = number[][];

	interface FrameOptions {
		readonly palette: Palette;
		/** In milliseconds. */
		readonly delay: number;
		readonly transparent: boolean;
		readonly transparentIndex: number;
		/** 0 repeats forever, -1 plays once. */
		readonly repeat: 0 | -1;
		/** 1 keeps the frame and draws the next one over it. */
		readonly dispose: 1;
	}

	interface Encoder {
		writeFrame(index: Uint8Array, width: number, height: number, options: FrameOptions): void;
		finish(): void;
		bytes(): Uint8Array;
		/** Returns the data so far without copying. */
		bytesView(): Uint8Array;
	}

	export function GIFEncoder(): Encoder;
	export function quantize(rgba: Uint8ClampedArray, maxColors: number): Palette;
	export function applyPalette(rgba: Uint8ClampedArray, palette: Palette): Uint8Array;
}
