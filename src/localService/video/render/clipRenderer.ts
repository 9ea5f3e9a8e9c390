import createDecoder from "@jsquash/webp/codec/dec/webp_dec.js";
import { initWasm, Resvg, type ResvgRenderOptions } from "@resvg/resvg-wasm";
import type { ClipFont } from "../../../common/clipLooks.ts";
import { readPackedFile } from "../../../common/packedFile.ts";
import type { VideoAssets } from "../assets.ts";
import { Vp8Encoder } from "../vp8/vp8Encoder.ts";
import { type Bitmap, createBitmap } from "./bitmap.ts";
import { FrameComposer } from "./frameComposer.ts";
import {
	type BundledFont,
	type CodeFace,
	codeFaces,
	faceFamily,
	fontAlphabets,
	type ProseFace,
	proseFaces,
} from "../fonts/bundledFaces.ts";
import { ClusterMetrics } from "../fonts/clusters.ts";
import { CodeFonts, type Ink, type NamedFont } from "../fonts/codeFonts.ts";
import { findEditorFont } from "../fonts/editorFont.ts";
import { findFonts, type FoundFont, systemFontFolders } from "../fonts/findFonts.ts";
import { type FontMetrics, joinMetrics, readFontMetrics } from "../layout/fontMetrics.ts";
import { lettersWithout } from "../layout/drawableText.ts";
import type { ImageFormat } from "./imageFormat.ts";
import {
	type CodeTools,
	density,
	type FramePlan,
	type ProseTools,
	type SceneTools,
} from "./scene.ts";
import { ProseFonts } from "./proseFonts.ts";
import { escapeXml, fontFamilies, svgPicture } from "./svgText.ts";

export interface EncodedImage {
	readonly format: ImageFormat;
	readonly bytes: Uint8Array;
	/** Size to decode to, in pixels, as displayed. */
	readonly width: number;
	readonly height: number;
	/** See `ImageHeader`. */
	readonly orientation?: number | undefined;
}

/** VP8 quantizers, 0 to 127. Lower is sharper and larger. Key frames are finer, because grounds without motion show the steps between colors. */
export const quantizers = [24, 12] as const;

/** Fonts of this machine, loaded by group. */
type FontGroups = readonly (readonly FoundFont[])[];

type FontOptions = Extract<ResvgRenderOptions["font"], { fontBuffers?: unknown }>;

export type TextFonts = Pick<SceneTools, "drawText" | "fonts" | "sans">;

export type ProseTextFonts = TextFonts & Pick<ProseTools, "prose">;

export type CodeTextFonts = Pick<CodeTools, "drawText" | "fonts" | "sans" | "mono" | "code">;

/** The bundled fonts, each family in several files. */
interface BundledFonts {
	readonly sans: readonly Uint8Array[];
	readonly mono: readonly Uint8Array[];
	readonly monoFaces: Readonly<Record<CodeFace, readonly FoundFont[]>>;
	readonly sansFaces: Readonly<Record<ProseFace, readonly FoundFont[]>>;
	/** For letters missing in these, one font for prose and one for code. */
	readonly others: readonly Uint8Array[];
}

let loading: Promise<void> | undefined;

type WebpDecoder = Awaited<ReturnType<typeof createDecoder>>;

/** Draws sprites and encodes frames. Loads 3 MB of WebAssembly; use one per thread. */
export class ClipRenderer implements Pick<SceneTools, "drawText" | "sans"> {
	readonly sans: FontMetrics;
	readonly mono: FontMetrics;
	/** The font of prose, without that for its missing letters. */
	private readonly prose: FontMetrics;
	private readonly decoder: WebpDecoder;
	private readonly bundled: BundledFonts;
	private readonly code: NamedFont;
	private readonly fontFolders: readonly string[];

	/** Loads WebAssembly and fonts. Letters missing in the fonts are searched in `fontFolders`. */
	static async open(assets: VideoAssets, fontFolders = systemFontFolders()): Promise<ClipRenderer> {
		const read = (paths: readonly string[]): Promise<readonly Uint8Array<ArrayBuffer>[]> =>
			Promise.all(paths.map(path => readPackedFile(path)));
		const [sans, mono, others] = await Promise.all(
			[assets.sans, assets.mono, [assets.otherSans, assets.otherMono]].map(read),
		);
		const [bold = [], italic = [], boldItalic = []] = await Promise.all(
			codeFaces.map(async face =>
				bundledFace("JetBrainsMono", face, await read(assets.monoFaces[face])),
			),
		);
		const [strong = [], slanted = []] = await Promise.all(
			proseFaces.map(async face => bundledFace("Inter", face, await read(assets.sansFaces[face]))),
		);
		const resvg = await readPackedFile(assets.resvg);
		if (!sans || !mono || !others) {
			throw new Error("The files for drawing are incomplete");
		}
		// Shared by the whole thread, because it can be loaded only once.
		loading ??= initWasm(resvg);
		await loading;
		const decoder = await createDecoder({
			wasmBinary: await readPackedFile(assets.webpDecoder),
			noInitialRun: true,
		});
		return new ClipRenderer(
			decoder,
			{
				sans,
				mono,
				others,
				monoFaces: {
					bold,
					italic,
					boldItalic,
				},
				sansFaces: {
					bold: strong,
					italic: slanted,
				},
			},
			fontFolders,
		);
	}

