import type { HiddenText } from "../../common/hiddenText.ts";

/**
 * How an attachment reaches the model. `read`: its text goes into the message. `codeInterpreter`: it is uploaded and named
 * by `file_id`, for the service's Python alone (interface §2.3, §4.4); images travel only this way.
 */
export type AttachmentUse = "read" | "codeInterpreter";

/** Lines of a document, both included and counted from 1. */
export interface LineRange {
	readonly first: number;
	readonly last: number;
}

/** Why a user is asked before anything of an attachment is read in full or sent. docs/security.md, T11, T34. */
export type AttachmentWarning =
	/** Its path is on the read-side list; `rule` is the entry, such as `.env*`. */
	| { readonly type: "sensitive"; readonly rule: string }
	/** The file itself is in none of the workspace's folders, whatever path led to it. */
	| { readonly type: "outsideWorkspace" }
	/** The same bytes have another name on the disk, which may be anywhere. */
	| { readonly type: "hardLink" };

/** Why an attachment cannot travel; a closed list. Rows J26, N1–N10, H1–H20. */
export type AttachmentFailureKind =
	/** There is nothing at its path, or a link to nothing. */
	| "missing"
	/** The system does not let this user read it. */
	| "denied"
	/** Another program holds it. */
	| "locked"
	/** The disk failed while it was read. */
	| "unreadable"
	/** It has no bytes. */
	| "empty"
	/** It changed while it was being sent, so nothing whole was sent. */
	| "changed"
	/** It has more bytes than may be sent. */
	| "tooLarge"
	/** It is a device, a pipe, a socket or the like. */
	| "notAFile"
	/** Its path has a form that is never opened, such as a network share or a device name. docs/security.md. */
	| "refusedPath"
	/** Its bytes are not text, so the model cannot read it. */
	| "notText"
	/** The service, or the way to it, failed or refused. */
	| "service";

/** A failure, in words a user can act on. */
export interface AttachmentFailure {
	readonly kind: AttachmentFailureKind;
	/** Sentence with what happened and what to do, as plain text. Holds no key. */
	readonly sentence: string;
	/** Message of the service, as plain text of at most 500 characters. */
	readonly serviceMessage?: string;
	/** Whether «Retry» can help. */
	readonly canRetry: boolean;
	/** Whether the upload may have been processed, so that a repeat may be charged again. docs/faults.md. */
	readonly mayBeCharged: boolean;
}

/** An attachment's state. Nothing of it has left the machine before `uploading`. */
export type AttachmentState =
	/** Waits for a user's consent to its `concerns`; it is neither read nor uploaded before. */
	| { readonly type: "needsConfirmation" }
	/** Can be sent with the next question. */
	| { readonly type: "ready" }
	/** Waits for its turn; three at most are hashed or uploaded at once. */
	| { readonly type: "waiting" }
	| { readonly type: "hashing"; readonly readBytes: number }
	| {
			readonly type: "uploading";
			/** Bytes of the file that the network has taken. */
			readonly sentBytes: number;
			/** How long the client waits before it tries again, in milliseconds, while it does (rows N1, N2, H8). */
			readonly retryInMs?: number;
	  }
	/** The service holds these bytes; `isReused` when it did before and nothing was sent. */
	| { readonly type: "uploaded"; readonly isReused: boolean }
	| { readonly type: "failed"; readonly failure: AttachmentFailure };

/** One chip: something a user attached to the question being written. */
export interface Attachment {
	readonly id: string;
	/** File name, or what a selection or pasted image is called; may hold any character but a slash. */
	readonly name: string;
	/** Path to show: relative to its workspace folder where it is in one, hidden characters made visible. */
	readonly displayPath: string;
	/** Where the file really is, links resolved, hidden characters made visible; undefined for what has no file. */
	readonly resolvedPath: string | undefined;
	/** The attached folder it came from, as a path to show; undefined when it was attached by itself. */
	readonly folder: string | undefined;
	/** Size in bytes. */
	readonly size: number;
	/** MIME type by content and name. */
	readonly mimeType: string;
	/** Identifier of its language or format, such as `typescript`; undefined when the name does not tell. */
	readonly language: string | undefined;
	/** The lines of a selection. */
	readonly lines: LineRange | undefined;
	readonly use: AttachmentUse;
	/** The uses it can have; the one it has is among them. */
	readonly possibleUses: readonly AttachmentUse[];
	/** Text hidden in it when it was attached. */
	readonly hidden: HiddenText | undefined;
	/** Concerns that the user is asked about; empty when there is nothing to ask. */
	readonly concerns: readonly AttachmentWarning[];
	/** Whether the user's editor has no character for some of its bytes, so that it is in another encoding. */
	readonly isMisread: boolean;
	readonly state: AttachmentState;
}

/** How much text the next question carries beside its own words. */
export interface TextBudget {
	/** Characters of all attachments that are read, estimated from their sizes until they are. */
	readonly characters: number;
	/** A rough count of tokens: a quarter of the characters. */
	readonly tokens: number;
	/** The most characters that are sent; the rest is cut off, and the text says so. */
	readonly maxCharacters: number;
}
