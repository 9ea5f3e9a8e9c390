import * as z from "zod/mini";

export const clipFormatSchema = z.enum(["webp", "gif", "mp4", "png"]);
export type ExportFormat = z.infer<typeof clipFormatSchema>;

/** The offered widths of an exported file in pixels, up to the clip's own. The height follows from the aspect ratio. */
export const clipWidths = [480, 720, 960, 1280, 1920] as const;

/** A request to the page to export its clip. */
export const clipExportSchema = z.strictObject({
	/** Id for the replies. */
	id: z.int(),
	format: clipFormatSchema,
	/** In pixels. A narrower clip isn't enlarged. */
	width: z.int(),
	/** Whether an animation repeats. */
	isLooping: z.boolean(),
	/** Whether captions are drawn into the frames. */
	hasCaptions: z.boolean(),
});
export type ClipExport = z.infer<typeof clipExportSchema>;

/** The most base64 characters per part of an exported file, so that a message stays below its limit. */
export const maxPartCharacters = 600_000;

/** The largest exported file, in bytes: many times the size of a large animation of 60 s, and small enough for memory. */
export const maxExportBytes = 256_000_000;

/** Why a clip couldn't be exported. */
export const clipExportFailureSchema = z.enum([
	/** The editor's browser can't play it. */
	"cannotPlay",
	/** The clip is longer than exports may be. */
	"tooLong",
	/** The file would be larger than `maxExportBytes`. */
	"tooLarge",
	/** The editor's browser has no encoder for the format. */
	"cannotEncode",
	"failed",
]);
export type ClipExportFailure = z.infer<typeof clipExportFailureSchema>;

const id = z.int();
const nothing = z.strictObject({});

/** The page's messages about an export. */
export const clipExportRequests = {
	/** `share` of the work done, 0 to 1. */
	exportProgress: {
		params: z.strictObject({ id, share: z.number() }),
		result: nothing,
	},
	/** A part of the file. Parts are sent in order. */
	exportPart: {
		params: z.strictObject({
			id,
			base64: z.string().check(z.maxLength(maxPartCharacters)),
			isLast: z.boolean(),
		}),
		result: nothing,
	},
	exportFailed: {
		params: z.strictObject({
			id,
			reason: clipExportFailureSchema,
			/** The browser's error message, for the log. */
			detail: z.string().check(z.maxLength(500)),
		}),
		result: nothing,
	},
} as const;
