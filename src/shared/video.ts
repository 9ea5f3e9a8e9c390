import * as z from "zod/mini";
import { clipExportRequests, clipExportSchema } from "./clipExport.ts";
import type { RequestTable } from "./rpc.ts";

/** Actions on a video job; each is a button. The host offers them, and runs only what it offers. */
export const videoActionSchema = z.enum([
	/** «Submit»: nothing was sent before, so nothing can be charged twice. */
	"submit",
	/** «Submit again (may be charged)». */
	"submitAgain",
	/** «Check again»: asks the service for the job's state, or fetches the clip once more. Free. */
	"checkAgain",
	"keepWatching",
	"stopWatching",
	/** «Set API Key…» */
	"setApiKey",
	/** «Connect to a Service…» */
	"connect",
	"openSource",
	"copyPrompt",
	/** Copies the raw facts: ids, status, address, what the service reported. */
	"copyDetails",
	"saveAs",
	"reveal",
	/** “Copy GIF”: makes the file, and copies where it is. */
	"copyGif",
	/** “Copy Picture”: the page puts it on the clipboard; where that can't be, the host makes the file and copies where it is. */
	"copyPicture",
	/** “Copy Markdown”: an animated picture beside the document, and the text that shows it on the clipboard. */
	"copyMarkdown",
	/** «Export as…»: a file to share, made of the clip. */
	"exportAs",
	/** Insert into README…: an animated picture beside the document, and the Markdown that shows it. */
	"insertImage",
	"insertLink",
	"insertTag",
	"openExternally",
	/** «Generate Again»: the same request once more; charged like the first. */
	"generateAgain",
	/** «Generate Again with Changes…» */
	"generateWithChanges",
	/** Fetches the clip though it is larger than the limit (fault J17). */
	"downloadAnyway",
	/** «Submit Scenes»: those of a storyboard that were never sent, or were turned away. */
	"submitScenes",
	/** «Join Scenes»: makes one clip of a storyboard's once more. */
	"joinScenes",
	/** «Show Scenes…»: lists the videos of a storyboard. */
	"showScenes",
	"showLog",
]);
export type VideoAction = z.infer<typeof videoActionSchema>;

/** How a job looks: its color and its icon follow from it. */
export const videoToneSchema = z.enum(["working", "ready", "attention", "failed", "stopped"]);
export type VideoTone = z.infer<typeof videoToneSchema>;

/** A clip on this machine's disk, as the page may load it. */
export const clipViewSchema = z.strictObject({
	/** Address inside the webview. */
	url: z.string(),
	fileName: z.string(),
	/** «1.2 MB». */
	size: z.string(),
	/** Whether the file has AAC sound, which most builds of VS Code cannot play (fault J18). */
	hasAacSound: z.boolean(),
	/** How many characters of its text could not be drawn; left out where none is known of. */
	undrawn: z.optional(z.int()),
});
export type ClipView = z.infer<typeof clipViewSchema>;

/** A stretch of a clip and the words that are shown over it when captions are on. */
export const captionPartSchema = z.strictObject({
	/** Plain text, without the marks of Markdown. */
	words: z.string(),
	/** Length of the stretch beside the others, in seconds as they were asked for. */
	seconds: z.number(),
});
export type CaptionPart = z.infer<typeof captionPartSchema>;

/** Everything the preview shows. */
export const videoViewStateSchema = z.strictObject({
	jobId: z.string(),
	/** The beginning of the prompt, in one line. */
	title: z.string(),
	kind: z.enum(["text", "image", "storyboard"]),
	/** The prompt, the address of the image, or the storyboard's document. */
	prompt: z.string(),
	/** Request in words: «2 s», «Motion 3 of 5». */
	parameters: z.array(z.string()),
	/** Name of the service that the job belongs to. */
	service: z.string(),
	/** Who made it, in one sentence: “Drawn on this machine, no model”. */
	provenance: z.string(),
	/** Name of the document that the clip would be inserted into; null where the user would be asked. */
	insertInto: z.nullable(z.string()),
	/** When the user first asked, in milliseconds since 1970. */
	createdAt: z.number(),
	/** When the request was last sent, in milliseconds since 1970: what elapsed time counts from. */
	startedAt: z.number(),
	/** Where the text came from: «pricing.ts, line 12». */
	source: z.nullable(z.string()),
	tone: videoToneSchema,
	/** The job's state, in two or three words. */
	label: z.string(),
	/** Sentence with what happened, what was kept and what to do next; empty when the label says it all. */
	sentence: z.string(),
	/** Message of the service, shown apart and as plain text. */
	serviceMessage: z.optional(z.string()),
	/** Share of the clip that is on disk, or of the scenes that are ready, 0 to 1; null when there is nothing to measure. */
	downloaded: z.nullable(z.number().check(z.minimum(0), z.maximum(1))),
	actions: z.array(videoActionSchema),
	clip: z.nullable(clipViewSchema),
	/** The words over the whole clip, in order; none where the request has no words. */
	captions: z.array(captionPartSchema),
	/** Whether captions were on when the user last chose, in any preview. The page goes by it once, when it loads. */
	showsCaptions: z.boolean(),
	/** Whether the host wants a picture of the clip: it has none so far. */
	wantsPicture: z.boolean(),
});
export type VideoViewState = z.infer<typeof videoViewStateSchema>;

