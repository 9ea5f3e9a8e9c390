import * as z from "zod/mini";
import { command, nothing, type RequestTable } from "./rpc.ts";
import { maxPictureCharacters, videoToneSchema } from "./videoCard.ts";

/** The largest clip of which the gallery creates a thumbnail by itself, in bytes. Larger ones get it when played. */
export const maxPicturedClipBytes = 16_000_000;

export const galleryVideoSchema = z.strictObject({
	jobId: z.string(),
	/** Short name, such as “volumeDiscount”. */
	name: z.string(),
	tooltip: z.string(),
	tone: videoToneSchema,
	state: z.string(),
	/** Length of the clip, such as “4 s”. Null if none was requested. */
	length: z.nullable(z.string()),
	/** When it was requested, in short form. */
	date: z.string(),
	/** URL of its thumbnail inside the webview, or null. */
	picture: z.nullable(z.string()),
	/** URL of the clip if the page should create a thumbnail, otherwise null. */
	clip: z.nullable(z.string()),
	isDeletable: z.boolean(),
	hasScenes: z.boolean(),
});
export type GalleryVideo = z.infer<typeof galleryVideoSchema>;

export const galleryStateSchema = z.strictObject({
	/** The videos that match the filter, newest first. */
	videos: z.array(galleryVideoSchema),
	/** Description of the filter, or null if it matches everything. */
	filter: z.nullable(z.string()),
});
export type GalleryState = z.infer<typeof galleryStateSchema>;

const ofVideo = command({ jobId: z.string() });

/** The gallery's requests to the host. They contain no paths and no commands, only ids of videos. */
export const galleryRequests = {
	ready: { params: nothing, result: galleryStateSchema },
	open: ofVideo,
	choose: ofVideo,
	showScenes: ofVideo,
	/** Removes the video from the list; can be undone. */
	remove: ofVideo,
	showAll: { params: nothing, result: nothing },
	/** Starts a video from the selection, or from a prompt that the user enters. */
	generate: command({ from: z.enum(["selection", "words"]) }),
	/** Stores a thumbnail of a clip, as a `data:` URL. The host validates it. */
	keepPicture: command({
		jobId: z.string(),
		address: z.string().check(z.maxLength(maxPictureCharacters)),
	}),
} as const satisfies RequestTable;
export type GalleryRequests = typeof galleryRequests;

/** The host's events for the gallery, by name. */
export const galleryPushes = { state: galleryStateSchema } as const;
export type GalleryPushes = typeof galleryPushes;
