import * as l10n from "@vscode/l10n";
import { namedFileUri } from "../../editor/workspaceFiles.ts";
import { maxNamedPath } from "../../shared/chat.ts";
import { formatCount } from "../../shared/locale.ts";
import {
	type AttachmentsView,
	type AttachmentView,
	convertedImages,
	seenImages,
	type SentAttachment,
} from "../../shared/attachments.ts";
import type { DocumentText } from "../../documents/documentText.ts";
import type {
	AttachedDocument,
	Attachment,
	AttachmentWarning,
} from "../../attachments/contract/attachment.ts";
import type { AttachmentTray } from "../../attachments/tray.ts";
import { defaultAttachmentLimits } from "../../attachments/contract/attachmentTray.ts";
import type { TurnAttachment } from "../../attachments/contract/turnAttachment.ts";
import { maxShownImageBytes } from "../../common/modelSetup.ts";
import { assertNever } from "../../common/errors.ts";
import { randomUUID } from "node:crypto";

interface AttachmentSurroundings {
	/** A model that can use the code interpreter, if the selected one can't. */
	readonly modelWithTools: string | null;
	readonly maySeeImages: boolean;
	readonly isSending: boolean;
	readonly selection: string | undefined;
	/** Whether an attachment's file or text can be shown in the editor. */
	readonly canOpen: (id: string) => boolean;
}

export function attachmentsView(
	tray: Pick<AttachmentTray, "attachments" | "budget">,
	{ modelWithTools, maySeeImages, isSending, selection, canOpen }: AttachmentSurroundings,
): AttachmentsView {
	const { attachments, budget } = tray;
	const needsTools = attachments.some(({ use }) => use === "codeInterpreter");
	const { characters, maxCharacters } = budget;
	const isOffered = selection !== undefined && !attachments.some(({ name }) => name === selection);
	return {
		items: attachments.map(attachment => ({
			...attachmentView(attachment, maySeeImages),
			...(canOpen(attachment.id) ? { canOpen: true as const } : {}),
		})),
		budget: characters > 0 ? { characters, limit: maxCharacters } : null,
		offeredModel: needsTools ? modelWithTools : null,
		...(maySeeImages ? { seesImages: true as const } : {}),
		isSending,
		...(isOffered ? { selection } : {}),
	};
}

function attachmentView(attachment: Attachment, maySeeImages: boolean): AttachmentView {
	const { id, name, displayPath, size, use, possibleUses, hidden, folder = null } = attachment;
	return {
		id,
		name,
		path: displayPath,
		size,
		kind: kindOf(attachment),
		use,
		canSwitchUse: possibleUses.length > 1,
		state: stateView(attachment),
		note: noteOf(attachment, maySeeImages),
		...(hidden ? { hidden: hidden.count } : {}),
		folder,
	};
}

function kindOf({ source, lines, mimeType, possibleUses }: Attachment): AttachmentView["kind"] {
	if (source || lines) {
		return source ?? "selection";
	}
	if (mimeType.startsWith("image/")) {
		return "image";
	}
	return possibleUses.includes("read") ? "text" : "data";
}

function stateView({ state, concerns }: Attachment): AttachmentView["state"] {
	switch (state.type) {
		case "needsConfirmation":
			return {
				type: "unconfirmed",
				sentence: l10n.t("Not attached yet. {0}", describeWarnings(concerns)),
			};
		case "hashing":
			return { type: "reading" };
		case "uploading":
			return {
				type: "uploading",
				sentBytes: state.sentBytes,
				isDelayed: state.retryInMs !== undefined,
			};
		case "ready":
		case "waiting":
			return { type: state.type };
		case "uploaded":
			return { type: "uploaded", isReused: state.isReused };
		case "failed": {
			const { sentence, serviceMessage = null, canRetry, mayBeCharged } = state.failure;
			return { type: "failed", sentence, serviceMessage, canRetry, mayBeCharged };
		}
		default:
			return assertNever(state);
	}
}

/**
 * Returns a note on how an attachment is sent: a long text is truncated; images are sent to the code interpreter only, because messages can't contain
 * them (docs/interface.md §2.2), but the local service shows its models those that are not too large.
 */
function noteOf(
	{ mimeType, possibleUses, state, use, size, isMisread, document }: Attachment,
	maySeeImages: boolean,
): string | null {
	if (document) {
		return use === "read" && state.type !== "failed" ? documentNote(document) : null;
	}
	const { maxTextCharacters } = defaultAttachmentLimits;
	// Most of a large notebook is images, of which only the size is sent.
	const isLong = size > maxTextCharacters && mimeType !== "application/x-ipynb+json";
	if (use === "read" && isLong && state.type !== "failed") {
		return l10n.t("Only the first {0} characters will be sent.", formatCount(maxTextCharacters));
	}
	if (use === "read" && isMisread && state.type !== "failed") {
		return l10n.t(
			"Some characters can't be read in the encoding that the setting `files.encoding` names.",
		);
	}
	const isImage = mimeType.startsWith("image/") && !possibleUses.includes("read");
	if (isImage && maySeeImages && !seenImages.test(mimeType) && state.type !== "failed") {
		return convertedImages.test(mimeType)
			? l10n.t(
					"The model sees PNG, JPEG, GIF and WebP images. Save this one in such a format, or paste it.",
				)
			: l10n.t("The model sees PNG, JPEG, GIF and WebP images. Save this one in such a format.");
	}
	if (isImage && maySeeImages) {
		return size > maxShownImageBytes && state.type !== "failed"
			? l10n.t("The model sees images up to 4 MB. Save this one smaller, or paste it.")
			: null;
	}
	return isImage && state.type !== "failed"
		? l10n.t("The model can't see images. Code interpreter can open this one.")
		: null;
}

