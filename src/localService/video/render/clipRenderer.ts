import createDecoder from "@jsquash/webp/codec/dec/webp_dec.js";
import createEncoder from "@jsquash/webp/codec/enc/webp_enc_simd.js";
import { defaultOptions } from "@jsquash/webp/meta.js";
import { initWasm, Resvg, type ResvgRenderOptions } from "@resvg/resvg-wasm";
import { readPackedFile } from "../../base/index.ts";
import type { VideoAssets } from "../index.ts";
import { type Bitmap, createBitmap, drawSprite, stretch } from "./bitmap.ts";
import { type FontMetrics, readFontMetrics } from "../layout/index.ts";
import type { ImageFormat } from "./imageFormat.ts";
import { type SceneTools, type FramePlan, frameSize } from "./scene.ts";
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

/** Backgrounds are soft: drawn at a quarter of the frame's size, they look the same and cost a sixteenth. */
const backgroundScale = 4;

/** Quality of the picture, 0 to 100, and effort of the encoder, 0 to 6. */
const encoding = { ...defaultOptions, quality: 80, method: 2 };

let loading: Promise<void> | undefined;

/** The WebAssembly behind a renderer. */
interface Codecs {
	readonly encoder: Awaited<ReturnType<typeof createEncoder>>;
	readonly decoder: Awaited<ReturnType<typeof createDecoder>>;
}

/** Everything that turns plans into pixels and pixels into frames. Loads 3 MB of WebAssembly; one per thread. */
export class ClipRenderer implements SceneTools {
	readonly sans: FontMetrics;
	readonly mono: FontMetrics;
	private readonly codecs: Codecs;
	private readonly fontOptions: NonNullable<ResvgRenderOptions["font"]>;
	/** Drawn over with every frame. */
	private readonly frame = createBitmap(frameSize.width, frameSize.height);

	/** Loads the WebAssembly and the fonts. */
	static async open(assets: VideoAssets): Promise<ClipRenderer> {
		const [resvg, encoderFile, sans, mono] = await Promise.all(
			[assets.resvg, assets.webpEncoder, assets.sans, assets.mono].map(path =>
				readPackedFile(path),
			),
		);
		if (!resvg || !encoderFile || !sans || !mono) {
			throw new Error("The files for drawing are incomplete");
		}
		// One renderer for the whole thread: it refuses to be loaded twice.
		loading ??= initWasm(resvg);
		await loading;
		const encoder = await createEncoder({ wasmBinary: encoderFile, noInitialRun: true });
		const decoder = await createDecoder({
			wasmBinary: await readPackedFile(assets.webpDecoder),
			noInitialRun: true,
		});
		return new ClipRenderer({ encoder, decoder }, sans, mono);
	}

	private constructor(codecs: Codecs, sans: Uint8Array, mono: Uint8Array) {
		this.codecs = codecs;
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
			? premultiply(this.codecs.decoder.decode(new Uint8Array(image.bytes)))
			: drawSvg(pictureOf(image), {});
	}

	/** Draws one frame and encodes it as a VP8 key frame. */
	shoot(plan: FramePlan): Uint8Array {
		const { frame } = this;
		composeFrame(frame, plan);
		const encoded = this.codecs.encoder.encode(frame.pixels, frame.width, frame.height, encoding);
		if (!encoded) {
			throw new Error("The encoder refused a frame");
		}
		// The bytes are in the encoder's memory until the next frame.
		return new Uint8Array(keyFrameOf(encoded));
	}
}

function composeFrame(frame: Bitmap, plan: FramePlan): void {
	if (plan.background === undefined) {
		frame.pixels.fill(0);
	} else {
		const width = frame.width / backgroundScale;
		stretch(drawSvg(plan.background, { fitTo: { mode: "width", value: width } }), frame);
	}
	for (const sprite of plan.sprites) {
		drawSprite(frame, sprite);
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

/**
 * Takes the VP8 key frame out of a lossy WebP file: the `VP8 ` chunk holds exactly one. Throws when there is none, as
 * with lossless files. @see https://datatracker.ietf.org/doc/html/rfc9649#section-2.5
 */
function keyFrameOf(webp: Uint8Array): Uint8Array {
	const view = new DataView(webp.buffer, webp.byteOffset, webp.byteLength);
	let position = 12;
	while (position + 8 <= webp.byteLength) {
		const size = view.getUint32(position + 4, true);
		if (view.getUint32(position) === 0x56_50_38_20) {
			return webp.subarray(position + 8, position + 8 + size);
		}
		// Chunks begin at even offsets.
		position += 8 + size + (size % 2);
	}
	throw new Error("The encoder gave no VP8 frame");
}
