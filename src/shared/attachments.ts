import * as z from "zod/mini";
import { command, nothing } from "./rpc.ts";

/** Use of an attachment: `read` adds its text to the message, `codeInterpreter` uploads and references the file (docs/interface.md §2.3, §4.4). */
export const attachmentUseSchema = z.enum(["read", "codeInterpreter"]);
export type AttachmentUseView = z.infer<typeof attachmentUseSchema>;

/** Determines the icon only. */
const attachmentKindSchema = z.enum([
	"text",
	"data",
	"image",
	"selection",
	"problems",
	"page",
	"chat",
	"changes",
]);

const attachmentStateSchema = z.discriminatedUnion("type", [
	/** Requires the user's consent, because the file is sensitive or outside the workspace. */
	z.strictObject({ type: z.literal("unconfirmed"), sentence: z.string() }),
	/** Nothing has been sent. */
	z.strictObject({ type: z.literal("ready") }),
	/** Waiting to be read or uploaded. */
	z.strictObject({ type: z.literal("waiting") }),
	/** Hashing, to find out whether the service already has the file. */
	z.strictObject({ type: z.literal("reading") }),
	/** Bytes sent. `isDelayed` while the client waits to retry. */
	z.strictObject({ type: z.literal("uploading"), sentBytes: z.number(), isDelayed: z.boolean() }),
	/** The service has the file. `isReused` if the same bytes were uploaded before. */
	z.strictObject({ type: z.literal("uploaded"), isReused: z.boolean() }),
	z.strictObject({
		type: z.literal("failed"),
		sentence: z.string(),
		serviceMessage: z.nullable(z.string()),
		canRetry: z.boolean(),
		/** Whether a retry may be charged (docs/faults.md). */
		mayBeCharged: z.boolean(),
	}),
]);

/** An attachment of the message being written. */
export const attachmentViewSchema = z.strictObject({
	id: z.string(),
	/** File name, with the lines of a selection. */
	name: z.string(),
	/** Path as the user knows it. */
	path: z.string(),
	/** In bytes. */
	size: z.number(),
	kind: attachmentKindSchema,
	use: attachmentUseSchema,
	/** Whether the other use is possible, too. */
	canSwitchUse: z.boolean(),
	state: attachmentStateSchema,
	/** A note for the user, for example that images are available to the code interpreter only. */
	note: z.nullable(z.string()),
	/** The number of invisible characters in its text, if any. */
	hidden: z.optional(z.int()),
	/** Whether its file, or its text, can be shown in the editor. */
	canOpen: z.exactOptional(z.literal(true)),
	/** The folder it was attached with, whose files are shown as one. Null for a file attached by itself. */
	folder: z.nullable(z.string()),
});
export type AttachmentView = z.infer<typeof attachmentViewSchema>;

/** All attachments of the next message. */
export const attachmentsViewSchema = z.strictObject({
	items: z.array(attachmentViewSchema),
	/** Characters of text attached, and their limit. Null if no text is attached. */
	budget: z.nullable(z.strictObject({ characters: z.number(), limit: z.number() })),
	/** A model to offer instead, because the selected one can't use the code interpreter. */
	offeredModel: z.nullable(z.string()),
	/** Whether the model sees images of the formats and sizes that `seenImages` names. */
	seesImages: z.exactOptional(z.literal(true)),
	/** Whether a message with attachments is being sent. Stop cancels reading and uploading. */
	isSending: z.boolean(),
	/** Name of the editor's selection, if there is one and it isn't attached. */
	selection: z.exactOptional(z.string()),
});
export type AttachmentsView = z.infer<typeof attachmentsViewSchema>;