/** Returns a note on what of a document isn't sent as text. */
function documentNote({ kind, text }: AttachedDocument): string | null {
	const { withoutText = 0, left } = text ?? {};
	const without =
		withoutText === 0 || kind !== "pdf"
			? []
			: [
					withoutText === 1
						? l10n.t("1 page is an image or empty.")
						: l10n.t("{0} pages are images or empty.", formatCount(withoutText)),
				];
	const sentences = [...without, ...(left ? [leftSentence(left)] : [])];
	return sentences.length === 0 ? null : sentences.join(" ");
}

function leftSentence({ unit, shown, total }: NonNullable<DocumentText["left"]>): string {
	const counts = [formatCount(shown), formatCount(total)] as const;
	switch (unit) {
		case "pages":
			return l10n.t("Only the first {0} of {1} pages will be sent.", ...counts);
		case "slides":
			return l10n.t("Only the first {0} of {1} slides will be sent.", ...counts);
		case "rows":
			return l10n.t("Only the first {0} of {1} rows will be sent.", ...counts);
		case "characters":
			return l10n.t("Only the first {0} characters will be sent.", counts[0]);
		default:
			return assertNever(unit);
	}
}

/** Returns the warnings before an attachment is read or sent, one sentence each. */
export function describeWarnings(concerns: readonly AttachmentWarning[]): string {
	return concerns.map(describeConcern).join(" ");
}

function describeConcern(concern: AttachmentWarning): string {
	switch (concern.type) {
		case "sensitive":
			return l10n.t("It may contain secrets ({0}).", concern.rule);
		case "outsideWorkspace":
			return l10n.t("It's outside the workspace.");
		case "hardLink":
			return l10n.t("It has another name on disk.");
		default:
			return assertNever(concern);
	}
}

/** Converts an attachment of a sent message for the conversation. */
export function sentAttachment(attachment: TurnAttachment): SentAttachment {
	const { name, path, size } = attachment;
	const isLost = attachment.kind === "lostFile";
	const shown = {
		name,
		path,
		size,
		isLost,
		...(canOpen(attachment) && { canOpen: true as const }),
	};
	if (attachment.kind === "text") {
		const kind = attachment.source ?? (attachment.lines ? "selection" : "text");
		const omitted = attachment.omittedCharacters > 0 ? attachment.omittedCharacters : undefined;
		return { ...shown, kind, use: "read", omitted };
	}
	const isImage = attachment.kind === "file" && attachment.mimeType.startsWith("image/");
	return { ...shown, kind: isImage ? "image" : "data", use: "codeInterpreter" };
}

/** Whether a sent attachment is a page, or has a file in the workspace that its path names. */
function canOpen(attachment: TurnAttachment): boolean {
	const { kind, path } = attachment;
	const source = kind === "text" ? attachment.source : undefined;
	const isFile = kind === "file" ? attachment.resolvedPath !== undefined : source === undefined;
	return (
		path.length <= maxNamedPath &&
		(source === "page" || (isFile && namedFileUri(path) !== undefined))
	);
}

export interface TransferredFile {
	readonly name: string;
	readonly bytes: Uint8Array;
}

interface Transfer {
	readonly name: string;
	readonly bytes: Uint8Array;
	received: number;
}

/** The most concurrent transfers. The page sends one at a time, so the oldest of more was abandoned. */
const maxTransfers = 4;

/** Files being transferred from the webview in parts. */
export class AttachmentTransfers {
	private readonly transfers = new Map<string, Transfer>();

	begin({ name, size }: { readonly name: string; readonly size: number }): string {
		const { transfers } = this;
		const oldest = transfers.keys().next();
		if (transfers.size >= maxTransfers && !oldest.done) {
			transfers.delete(oldest.value);
		}
		const id = randomUUID();
		transfers.set(id, { name, bytes: new Uint8Array(size), received: 0 });
		return id;
	}

	/** Adds the next part, in base64. Throws if the transfer doesn't exist or is longer than announced. */
	take(id: string, piece: string): void {
		const transfer = this.find(id);
		const bytes = Buffer.from(piece, "base64");
		if (transfer.received + bytes.byteLength > transfer.bytes.byteLength) {
			this.transfers.delete(id);
			throw incomplete();
		}
		transfer.bytes.set(bytes, transfer.received);
		transfer.received += bytes.byteLength;
	}

	/** Returns the complete file. Throws unless its size is as announced. */
	end(id: string): TransferredFile {
		const { name, bytes, received } = this.find(id);
		this.transfers.delete(id);
		if (received !== bytes.byteLength) {
			throw incomplete();
		}
		return { name, bytes };
	}

	private find(id: string): Transfer {
		const transfer = this.transfers.get(id);
		if (!transfer) {
			throw incomplete();
		}
		return transfer;
	}
}

function incomplete(): Error {
	return new Error(l10n.t("The file didn't arrive complete. Drop or paste it again."));
}
