import * as z from "zod/mini";
import { chosenLookSchema, lookPartsSchema } from "./clipLookNames.ts";
import { command, nothing, type RequestTable } from "./rpc.ts";
import { videoActionSchema, videoToneSchema, maxPictureCharacters } from "./videoCard.ts";

export const clipFormatSchema = z.enum(["webp", "gif", "mp4", "png"]);
export type ExportFormat = z.infer<typeof clipFormatSchema>;

/** Whether a format can have a transparent background. */
export function hasTransparency(format: ExportFormat): boolean {
	return format === "webp" || format === "png";
}

/** The offered widths of an exported file in pixels, up to the clip's own. The height follows from the aspect ratio. */
export const clipWidths = [480, 720, 960, 1280, 1920] as const;

/** Frames per second of an exported animation. GIF durations are in hundredths of a second, so 20 is exact in every format. */
export const framesPerSecond = 20;

const drawnFramesSchema = z.strictObject({
	file: z.instanceof(Uint8Array),
	/** Whether the frames have their background. It is transparent otherwise. */
	hasGround: z.boolean(),
});
export type DrawnFrames = z.infer<typeof drawnFramesSchema>;

const clipExportSchema = z.strictObject({
	id: z.int(),
	format: clipFormatSchema,
	/** In pixels. A narrower clip isn't enlarged. */
	width: z.int(),
	isLooping: z.boolean(),
	hasCaptions: z.boolean(),
	/** The clip's frames, if the local renderer can draw them. Otherwise the page reads them from the clip. */
	drawn: z.optional(drawnFramesSchema),
});
export type ClipExport = z.infer<typeof clipExportSchema>;

/** The most base64 characters per part of an exported file, so that a message stays below its limit. */
export const maxPartCharacters = 600_000;

/** The largest exported file, in bytes: more than a storyboard of 144 s usually has, and small enough for memory. */
export const maxExportBytes = 256_000_000;

/** Why a clip couldn't be exported. */
const clipExportFailureSchema = z.enum([
	/** The editor's browser can't play it. */
	"cannotPlay",
	/** The file would be larger than `maxExportBytes`. */
	"tooLarge",
	/** The editor's browser has no encoder for the format. */
	"cannotEncode",
	"failed",
]);
export type ClipExportFailure = z.infer<typeof clipExportFailureSchema>;

const id = z.int();

const clipExportRequests = {
	/** `share` of the work done, 0 to 1. */
	exportProgress: command({ id, share: z.number() }),
	/** A part of the file. Parts are sent in order. */
	exportPart: command({
		id,
		base64: z.string().check(z.maxLength(maxPartCharacters)),
		isLast: z.boolean(),
	}),
	exportFailed: command({
		id,
		reason: clipExportFailureSchema,
		/** The browser's error message, for the log. */
		detail: z.string().check(z.maxLength(500)),
	}),
} as const;

/** A clip on disk, as the page can load it. */
const clipViewSchema = z.strictObject({
	url: z.string(),
	fileName: z.string(),
	/** Such as “1.2 MB”. */
	size: z.string(),
	/** Whether the file has AAC sound, which most builds of VS Code can't play. */
	hasAacSound: z.boolean(),
	/** The number of characters of its text that could not be drawn, if any are known. */
	undrawn: z.optional(z.int()),
});
export type ClipView = z.infer<typeof clipViewSchema>;

const clipLookViewSchema = z.strictObject({
	...chosenLookSchema.shape,
	/** Whether it shows a window, which has the title bar, the line numbers and the margin. */
	hasWindow: z.boolean(),
	/** The themes to choose from, those of extensions among them. */
	themes: z.array(z.string()),
});
export type ClipLookView = z.infer<typeof clipLookViewSchema>;

const captionPartSchema = z.strictObject({
	/** Plain text, without Markdown syntax. */
	words: z.string(),
	/** Requested duration in seconds; its share of the sum determines the part's length. */
	seconds: z.number(),
});
export type CaptionPart = z.infer<typeof captionPartSchema>;

