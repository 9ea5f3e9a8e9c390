import { type ClipLooks, clipLooksTag, plainLooks } from "../../../common/clipLooks.ts";
import { plainMarkdown } from "../../../common/plainMarkdown.ts";
import { describeBytes } from "../../base/limits.ts";
import type { ClipJob } from "../assets.ts";
import { createChangeScene } from "./changeScene.ts";
import { createCodeScene } from "./codeScene.ts";
import { readImageHeader } from "./imageFormat.ts";
import { readScene } from "../../../clip/clipLength.ts";
import { versionOf } from "../../../clip/codeTexts.ts";
import { type PromptContent, readPrompt } from "../../../clip/promptContent.ts";
import { countUndrawn } from "../layout/drawableText.ts";
import { paletteFor } from "../layout/palette.ts";
import { stageOf } from "../layout/stage.ts";
import type { Bitmap } from "./bitmap.ts";
import { Vp8Encoder } from "../vp8/vp8Encoder.ts";
import { type ClipRenderer, quantizers } from "./clipRenderer.ts";
import { FrameComposer } from "./frameComposer.ts";
import {
	type CodeTools,
	framesPerSecond,
	type Scene,
	type SceneTiming,
	type SceneTools,
	density,
} from "./scene.ts";
import { createImageScene } from "./imageScene.ts";
import { createTerminalScene } from "./terminalScene.ts";
import { createTextScene } from "./textScene.ts";
import {
	BufferTarget,
	EncodedPacket,
	EncodedVideoPacketSource,
	Output,
	WebMOutputFormat,
} from "mediabunny";

/** Thrown if a job can't be done. The message is for the user. */
export class RenderRefusal extends Error {
	override readonly name = "RenderRefusal";
}

/** The most pixels of an image. Decoding takes several times four bytes per pixel. */
const maxImagePixels = 50_000_000;
/** The side in pixels to which larger images are decoded, enough for the closest view. */
const maxImageSide = 3_840;

/**
 * Renders a WebM of `duration` seconds with at most 24 frames per second. The same job always gives the same frames. Throws `RenderRefusal` for an
 * image that can't be drawn.
 */
export async function renderClip(
	job: ClipJob,
	renderer: ClipRenderer,
): Promise<Uint8Array<ArrayBuffer>> {
	const scene = createScene(job, renderer);
	const frames = filmScene(scene, job.duration, startOf(job));
	return await muxWebm(frames, job.duration, { ...scene, looks: job.looks });
}

/** Returns the start of a job within a longer clip, in seconds. */
export function startOf(job: ClipJob): number {
	return job.type === "text" ? (readScene(job.prompt).part?.from ?? 0) : 0;
}

/** Renders and encodes `duration` seconds of a scene from `start` on. Omits frames that equal the one before, which is then displayed longer. */
export function filmScene(scene: Scene, duration: number, start = 0): readonly EncodedFrame[] {
	const composer = new FrameComposer(scene.ground());
	const encoder = new Vp8Encoder(scene.ground(), ...quantizers);
	const frames: EncodedFrame[] = [];
	const count = duration * framesPerSecond;
	for (let index = 0; index < count; index += 1) {
		const at = index / framesPerSecond;
		const change = composer.compose(scene.frameAt(start + at));
		const isKey = index === 0;
		// The format stores no duration for the last frame; players and joiners assume that of one frame.
		const isLast = index === count - 1;
		const bytes = isKey
			? encoder.encodeKeyFrame(composer.frame)
			: encoder.encodeChange(composer.frame, { ...change, isRequired: isLast });
		if (bytes) {
			frames.push({ bytes, at, isKey });
		}
	}
	return frames;
}

export type SceneRenderer = Pick<
	ClipRenderer,
	"drawText" | "decodeImage" | "fontsFor" | "codeFontsFor" | "sans" | "mono"
>;

/** Creates a clip's scene, or that of a still picture of its end. Throws `RenderRefusal` for an image that can't be drawn. */
export function createScene(job: ClipJob, renderer: SceneRenderer, isStill = false): Scene {
	const { looks = plainLooks } = job;
	const artist: SceneTools = {
		drawText: svg => renderer.drawText(svg),
		sans: renderer.sans,
		paletteOf: text => paletteFor(text, looks.theme, looks.ground, looks.groundColor),
		stage: stageOf(looks),
		ground: looks.ground ?? "gradient",
		groundColor: looks.groundColor,
		typeSize: looks.typeSize ?? "auto",
		isStill,
		isSigned: looks.signature === "small",
	};
	if (job.type === "image") {
		const image = decodeImage(job.bytes, renderer);
		return { ...createImageScene(image, job.source, job, artist), undrawn: 0 };
	}
	const { prompt, part, isLater } = readScene(job.prompt);
	const timing = { ...job, duration: part?.of ?? job.duration, isLater };
	const content = readPrompt(prompt, looks.tabSize);
	if (content.type === "prose") {
		// A task list has signs that its text lacks.
		const found = renderer.fontsFor(`${content.text}${plainMarkdown(content.text)}`);
		const { sans, fonts, prose } = found;
		const scene = createTextScene(content.text, timing, {
			...artist,
			sans,
			fonts,
			prose,
			mono: renderer.mono,
			drawText: svg => found.drawText(svg),
		});
		return { ...scene, undrawn: countUndrawn(content.text, sans) };
	}
	const lines = linesOf(content);
	const tools: CodeTools = {
		...artist,
		stage: stageOf(looks, false, lines),
		...renderer.codeFontsFor(prompt, looks.font),
		colors: looks.colors,
		markedStage: stageOf(looks, true, lines),
		isNumbered: looks.numbers !== false,
	};
	return {
		...createWindowScene(content, timing, tools),
		undrawn: countUndrawn(prompt, tools.code),
	};
}

