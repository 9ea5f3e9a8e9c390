import * as z from "zod/mini";

/**
 * Use of an attachment: `read` puts its text into the message, `codeInterpreter` uploads the file and refers to it
 * (interface §2.3, §4.4).
 */
export const attachmentUseSchema = z.enum(["read", "codeInterpreter"]);
export type AttachmentUseView = z.infer<typeof attachmentUseSchema>;

/** Look of an attachment; decides its icon and nothing else. */
const attachmentKindSchema = z.enum(["text", "data", "image", "selection", "problems"]);

/** An attachment's state, as its chip says it. */
const attachmentStateSchema = z.discriminatedUnion("type", [
	/** The user has to say yes first: it is on the read-side list or is outside the workspace (T34). */
	z.strictObject({ type: z.literal("unconfirmed"), sentence: z.string() }),
	/** Nothing of it has left the machine. */
	z.strictObject({ type: z.literal("ready") }),
	/** Its turn to be read or uploaded has not come. */
	z.strictObject({ type: z.literal("waiting") }),
	/** Its bytes are looked at, to know whether the service has them. */
	z.strictObject({ type: z.literal("reading") }),
	/** Bytes the network has taken; `isDelayed` while the client waits to try again. */
	z.strictObject({
		type: z.literal("uploading"),
		sentBytes: z.number(),
		isDelayed: z.boolean(),
	}),
	/** The service has it; `isReused` means that these bytes had been uploaded before and were not sent again. */
	z.strictObject({ type: z.literal("uploaded"), isReused: z.boolean() }),
	z.strictObject({
		type: z.literal("failed"),
		sentence: z.string(),
		/** Message of the service; plain text, shown apart. */
		serviceMessage: z.nullable(z.string()),
		canRetry: z.boolean(),
		/** Whether a repeat may be charged (docs/faults.md). */
		mayBeCharged: z.boolean(),
	}),
]);

/** One attachment of the question that is being written. */
export const attachmentViewSchema = z.strictObject({
	id: z.string(),
	/** File name, with the lines of a selection. */
	name: z.string(),
	/** Where it is, as the user knows it. */
	path: z.string(),
	/** Bytes. */
	size: z.number(),
	kind: attachmentKindSchema,
	use: attachmentUseSchema,
	/** Whether the other use makes sense as well. */
	canSwitchUse: z.boolean(),
	state: attachmentStateSchema,
	/** A sentence the user should read, such as that images reach the code interpreter only. */
	note: z.nullable(z.string()),
	/** How many characters are hidden in its text, where some are. */
	hidden: z.optional(z.int()),
	/** Whether its text can be shown, as it has no file. */
	canOpen: z.exactOptional(z.literal(true)),
	/** The folder it came with, whose files are shown as one; nothing for a file attached by itself. */
	folder: z.nullable(z.string()),
});
export type AttachmentView = z.infer<typeof attachmentViewSchema>;

/** Everything that will be sent with the next question. */
export const attachmentsViewSchema = z.strictObject({
	items: z.array(attachmentViewSchema),
	/** How much text will go into the message, against how much may; nothing when no text will. In characters. */
	budget: z.nullable(z.strictObject({ characters: z.number(), limit: z.number() })),
	/** A model to change to, offered because the one chosen cannot use the code interpreter. */
	offeredModel: z.nullable(z.string()),
	/** Whether a question with attachments is being sent: files are read and uploaded, and Stop ends it. */
	isSending: z.boolean(),
	/** The name of what is selected in the editor, while it is not attached; left out where nothing is. */
	selection: z.exactOptional(z.string()),
});
export type AttachmentsView = z.infer<typeof attachmentsViewSchema>;

/** An attachment of a question that was asked, as the conversation lists it. */
export const sentAttachmentSchema = z.strictObject({
	name: z.string(),
	path: z.string(),
	/** Bytes. */
	size: z.number(),
	kind: attachmentKindSchema,
	use: attachmentUseSchema,
	/** Whether it is a file of an earlier question that the service lost and that could not be sent again. */
	isLost: z.boolean(),
	/** How many characters at its end were not sent, when there are any. */
	omitted: z.optional(z.int()),
});
export type SentAttachment = z.infer<typeof sentAttachmentSchema>;

