import * as z from "zod/mini";
import type { RequestTable } from "./rpc.ts";
import { maxPictureCharacters, videoToneSchema } from "./video.ts";

/** The largest clip that the gallery takes a picture of by itself, in bytes; a larger one gets its picture when it is played. */
export const maxPicturedClipBytes = 16_000_000;

/** A video of the gallery. */
export const galleryVideoSchema = z.strictObject({
	jobId: z.string(),
	/** Its short name: “volumeDiscount”. */
	name: z.string(),
	/** Text of its tooltip. */
	tooltip: z.string(),
	tone: videoToneSchema,
	/** The job's state, in two or three words. */
	state: z.string(),
	/** Length of the clip, such as “4 s”; null where none was asked for. */
	length: z.nullable(z.string()),
	/** When it was asked for, short. */
	date: z.string(),
	/** Address of its picture inside the webview; null without one. */
	picture: z.nullable(z.string()),
	/** Address of the clip that the page is to take a picture of; null where there is a picture, or none is to be taken. */
	clip: z.nullable(z.string()),
	isDeletable: z.boolean(),
	hasScenes: z.boolean(),
});
export type GalleryVideo = z.infer<typeof galleryVideoSchema>;

/** Everything the gallery shows. */
export const galleryStateSchema = z.strictObject({
	/** The videos that the filter lists, the newest first. */
	videos: z.array(galleryVideoSchema),
	/** The filter in words; null when it lists everything. */
	filter: z.nullable(z.string()),
});
export type GalleryState = z.infer<typeof galleryStateSchema>;

const nothing = z.strictObject({});
const ofVideo = { params: z.strictObject({ jobId: z.string() }), result: nothing } as const;

/** Requests of the gallery to the host. They name videos, and hold no address, no path and no command. */
export const galleryRequests = {
	ready: { params: nothing, result: galleryStateSchema },
	open: ofVideo,
	/** Lets the user choose from everything that can be done with the video. */
	choose: ofVideo,
	showScenes: ofVideo,
	/** Takes the video off the list, with a way back. */
	remove: ofVideo,
	/** Lists everything again. */
	showAll: { params: nothing, result: nothing },
	/** Begins a video from what is selected, or from words that the user is asked for. */
	generate: { params: z.strictObject({ from: z.enum(["selection", "words"]) }), result: nothing },
	/** A small picture of a clip as a `data:` address; the host checks and keeps it. */
	keepPicture: {
		params: z.strictObject({
			jobId: z.string(),
			address: z.string().check(z.maxLength(maxPictureCharacters)),
		}),
		result: nothing,
	},
} as const satisfies RequestTable;
export type GalleryRequests = typeof galleryRequests;

/** Events of the host for the gallery, by name. */
export const galleryPushes = { state: galleryStateSchema } as const;
export type GalleryPushes = typeof galleryPushes;