/** Everything the preview shows. */
const videoViewStateSchema = z.strictObject({
	jobId: z.string(),
	/** The start of the prompt, in one line. */
	title: z.string(),
	kind: z.enum(["text", "image", "storyboard"]),
	/** The prompt, the URL of the image, or the storyboard's document. */
	prompt: z.string(),
	/** The request's options as text, such as “2 s” or “Motion 3 of 5”. */
	parameters: z.array(z.string()),
	service: z.string(),
	/** Who made the video, as a sentence: “Drawn on this machine, no model”. */
	provenance: z.string(),
	/** Name of the document to insert the clip into. Null if the user will be asked. */
	insertInto: z.nullable(z.string()),
	/** When the user first requested it, in milliseconds since 1970. */
	createdAt: z.number(),
	/** When the request was last sent, in milliseconds since 1970; the elapsed time counts from here. */
	startedAt: z.number(),
	/** Location of the text, such as “pricing.ts, line 12”. */
	source: z.nullable(z.string()),
	tone: videoToneSchema,
	label: z.string(),
	/** What happened, what was kept and what to do next. Empty if the label is enough. */
	sentence: z.string(),
	/** Message of the service, shown separately as plain text. */
	serviceMessage: z.optional(z.string()),
	/** Share of the clip downloaded, or of the scenes ready, 0 to 1. Null if unknown. */
	downloaded: z.nullable(z.number().check(z.minimum(0), z.maximum(1))),
	actions: z.array(videoActionSchema),
	clip: z.nullable(clipViewSchema),
	/** Null if the clip can't be drawn again. */
	look: z.nullable(clipLookViewSchema),
	/** Whether a clip that is made now has a chosen look, as those of the local renderer. */
	hasNewLook: z.boolean(),
	/** Captions of the whole clip, in order. Empty if the request has no text. */
	captions: z.array(captionPartSchema),
	/** Whether captions were on in the last used preview. The page reads it once, when it loads. */
	showsCaptions: z.boolean(),
	/** Whether the host has no thumbnail of the clip yet. */
	wantsPicture: z.boolean(),
});
export type VideoViewState = z.infer<typeof videoViewStateSchema>;

/** State that the page keeps through `setState`. After a reload, `jobId` identifies the panel. */
export const videoMemorySchema = z.object({
	jobId: z.string().check(z.minLength(1), z.maxLength(200)),
	isLooping: z.boolean(),
	/** Playback rate, 0.25 to 2. */
	speed: z.number().check(z.minimum(0.25), z.maximum(2)),
});
export type VideoMemory = z.infer<typeof videoMemorySchema>;

/** The preview's requests to the host. They contain no paths and no commands. */
export const videoRequests = {
	ready: { params: nothing, result: videoViewStateSchema },
	runAction: command({
		action: videoActionSchema,
		/** What the options of a new clip start with in place of the settings. */
		look: z.optional(lookPartsSchema),
	}),
	/** Shows the actions that aren't `shown` as buttons. */
	chooseAction: {
		params: z.strictObject({ shown: z.array(videoActionSchema) }),
		result: nothing,
	},
	/** Stores a thumbnail of the clip as a `data:` URL, taken when it first plays. The host validates it. */
	keepPicture: command({ address: z.string().check(z.maxLength(maxPictureCharacters)) }),
	/** Draws the clip's last frame for copying it; null if only the video has it. A later copy stops this one. */
	drawPicture: {
		params: nothing,
		result: z.strictObject({ drawn: z.nullable(drawnFramesSchema), isStopped: z.boolean() }),
	},
	/** Draws the clip's last frame with another look, and drops an earlier drawing of a look. */
	drawLook: { params: chosenLookSchema, result: z.strictObject({ drawn: drawnFramesSchema }) },
	stopLook: { params: nothing, result: nothing },
	/** Saves parts of a look for new clips. */
	keepLook: { params: lookPartsSchema, result: nothing },
	keepCaptions: command({ isShown: z.boolean() }),
	clipWidth: command({ width: z.int() }),
	/** The page couldn't play the clip. `reason` is the browser's message, for the log. */
	cannotPlay: command({ reason: z.string().check(z.maxLength(500)) }),
	...clipExportRequests,
} as const satisfies RequestTable;
export type VideoRequests = typeof videoRequests;

/** The host's events for the preview, by name. */
export const videoPushes = {
	state: videoViewStateSchema,
	export: clipExportSchema,
	/** Cancels an export. The page sends nothing further about it. */
	stopExport: z.strictObject({ id: z.int() }),
} as const;
export type VideoPushes = typeof videoPushes;