type WindowContent = Exclude<PromptContent, { readonly type: "prose" }>;

/** Returns the number of lines that the window shows at once, if it has room. */
function linesOf(content: WindowContent): number {
	switch (content.type) {
		case "change": {
			const sides = (["added", "removed"] as const).flatMap(gone =>
				content.steps.map(step => versionOf(step, gone).length),
			);
			return Math.max(...sides);
		}
		case "terminal":
			return content.lines.length;
		case "code": {
			const printed = content.output === undefined ? [] : ["", ...content.output.split("\n")];
			return [...content.code.split("\n"), ...printed].length;
		}
	}
}

function createWindowScene(
	content: WindowContent,
	timing: SceneTiming,
	tools: CodeTools,
): Omit<Scene, "undrawn"> {
	switch (content.type) {
		case "change":
			return createChangeScene(content, timing, tools);
		case "terminal":
			return createTerminalScene(content, timing, tools);
		case "code":
			return createCodeScene(content, timing, tools);
	}
}

function decodeImage(bytes: Uint8Array, renderer: SceneRenderer): Bitmap {
	const header = readImageHeader(bytes);
	if (!header || header.width === 0 || header.height === 0) {
		throw new RenderRefusal(
			`The address returned no PNG, JPEG, GIF or WebP image (${describeBytes(bytes.byteLength)}).`,
		);
	}
	const { format, width, height, orientation } = header;
	if (width * height > maxImagePixels) {
		throw new RenderRefusal(
			`The image has ${width} × ${height} pixels; the local service draws at most ${maxImagePixels / 1e6} million.`,
		);
	}
	const shrink = Math.min(1, maxImageSide / Math.max(width, height));
	const size = { width: Math.ceil(width * shrink), height: Math.ceil(height * shrink) };
	try {
		const bitmap = renderer.decodeImage({ format, bytes, orientation, ...size });
		// After a decoding failure, all pixels may be transparent.
		if (bitmap.pixels.some(value => value !== 0)) {
			return bitmap;
		}
	} catch {
		// Damaged data gets the same message for every decoder error.
		throw damagedImage(format);
	}
	throw damagedImage(format);
}

function damagedImage(format: string): RenderRefusal {
	return new RenderRefusal(
		`The ${format.toUpperCase()} image is damaged or of a kind that cannot be drawn.`,
	);
}

/** A VP8 frame and its time, in seconds from the start. */
export interface EncodedFrame {
	readonly bytes: Uint8Array;
	readonly at: number;
	/** Whether it doesn't depend on earlier frames. */
	readonly isKey: boolean;
}

const madeBy = "Drawn by Cutaway on this machine, no model";

/**
 * Writes frames to a WebM file of `duration` seconds. Each is shown until the next, the last for the time of one frame.
 * @see https://www.webmproject.org/docs/container/
 */
export async function muxWebm(
	frames: readonly EncodedFrame[],
	duration: number,
	{
		size,
		undrawn,
		looks,
	}: Pick<Scene, "size" | "undrawn"> & { readonly looks?: ClipLooks | undefined },
): Promise<Uint8Array<ArrayBuffer>> {
	const target = new BufferTarget();
	const output = new Output({ format: new WebMOutputFormat(), target });
	const source = new EncodedVideoPacketSource("vp8");
	output.addVideoTrack(source, { frameRate: framesPerSecond });
	output.setMetadataTags({
		comment: madeBy,
		raw: {
			...(undrawn > 0 && { UNDRAWN: String(undrawn) }),
			...(looks && { [clipLooksTag]: JSON.stringify(looks) }),
		},
	});
	await output.start();
	const decoderConfig = {
		codec: "vp8",
		codedWidth: size.width * density,
		codedHeight: size.height * density,
	};
	for (const [index, { bytes, at, isKey }] of frames.entries()) {
		const length = (frames[index + 1]?.at ?? duration) - at;
		const packet = new EncodedPacket(bytes, isKey ? "key" : "delta", at, length);
		await source.add(packet, index === 0 ? { decoderConfig } : undefined);
	}
	await output.finalize();
	if (!target.buffer) {
		throw new Error("The muxer gave no file");
	}
	return new Uint8Array(target.buffer);
}
