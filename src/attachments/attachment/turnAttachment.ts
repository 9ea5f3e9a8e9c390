import * as z from "zod/mini";

/** Lines of a document, both included and counted from 1. */
const lineNumber = z.int().check(z.minimum(1));
const lineRangeSchema = z.object({ first: lineNumber, last: lineNumber });

const count = z.int().check(z.minimum(0));

/** Record in a turn of an attachment whose text went into its message. */
const textAttachmentSchema = z.object({
	kind: z.literal("text"),
	name: z.string(),
	/** Path as it was shown. */
	path: z.string(),
	language: z.exactOptional(z.string()),
	lines: z.exactOptional(lineRangeSchema),
	/** The text that is sent, at most what the limits allow. */
	text: z.string(),
	/** Bytes of the whole text. */
	size: count,
	/** SHA-256 of the text that is sent, in hex. */
	hash: z.string(),
	/** Characters at the end that are not sent; 0 when it is whole, an estimate for a file that was not read to its end. */
	omittedCharacters: count,
});

/** Record in a turn of an uploaded file. Interface §2.3. */
const fileAttachmentSchema = z.object({
	kind: z.literal("file"),
	name: z.string(),
	/** Path as it was shown. */
	path: z.string(),
	/** Where the file is; left out for bytes that have no file. */
	resolvedPath: z.exactOptional(z.string()),
	mimeType: z.string(),
	/** Bytes. */
	size: count,
	/** SHA-256 of its bytes, in hex. */
	hash: z.string(),
	fileId: z.string(),
	/** The service and key that hold it, as `fileAccountOf` names them; the id means nothing to any other. */
	account: z.string(),
	/** Belongs to an earlier turn and is named here because the service got it again. */
	isCarried: z.exactOptional(z.literal(true)),
});

/**
 * A file of an earlier turn that the service does not hold any more and that could not be sent again, because it is gone or
 * changed: from this turn on it is named to the service no more.
 */
const lostFileSchema = z.object({
	kind: z.literal("lostFile"),
	name: z.string(),
	/** Path as it was shown. */
	path: z.string(),
	mimeType: z.string(),
	size: count,
	hash: z.string(),
});

/** Record in a turn of one attachment. */
export const turnAttachmentSchema = z.discriminatedUnion("kind", [
	textAttachmentSchema,
	fileAttachmentSchema,
	lostFileSchema,
]);
export type TextAttachment = z.infer<typeof textAttachmentSchema>;
export type FileAttachment = z.infer<typeof fileAttachmentSchema>;
export type TurnAttachment = z.infer<typeof turnAttachmentSchema>;

/**
 * The files that attachments leave the service with, given oldest first: each content once under each of its names, by the
 * newest that is known of it, and not at all once it is lost.
 */
export function currentFiles(attachments: readonly TurnAttachment[]): readonly FileAttachment[] {
	const current = new Map<string, FileAttachment>();
	for (const attachment of attachments) {
		const key = JSON.stringify([attachment.hash, attachment.name]);
		if (attachment.kind === "file") {
			current.set(key, attachment);
		} else if (attachment.kind === "lostFile") {
			current.delete(key);
		}
	}
	return [...current.values()];
}
