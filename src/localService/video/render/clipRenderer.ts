import createDecoder from "@jsquash/webp/codec/dec/webp_dec.js";
import { initWasm, Resvg, type ResvgRenderOptions } from "@resvg/resvg-wasm";
import { plainLooks } from "../../../common/clipLooks.ts";
import { readPackedFile } from "../../base/index.ts";
import type { VideoAssets } from "../index.ts";
import { Vp8Encoder } from "../vp8/index.ts";
import { type Bitmap, createBitmap } from "./bitmap.ts";
import { FrameComposer } from "./frameComposer.ts";
import { type FontMetrics, readFontMetrics, stageOf } from "../layout/index.ts";
import type { ImageFormat } from "./imageFormat.ts";
import type { FramePlan, FrameSize, SceneTools } from "./scene.ts";
import { fontFamilies, svgPicture } from "./svgText.ts";

/** An image as it came. */
export interface EncodedImage {
	readonly format: ImageFormat;
	readonly bytes: Uint8Array;
	/** Size to decode to in pixels, as the image is to be seen. */
	readonly width: number;
	readonly height: number;
	/** As in `ImageHeader`. */
	readonly orientation?: number | undefined;
}

/** Step of rounding in VP8's tables, 0 to 127: the lower, the sharper and larger. */
export const quantizer = 26;

let loading: Promise<void> | undefined;

/** The decoder of WebP images. */
type WebpDecoder = Awaited<ReturnType<typeof createDecoder>>;

/** Everything that turns plans into pixels and pixels into frames. Loads 3 MB of WebAssembly; one per thread. */
export class ClipRenderer implements Omit<SceneTools, "paletteOf" | "stage"> {
	readonly sans: FontMetrics;
	readonly mono: FontMetrics;
	private readonly decoder: WebpDecoder;
	private readonly fontOptions: NonNullable<ResvgRenderOptions["font"]>;

	/** Loads the WebAssembly and the fonts. */
	static async open(assets: VideoAssets): Promise<ClipRenderer> {
		const [resvg, sans, mono] = await Promise.all(
			[assets.resvg, assets.sans, assets.mono].map(path => readPackedFile(path)),
		);
		if (!resvg || !sans || !mono) {
			throw new Error("The files for drawing are incomplete");
		}
		// One renderer for the whole thread: it refuses to be loaded twice.
		loading ??= initWasm(resvg);
		await loading;
		const decoder = await createDecoder({
			wasmBinary: await readPackedFile(assets.webpDecoder),
			noInitialRun: true,
		});
		return new ClipRenderer(decoder, sans, mono);
	}

	private constructor(decoder: WebpDecoder, sans: Uint8Array, mono: Uint8Array) {
		this.decoder = decoder;
		this.fontOptions = {
			fontBuffers: [sans, mono],
			defaultFontFamily: fontFamilies.sans,
			sansSerifFamily: fontFamilies.sans,
			monospaceFamily: fontFamilies.mono,
		};
		this.sans = readFontMetrics(sans);
		this.mono = readFontMetrics(mono);
	}

	drawText(svg: string): Bitmap {
		return drawSvg(svg, { font: this.fontOptions });
	}

	/** Decodes an image, at most `maxWidth` by `maxHeight` pixels. Throws when its bytes are not what they should be. */
	decodeImage(image: EncodedImage): Bitmap {
		return image.format === "webp"
			? premultiply(this.decoder.decode(new Uint8Array(image.bytes)))
			: drawSvg(pictureOf(image), {});
	}

	/** Draws one frame alone and encodes it as a VP8 key frame. */
	shoot(plan: FramePlan, size: FrameSize = stageOf(plainLooks.shape)): Uint8Array {
		const composer = new FrameComposer(size);
		composer.compose(plan);
		return new Vp8Encoder(size, quantizer).encodeKeyFrame(composer.frame);
	}
}

function drawSvg(svg: string, options: ConstructorParameters<typeof Resvg>[1]): Bitmap {
	const picture = new Resvg(svg, options);
	try {
		const image = picture.render();
		const bitmap = { width: image.width, height: image.height, pixels: image.pixels };
		image.free();
		return bitmap;
	} finally {
		picture.free();
	}
}

/** The image alone, as a picture: what resvg decodes. */
function pictureOf({ format, bytes, width, height, orientation = 1 }: EncodedImage): string {
	const data = Buffer.from(bytes).toString("base64");
	const [wide, high] = orientation > 4 ? [height, width] : [width, height];
	return svgPicture(
		width,
		height,
		`<image width="${wide}" height="${high}" transform="${turned(orientation, width, height)}" preserveAspectRatio="none" xlink:href="data:image/${format};base64,${data}"/>`,
	);
}

/** Brings stored pixels into the place where they are to be seen. Exif 2.3, tag 0x0112. */
function turned(orientation: number, width: number, height: number): string {
	const matrices = [
		"1 0 0 1 0 0",
		`-1 0 0 1 ${width} 0`,
		`-1 0 0 -1 ${width} ${height}`,
		`1 0 0 -1 0 ${height}`,
		"0 1 1 0 0 0",
		`0 1 -1 0 ${width} 0`,
		`0 -1 -1 0 ${width} ${height}`,
		`0 -1 1 0 0 ${height}`,
	];
	return `matrix(${matrices[orientation - 1] ?? matrices[0]})`;
}

function premultiply(
	image: {
		readonly width: number;
		readonly height: number;
		readonly data: ArrayLike<number>;
	} | null,
): Bitmap {
	if (!image) {
		throw new Error("The WebP image cannot be read; moving ones are not supported");
	}
	const bitmap = createBitmap(image.width, image.height);
	for (let at = 0; at < bitmap.pixels.length; at += 4) {
		const alpha = image.data[at + 3] ?? 0;
		for (let channel = at; channel < at + 3; channel += 1) {
			bitmap.pixels[channel] = Math.round(((image.data[channel] ?? 0) * alpha) / 255);
		}
		bitmap.pixels[at + 3] = alpha;
	}
	return bitmap;
}
