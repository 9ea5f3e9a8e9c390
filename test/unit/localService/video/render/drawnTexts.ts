import { readFileSync } from "node:fs";
import type { ClipLooks } from "../../../../../src/common/clipLooks.ts";
import {
	CodeFonts,
	type NamedFont,
} from "../../../../../src/localService/video/fonts/codeFonts.ts";
import {
	type FontMetrics,
	joinMetrics,
	readFontMetrics,
} from "../../../../../src/localService/video/layout/fontMetrics.ts";
import {
	createScene,
	type SceneRenderer,
} from "../../../../../src/localService/video/render/renderClip.ts";
import { ProseFonts } from "../../../../../src/localService/video/render/proseFonts.ts";
import { packageAssets } from "../videoFixtures.ts";

const metricsOf = (paths: readonly string[]): FontMetrics =>
	joinMetrics(paths.map(path => readFontMetrics(readFileSync(path))));
export const sans = metricsOf([...packageAssets.sans, packageAssets.otherSans]);
export const mono = metricsOf([...packageAssets.mono, packageAssets.otherMono]);

const faces = {
	bold: metricsOf(packageAssets.sansFaces.bold),
	italic: metricsOf(packageAssets.sansFaces.italic),
};
const faceNamed = (family: string, isBold: boolean): readonly NamedFont[] => [
	{
		family,
		metrics: isBold ? faces.bold : faces.italic,
		face: isBold ? { isBold: true } : { isItalic: true },
	},
];
const prose = new ProseFonts(
	sans,
	{ bold: faceNamed("Test Bold", true), italic: faceNamed("Test Italic", false) },
	undefined,
);

/** A line as it is drawn, and from where to where on the frame, in pixels. */
export interface DrawnText {
	readonly text: string;
	readonly left: number;
	readonly right: number;
	readonly baseline: number;
	readonly size: number;
	readonly font: "sans" | "mono";
	readonly fill: string;
}

/** A renderer that draws nothing and keeps what it was to draw. */
export function spyRenderer(svgs: string[]): SceneRenderer {
	const code = new CodeFonts(
		{ family: "JetBrains Mono", metrics: mono },
		[{ family: "DejaVu Sans", metrics: sans }],
		text => ({ left: 0, right: sans.widthOf(text), bottom: 0, top: 0.7 }),
	);
	const spy: SceneRenderer = {
		fontsFor: () => ({ drawText: spy.drawText, sans, prose }),
		codeFontsFor: () => ({ drawText: spy.drawText, sans, mono, code }),
		sans,
		mono,
		drawText: svg => {
			svgs.push(svg);
			return { width: 1, height: 1, pixels: new Uint8Array(4) };
		},
		decodeImage: () => {
			throw new Error("No image is asked for");
		},
	};
	return spy;
}

/** All lines of a clip's pictures. */
export function drawnTexts(
	prompt: string,
	looks?: ClipLooks,
	motionStrength = 3,
): readonly DrawnText[] {
	const svgs: string[] = [];
	const job = { type: "text", prompt, duration: 4, motionStrength } as const;
	const scene = createScene(looks ? { ...job, looks } : job, spyRenderer(svgs));
	for (const seconds of [0, 0.5, 1, 1.5, 2, 2.5, 3, 3.9]) {
		scene.frameAt(seconds);
	}
	return svgs.flatMap(svg =>
		[...svg.matchAll(/<text (?<attributes>[^>]*)>(?<text>.*?)<\/text>/g)].map(({ groups }) =>
			drawnText(groups?.["attributes"] ?? "", groups?.["text"] ?? ""),
		),
	);
}

const entities: Readonly<Record<string, string>> = {
	"&lt;": "<",
	"&gt;": ">",
	"&quot;": '"',
	"&amp;": "&",
};

function drawnText(attributes: string, escaped: string): DrawnText {
	const read = (name: string): string =>
		new RegExp(`(?:^| )${name}="([^"]*)"`).exec(attributes)?.[1] ?? "";
	const text = escaped
		.replaceAll(/<[^>]*>/g, "")
		.replaceAll(/&\w+;/g, entity => entities[entity] ?? entity);
	const size = Number(read("font-size"));
	const font = read("font-family").includes("Mono") ? "mono" : "sans";
	const face = read("font-weight") ? faces.bold : read("font-style") ? faces.italic : sans;
	const metrics: FontMetrics = font === "mono" ? mono : face;
	const width = metrics.widthOf(text.replaceAll(/[\u202B\u202C]/g, "")) * size;
	const x = Number(read("x"));
	const left = read("text-anchor") === "end" ? x - width : x;
	return {
		text,
		left,
		right: left + width,
		baseline: Number(read("y")),
		size,
		font,
		fill: read("fill"),
	};
}
