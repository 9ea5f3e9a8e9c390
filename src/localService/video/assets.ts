import * as z from "zod/mini";
import { fileURLToPath } from "node:url";
import type { Clock } from "../../common/async.ts";
import { runInThread } from "../../common/threadTask.ts";
import { usualSeconds } from "../../common/videoEngines.ts";
import { durationSchema, motionStrengthSchema } from "../../client/contract/schemas.ts";
import { clipLooksSchema } from "../base/clipLooksSchema.ts";
import { type BundledFont, type CodeFace, fontAlphabets } from "./fonts/bundledFaces.ts";

const file = z.string().check(z.minLength(1));

/** The files needed for drawing, as absolute paths. Files that end in `.br` are compressed with Brotli. */
const videoAssetsSchema = z.object({
	/** `@resvg/resvg-wasm`: draws SVG. */
	resvg: file,
	/** `@jsquash/webp`: decodes WebP images. */
	webpDecoder: file,
	/** Inter, one file per alphabet: the font of prose and titles. */
	sans: z.array(file),
	/** Other faces of Inter, each one file per alphabet. */
	sansFaces: z.object({ bold: z.array(file), italic: z.array(file) }),
	/** JetBrains Mono, one file per alphabet: the font of code if the editor's is unavailable. */
	mono: z.array(file),
	/** Other faces of JetBrains Mono, each one file per alphabet. */
	monoFaces: z.object({ bold: z.array(file), italic: z.array(file), boldItalic: z.array(file) }),
	/** DejaVu Sans and DejaVu Sans Mono, for characters missing in the fonts above. */
	otherSans: file,
	otherMono: file,
});
export type VideoAssets = z.infer<typeof videoAssetsSchema>;

interface BundledVideo {
	readonly workerFile: URL;
	readonly assets: VideoAssets;
}

/** Locates them from the URL of the running bundle, `import.meta.url`. */
export function bundledVideo(bundleUrl: string): BundledVideo {
	const path = (name: string): string => fileURLToPath(new URL(`./video/${name}`, bundleUrl));
	const faceFiles = (face: CodeFace, font: BundledFont = "JetBrainsMono"): string[] =>
		fontAlphabets.map(alphabet => path(`${font}-${face}-${alphabet}.ttf.br`));
	return {
		workerFile: new URL("./localVideo.js", bundleUrl),
		assets: {
			resvg: path("resvg.wasm"),
			webpDecoder: path("webpDecoder.wasm"),
			sans: fontAlphabets.map(alphabet => path(`Inter-${alphabet}.ttf.br`)),
			sansFaces: { bold: faceFiles("bold", "Inter"), italic: faceFiles("italic", "Inter") },
			mono: fontAlphabets.map(alphabet => path(`JetBrainsMono-${alphabet}.ttf.br`)),
			monoFaces: {
				bold: faceFiles("bold"),
				italic: faceFiles("italic"),
				boldItalic: faceFiles("boldItalic"),
			},
			otherSans: path("DejaVuSans.ttf.br"),
			otherMono: path("DejaVuSansMono.ttf.br"),
		},
	};
}

/** Defaults for requests; the interface defines none (§4.1). */
export const defaultOptions = { duration: usualSeconds, motionStrength: 3 } as const;

const common = {
	duration: durationSchema,
	motionStrength: motionStrengthSchema,
	/** Defaults to `plainLooks`. */
	looks: z.optional(clipLooksSchema),
};

const clipJobSchema = z.discriminatedUnion("type", [
	z.object({ type: z.literal("text"), prompt: z.string(), ...common }),
	z.object({
		type: z.literal("image"),
		bytes: z.instanceof(Uint8Array),
		/** URL of the image, which determines colors and direction. */
		source: z.string(),
		...common,
	}),
]);
export type ClipJob = z.infer<typeof clipJobSchema>;

/** Frames of a clip made from text, to be drawn without encoding them. See `FramesOrder`. */
const framesJobSchema = z.object({
	type: z.literal("frames"),
	scenes: z.array(clipJobSchema),
	rate: z.optional(z.number()),
	isWhole: z.optional(z.boolean()),
	hasGround: z.boolean(),
});
export type FramesJob = z.infer<typeof framesJobSchema>;

/** Input of a rendering thread. */
export const renderDataSchema = z.object({
	job: z.discriminatedUnion("type", [clipJobSchema, framesJobSchema]),
	assets: videoAssetsSchema,
});
type RenderData = z.infer<typeof renderDataSchema>;

const renderResultSchema = z.discriminatedUnion("type", [
	/** The clip's file, or a file of its frames. */
	z.object({ type: z.literal("clip"), bytes: z.instanceof(Uint8Array) }),
	/** The job can't be done; `message` is for the user. */
	z.object({ type: z.literal("refused"), message: z.string() }),
]);
export type RenderResult = z.infer<typeof renderResultSchema>;

/** Renders a clip. Rejects with `AbortError` if aborted, or with the reason if the thread fails. */
export type RenderClip = (job: ClipJob, signal: AbortSignal) => Promise<RenderResult>;

interface RenderThreadDependencies {
	readonly workerFile: URL | string;
	readonly assets: VideoAssets;
	readonly clock: Clock;
}

/** Rendering takes seconds, so a thread that runs this long is hung. */
const timeoutMs = 120_000;

/** Running out of memory ends only the thread, not the service. */
const maxHeapMb = 512;

/** Creates a function that renders each clip, or draws its frames, in its own thread, which frees its memory afterwards. */
export function createThreadRenderer(
	dependencies: RenderThreadDependencies,
): (job: ClipJob | FramesJob, signal: AbortSignal) => Promise<RenderResult> {
	const { workerFile, assets, clock } = dependencies;
	const task = {
		workerFile,
		name: "cutaway-video",
		result: renderResultSchema,
		timeoutMs,
		maxHeapMb,
	};
	return (job, signal) => {
		const data: RenderData = { job, assets };
		return runInThread({ ...task, data }, clock, signal);
	};
}