/** An attachment of a sent message, as shown in the conversation. */
export const sentAttachmentSchema = z.strictObject({
	name: z.string(),
	path: z.string(),
	/** In bytes. */
	size: z.number(),
	kind: attachmentKindSchema,
	use: attachmentUseSchema,
	/** Whether the service lost the file and it couldn't be uploaded again. */
	isLost: z.boolean(),
	/** The number of characters not sent from its end, if any. */
	omitted: z.optional(z.int()),
	/** Whether it is a page, or a file in the workspace. */
	canOpen: z.exactOptional(z.literal(true)),
});
export type SentAttachment = z.infer<typeof sentAttachmentSchema>;

/** A completion for `@`. The host issues the id; paths never come from a webview. */
export const attachmentOfferSchema = z.strictObject({
	id: z.string(),
	kind: z.enum(["file", "folder", "selection", "problems", "changes", "page", "chat"]),
	label: z.string(),
	detail: z.string(),
	/** Positions in `label` that match the query. */
	matches: z.array(z.int()),
});
export type AttachmentOffer = z.infer<typeof attachmentOfferSchema>;

/** The largest image to show in its pill, in bytes. */
export const maxPicturedImageBytes = 4_000_000;

/** The media types of images that models see. */
export const seenImages = /^image\/(?:png|jpeg|gif|webp)$/;
/** Other formats that the page converts when an image is pasted or dropped. No browser of VS Code decodes HEIC and TIFF. */
export const convertedImages = /^image\/(?:avif|bmp|x-icon)$/;

/** The largest file to accept from the webview by drop or paste, in bytes. Larger ones can be attached by command. */
export const maxTransferBytes = 20 * 1024 * 1024;

/** Bytes per part of such a file. As base64, a part stays below the message limit. */
export const transferPieceBytes = 480 * 1024;

const id = z.string().check(z.maxLength(64));
const base64 = z
	.string()
	.check(
		z.maxLength(Math.ceil(transferPieceBytes / 3) * 4),
		z.regex(/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/),
	);

/** The composer's requests about attachments. */
export const attachmentRequests = {
	attachFiles: { params: nothing, result: nothing },
	/** Returns completions for a query, best first. */
	completeAttachment: {
		params: z.strictObject({ query: z.string().check(z.maxLength(2000)) }),
		result: z.strictObject({ offers: z.array(attachmentOfferSchema) }),
	},
	attachSelection: { params: nothing, result: nothing },
	/** Attaches an item returned by `completeAttachment`. */
	attachOffer: command({ id }),
	/** Attaches files by their dropped URIs. These are untrusted: the host resolves them and asks for consent if necessary. */
	attachAddresses: command({
		addresses: z.array(z.string().check(z.maxLength(4096))).check(z.minLength(1), z.maxLength(200)),
	}),
	/** Starts transferring a file that only the webview has, after paste or drop from the operating system. */
	beginTransfer: {
		params: z.strictObject({
			name: z.string().check(z.maxLength(255)),
			type: z.string().check(z.maxLength(200)),
			size: z.int().check(z.minimum(0), z.maximum(maxTransferBytes)),
		}),
		result: z.strictObject({ id: z.string() }),
	},
	/** The next bytes of a transfer, in order. */
	transfer: command({ id, bytes: base64 }),
	/** Attaches the transferred file. Fails unless its size is as announced. */
	endTransfer: command({ id }),
	/** Removes attachments. A folder is removed as a whole. */
	removeAttachments: command({ ids: z.array(id).check(z.minLength(1), z.maxLength(1000)) }),
	confirmAttachment: command({ id }),
	showHidden: command({ id }),
	openAttachment: command({ id }),
	/** Returns the bytes of an attached image for its pill. Null if it isn't an image, is too large, or requires consent. */
	attachedImage: {
		params: z.strictObject({ id }),
		result: z.strictObject({
			base64: z.nullable(z.string().check(z.maxLength(Math.ceil(maxPicturedImageBytes / 3) * 4))),
		}),
	},
	retryAttachment: command({ id }),
	setAttachmentUse: command({
		ids: z.array(id).check(z.minLength(1), z.maxLength(1000)),
		use: attachmentUseSchema,
	}),
} as const;