/** Something `@` offers to attach. The id is the host's; a path never comes back from a webview (threat T19). */
export const attachmentOfferSchema = z.strictObject({
	id: z.string(),
	kind: z.enum(["file", "folder", "selection", "problems", "page", "chat"]),
	label: z.string(),
	detail: z.string(),
	/** Positions in `label` that the query matched. */
	matches: z.array(z.int()),
});
export type AttachmentOffer = z.infer<typeof attachmentOfferSchema>;

/** The largest image whose picture is shown in its pill, in bytes. */
export const maxPicturedImageBytes = 4_000_000;

/** The most bytes a file may have that comes out of the webview, by drop or paste; larger ones are attached by command. */
export const maxTransferBytes = 20 * 1024 * 1024;

/** Bytes of one piece of such a file: its base64 form with everything around it stays below the cap of a message. */
export const transferPieceBytes = 480 * 1024;

const nothing = z.strictObject({});
const id = z.string().check(z.maxLength(64));
const base64 = z
	.string()
	.check(
		z.maxLength(Math.ceil(transferPieceBytes / 3) * 4),
		z.regex(/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/),
	);

/** Requests of the composer to the host about attachments. */
export const attachmentRequests = {
	/** Offers recent, open and all files to choose from. */
	attachFiles: { params: nothing, result: nothing },
	/** Things to attach that match a query, the best first. */
	completeAttachment: {
		params: z.strictObject({ query: z.string().check(z.maxLength(2000)) }),
		result: z.strictObject({ offers: z.array(attachmentOfferSchema) }),
	},
	/** Attaches what is selected in the editor. */
	attachSelection: { params: nothing, result: nothing },
	/** Attaches something that `completeAttachment` offered. */
	attachOffer: { params: z.strictObject({ id }), result: nothing },
	/** Attaches files whose addresses were dropped. They are claims: the host resolves them and asks where it must (T34). */
	attachAddresses: {
		params: z.strictObject({
			addresses: z
				.array(z.string().check(z.maxLength(4096)))
				.check(z.minLength(1), z.maxLength(200)),
		}),
		result: nothing,
	},
	/** Begins to hand over a file that the webview alone has, by paste or drop from the operating system. */
	beginTransfer: {
		params: z.strictObject({
			name: z.string().check(z.maxLength(255)),
			type: z.string().check(z.maxLength(200)),
			size: z.int().check(z.minimum(0), z.maximum(maxTransferBytes)),
		}),
		result: z.strictObject({ id: z.string() }),
	},
	/** The next bytes of a transfer, in order. */
	transfer: { params: z.strictObject({ id, bytes: base64 }), result: nothing },
	/** Attaches what was handed over; refused unless it is as long as announced. */
	endTransfer: { params: z.strictObject({ id }), result: nothing },
	/** Takes attachments away; a folder's all at once. */
	removeAttachments: {
		params: z.strictObject({ ids: z.array(id).check(z.minLength(1), z.maxLength(1000)) }),
		result: nothing,
	},
	/** Shows again what the user has to agree to before an attachment is read or sent. */
	confirmAttachment: { params: z.strictObject({ id }), result: nothing },
	/** Shows what is hidden in the text of an attachment. */
	showHidden: { params: z.strictObject({ id }), result: nothing },
	/** Shows the text of an attachment that has no file. */
	openAttachment: { params: z.strictObject({ id }), result: nothing },
	/** The bytes of an attached image, for the picture in its pill; null for what is none, is too large or waits for a yes. */
	attachedImage: {
		params: z.strictObject({ id }),
		result: z.strictObject({
			base64: z.nullable(z.string().check(z.maxLength(Math.ceil(maxPicturedImageBytes / 3) * 4))),
		}),
	},
	retryAttachment: { params: z.strictObject({ id }), result: nothing },
	setAttachmentUse: {
		params: z.strictObject({
			ids: z.array(id).check(z.minLength(1), z.maxLength(1000)),
			use: attachmentUseSchema,
		}),
		result: nothing,
	},
} as const;