	private constructor(decoder: WebpDecoder, bundled: BundledFonts, fontFolders: readonly string[]) {
		this.decoder = decoder;
		this.bundled = bundled;
		this.fontFolders = fontFolders;
		const metricsOf = (fonts: readonly Uint8Array[]): FontMetrics =>
			joinMetrics(fonts.map(font => readFontMetrics(font)));
		const { sans, mono, others } = bundled;
		this.prose = metricsOf(sans);
		this.sans = metricsOf([...sans, ...others.slice(0, 1)]);
		this.code = { family: fontFamilies.mono, metrics: metricsOf(mono) };
		this.mono = metricsOf([...mono, ...others.slice(1)]);
	}

	drawText(svg: string): Bitmap {
		return drawSvg(svg, this.optionsFor(svg, []));
	}

	/** Returns the tools for a text, with fonts of this machine for its missing letters. */
	fontsFor(text: string): ProseTextFonts {
		const missing = lettersWithout(text, this.sans);
		const found = missing.size === 0 ? [] : findFonts(missing, this.fontFolders);
		const isPlain = found.length === 0 && ![...text].some(letter => this.isOtherSign(letter));
		const plain: TextFonts = { sans: this.sans, drawText: svg => this.drawText(svg) };
		const fonts = isPlain ? plain : this.textFonts([found], found);
		return { ...fonts, prose: new ProseFonts(fonts.sans, this.bundled.sansFaces, fonts.fonts) };
	}

	/** Like `fontsFor`, for a text with code: its letters are on a grid of columns, in the wanted font if this machine has it. */
	codeFontsFor(text: string, wanted?: ClipFont): CodeTextFonts {
		const editor = wanted && findEditorFont(wanted, this.fontFolders);
		const own = editor ? [editor] : [];
		const missing = lettersWithout(
			text,
			joinMetrics([this.mono, this.sans, ...own.map(({ metrics }) => metrics)]),
		);
		const found = missing.size === 0 ? [] : findFonts(missing, this.fontFolders);
		const mono = { family: fontFamilies.otherMono, metrics: this.mono };
		const sans = { family: fontFamilies.otherSans, metrics: this.sans };
		const [first = this.code, ...others] = [...own, this.code, mono, sans, ...found];
		const groups = [own, found];
		const drawing: TextFonts =
			own.length + found.length === 0 ? this : this.textFonts(groups, [...own, mono, ...found]);
		const { sans: prose, fonts } = drawing;
		return {
			drawText: svg => drawing.drawText(svg),
			sans: prose,
			fonts,
			mono: first.metrics,
			code: new CodeFonts(
				first,
				others,
				this.inkWith(groups),
				editor ? editor.faces : this.bundled.monoFaces,
			),
		};
	}

	/** Whether a symbol, such as a check mark, is only in the second font of prose. The renderer would set the whole line in that. */
	private isOtherSign(letter: string): boolean {
		const codePoint = letter.codePointAt(0) ?? 0;
		return /\p{S}/u.test(letter) && !this.prose.covers(codePoint) && this.sans.covers(codePoint);
	}

	/** Creates tools for drawing with `groups` of this machine's fonts; `others` are for letters missing in the bundled font of prose. */
	private textFonts(groups: FontGroups, others: readonly NamedFont[]): TextFonts {
		const familyOf = (letter: string): string | undefined => {
			const codePoint = letter.codePointAt(0) ?? 0;
			if (this.isOtherSign(letter)) {
				return fontFamilies.otherSans;
			}
			return this.sans.covers(codePoint)
				? undefined
				: others.find(({ metrics }) => metrics.covers(codePoint))?.family;
		};
		const inkOf = this.inkWith(groups);
		const metrics = new ClusterMetrics(
			joinMetrics([this.sans, ...others.map(font => font.metrics)]),
			cluster => inkOf(cluster, familyOf([...cluster][0] ?? "") ?? fontFamilies.sans).right,
		);
		return {
			sans: metrics,
			drawText: svg => drawSvg(svg, this.optionsFor(svg, groups)),
			fonts: { familyOf, clustersOf: metrics.clustersOf, widthOf: metrics.widthOf },
		};
	}

