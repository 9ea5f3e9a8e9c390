import * as z from "zod/mini";

/** Formats that a clip can be exported as. */
export const clipFormatSchema = z.enum(["webp", "gif", "mp4", "png"]);
export type ExportFormat = z.infer<typeof clipFormatSchema>;

/** Widths of an exported file that are offered, in pixels, up to the clip's own; the height follows from the clip. */
export const clipWidths = [480, 720, 960, 1280, 1920] as const;

/** Export that the page is asked to make of its clip. */
export const clipExportSchema = z.strictObject({
	/** Pairs what comes back with the request. */
	id: z.int(),
	format: clipFormatSchema,
	/** In pixels; a clip that is narrower stays so. */
	width: z.int(),
	/** Whether an animation begins again when it ends. */
	isLooping: z.boolean(),
	/** Whether the words are drawn into the pictures. */
	hasCaptions: z.boolean(),
});
export type ClipExport = z.infer<typeof clipExportSchema>;

/** The most base64 characters of one part of an exported file, so that a message stays below its limit. */
export const maxPartCharacters = 600_000;

/** The largest file of an export, in bytes: many times what 60 s of a large animation take, and little enough to be held in memory. */
export const maxExportBytes = 256_000_000;

/** Why a clip could not be exported; a closed list. */
export const clipExportFailureSchema = z.enum([
	/** The editor's browser cannot play it. */
	"cannotPlay",
	/** Longer than is exported. */
	"tooLong",
	/** The file would have more bytes than `maxExportBytes`. */
	"tooLarge",
	/** The editor's browser has no encoder for the format. */
	"cannotEncode",
	"failed",
]);
export type ClipExportFailure = z.infer<typeof clipExportFailureSchema>;

const id = z.int();
const nothing = z.strictObject({});

/** Reports of the page about an export. */
export const clipExportRequests = {
	/** `share` of the work that is done, 0 to 1. */
	exportProgress: {
		params: z.strictObject({ id, share: z.number() }),
		result: nothing,
	},
	/** The parts of the file, in order. */
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
			/** The browser's own words, for a maintainer. */
			detail: z.string().check(z.maxLength(500)),
		}),
		result: nothing,
	},
} as const;