/** State that the page keeps through `setState`; a panel restored after a reload is found by its `jobId`. */
export const videoMemorySchema = z.object({
	jobId: z.string().check(z.minLength(1), z.maxLength(200)),
	isLooping: z.boolean(),
	/** Playback rate, 0.25 to 2. */
	speed: z.number().check(z.minimum(0.25), z.maximum(2)),
});
export type VideoMemory = z.infer<typeof videoMemorySchema>;

/** The most characters of a picture of a clip, as a `data:` address. */
export const maxPictureCharacters = 100_000;

const nothing = z.strictObject({});

/** Requests of the preview to the host. They hold no address, no path and no command. */
export const videoRequests = {
	/** The page has loaded and needs everything it should display. */
	ready: { params: nothing, result: videoViewStateSchema },
	/** Runs an action that the state offers. */
	runAction: { params: z.strictObject({ action: videoActionSchema }), result: nothing },
	/** Lets the user choose from everything that can be done with the video. */
	chooseAction: { params: nothing, result: nothing },
	/** A small picture of the clip as a `data:` address, taken when it first plays; the host checks and keeps it. */
	keepPicture: {
		params: z.strictObject({ address: z.string().check(z.maxLength(maxPictureCharacters)) }),
		result: nothing,
	},
	/** Keeps for every preview from now on whether captions are shown. */
	keepCaptions: { params: z.strictObject({ isShown: z.boolean() }), result: nothing },
	/** How wide the clip's pictures are, once they are known, in pixels. */
	clipWidth: { params: z.strictObject({ width: z.int() }), result: nothing },
	/** The page could not play the clip; `reason` is the browser's own word for a maintainer. */
	cannotPlay: {
		params: z.strictObject({ reason: z.string().check(z.maxLength(500)) }),
		result: nothing,
	},
	...clipExportRequests,
} as const satisfies RequestTable;
export type VideoRequests = typeof videoRequests;

/** Events of the host for the preview, by name. */
export const videoPushes = {
	/** The whole state. */
	state: videoViewStateSchema,
	/** Asks for a file of the clip. */
	export: clipExportSchema,
	/** Ends that work; the page says nothing more of it. */
	stopExport: z.strictObject({ id: z.int() }),
} as const;
export type VideoPushes = typeof videoPushes;

/** The largest clip that a card plays, in bytes; of a larger one it shows the picture. */
export const maxCardClipBytes = 4_000_000;

/** A video below the question it belongs to. Made from the job's record, never from the chat's log. */
export const videoCardSchema = z.strictObject({
	jobId: z.string(),
	turnId: z.string(),
	/** The beginning of the prompt, in one line. */
	title: z.string(),
	tone: videoToneSchema,
	/** The job's state, in two or three words. */
	label: z.string(),
	/** Sentence with what happened, what was kept and what to do next; empty when the label says it all. */
	sentence: z.string(),
	/** When the request was last sent, in milliseconds since 1970: what elapsed time counts from. */
	startedAt: z.number(),
	/** Whether something still happens with it, so that the time it has taken is worth showing. */
	isUnfinished: z.boolean(),
	/** The likeliest things to do, the first one first; «Open» and everything else are always offered. */
	actions: z.array(z.strictObject({ action: videoActionSchema, label: z.string() })),
	/** Whether there is a clip that the page may ask for and play in the card. */
	hasClip: z.boolean(),
	/** A picture from the clip as a `data:` address; null when there is none. */
	picture: z.nullable(z.string().check(z.maxLength(maxPictureCharacters))),
});
export type VideoCard = z.infer<typeof videoCardSchema>;