	/** Returns a function that finds a text's ink. */
	private inkWith(groups: FontGroups): (text: string, family: string) => Ink {
		const size = 100;
		return (text, family) => {
			const element = `<text x="${size}" y="${size * 2}" font-size="${size}" font-family="${escapeXml(family)}">${escapeXml(text)}</text>`;
			const svg = svgPicture(size * (2 + text.length * 2), size * 4, element);
			const picture = new Resvg(svg, this.optionsFor(svg, groups));
			const box = picture.innerBBox() ?? picture.getBBox();
			const { x = size, y = size * 2, width = 0, height = 0 } = box ?? {};
			const ink = {
				left: x / size - 1,
				right: (x + width) / size - 1,
				top: 2 - y / size,
				bottom: 2 - (y + height) / size,
			};
			box?.free();
			picture.free();
			return ink;
		};
	}

	/** Returns only the font groups that a picture names, because fonts are parsed again for every picture. */
	private optionsFor(svg: string, groups: FontGroups): { readonly font: FontOptions } {
		const named = groups.filter(group =>
			group.some(({ family }) => svg.includes(`"${escapeXml(family)}"`)),
		);
		const isStyled = svg.includes(' font-weight="') || svg.includes(' font-style="');
		const { monoFaces, sansFaces } = this.bundled;
		const faces = [
			...[monoFaces, sansFaces].flatMap(own => Object.values(own).flat()),
			// These have the family of the regular face.
			...(isStyled ? named.flat().flatMap(({ faces = {} }) => Object.values(faces).flat()) : []),
		].filter(({ family }) => svg.includes(`"${escapeXml(family)}"`));
		const buffers = [...named.flat(), ...faces].map(({ bytes }) => bytes);
		// Missing letters use the first other font that has them: first of the same family, last the fallback fonts.
		const own = (["sans", "mono"] as const).filter(name => svg.includes(`"${fontFamilies[name]}"`));
		return {
			font: {
				fontBuffers: [
					...own.flatMap(name => this.bundled[name]),
					...buffers,
					...this.bundled.others,
				],
				defaultFontFamily: fontFamilies.sans,
				sansSerifFamily: fontFamilies.sans,
				monospaceFamily: fontFamilies.mono,
			},
		};
	}

	/** Decodes an image to at most `maxWidth` by `maxHeight` pixels. Throws if the data is invalid. */
	decodeImage(image: EncodedImage): Bitmap {
		return image.format === "webp"
			? premultiply(this.decoder.decode(new Uint8Array(image.bytes)))
			: drawSvg(pictureOf(image), {}, 1);
	}

	/** Draws a single frame and encodes it as a VP8 key frame. */
	shoot(plan: FramePlan, ground: Bitmap): Uint8Array {
		const composer = new FrameComposer(ground);
		composer.compose(plan);
		return new Vp8Encoder(ground, ...quantizers).encodeKeyFrame(composer.frame);
	}
}

/** Returns the files of a bundled face, which share no letter. */
function bundledFace(
	font: BundledFont,
	face: CodeFace,
	files: readonly Uint8Array[],
): readonly FoundFont[] {
	const style = { isBold: face !== "italic", isItalic: face !== "bold" };
	return fontAlphabets.flatMap((alphabet, index) => {
		const bytes = files[index];
		const family = faceFamily(font, face, alphabet);
		return bytes ? [{ bytes, family, metrics: readFontMetrics(bytes), face: style }] : [];
	});
}

function drawSvg(svg: string, options: ResvgRenderOptions, zoom = density): Bitmap {
	const picture = new Resvg(svg, { ...options, fitTo: { mode: "zoom", value: zoom } });
	try {
		const image = picture.render();
		const { width, height, pixels } = image;
		const bitmap = { width, height, pixels, density: zoom };
		image.free();
		return bitmap;
	} finally {
		picture.free();
	}
}

/** Returns an SVG that contains only the image, for decoding by resvg. */
function pictureOf({ format, bytes, width, height, orientation = 1 }: EncodedImage): string {
	const data = Buffer.from(bytes).toString("base64");
	const [wide, high] = orientation > 4 ? [height, width] : [width, height];
	return svgPicture(
		width,
		height,
		`<image width="${wide}" height="${high}" transform="${turned(orientation, width, height)}" preserveAspectRatio="none" xlink:href="data:image/${format};base64,${data}"/>`,
	);
}

/** Returns the matrix that brings stored pixels into display orientation. Exif 2.3, tag 0x0112. */
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
