import type { DocumentKind, DocumentText } from "../../documents/documentText.ts";
import type { HiddenText } from "../../common/hiddenText.ts";

/**
 * How an attachment reaches the model. `read`: its text is part of the message. `codeInterpreter`: it is uploaded and referenced by `file_id`, only
 * for the service's Python (docs/interface.md §2.3, §4.4). Images always use the latter.
 */
export type AttachmentUse = "read" | "codeInterpreter";

/** Origins of a text other than a file. */
export const textSources = ["page", "chat", "problems", "changes"] as const;
export type TextSource = (typeof textSources)[number];

/** Lines of a document, inclusive and counted from 1. */
export interface LineRange {
	readonly first: number;
	readonly last: number;
}

/** Why the user is asked before an attachment is read completely or sent. docs/security.md. */
export type AttachmentWarning =
	/** The path is on the list of sensitive files; `rule` is the entry, such as `.env*`. */
	| { readonly type: "sensitive"; readonly rule: string }
	/** The file is outside all workspace folders, after resolving links. */
	| { readonly type: "outsideWorkspace" }
	/** The file has further hard links, which may be anywhere. */
	| { readonly type: "hardLink" };

/** Why an attachment can't be sent. docs/faults.md. */
export type AttachmentFailureKind =
	/** The path or the target of its link doesn't exist. */
	| "missing"
	| "denied"
	/** Another program has locked it. */
	| "locked"
	| "unreadable"
	| "empty"
	/** The file changed during the upload, which was canceled. */
	| "changed"
	| "tooLarge"
	/** A device, a pipe, a socket or similar. */
	| "notAFile"
	/** The path has a form that is never opened, such as a network share or a device name. docs/security.md. */
	| "refusedPath"
	/** Not text, so the model can't read it. */
	| "notText"
	/** The service or the connection failed, or the service rejected it. */
	| "service";

export interface AttachmentFailure {
	readonly kind: AttachmentFailureKind;
	/** Plain text that explains what happened and what to do. Contains no key. */
	readonly sentence: string;
	/** The service's message, plain text of at most 500 characters. */
	readonly serviceMessage?: string;
	readonly canRetry: boolean;
	/** Whether the upload may have been processed, so a retry may be charged again. docs/faults.md. */
	readonly mayBeCharged: boolean;
}

/** State of an attachment. Nothing is sent before `uploading`. */
export type AttachmentState =
	/** Waits for the user's consent to its `concerns`. It is neither read nor uploaded before. */
	| { readonly type: "needsConfirmation" }
	| { readonly type: "ready" }
	/** Waits for one of the three slots for hashing and uploading. */
	| { readonly type: "waiting" }
	/** Is read, as a document for its text or a file for its hash. */
	| { readonly type: "hashing"; readonly readBytes: number }
	| {
			readonly type: "uploading";
			readonly sentBytes: number;
			/** Milliseconds until the client retries, while it waits. */
			readonly retryInMs?: number;
	  }
	/** The service has the file. `isReused` if it had the file before and nothing was sent. */
	| { readonly type: "uploaded"; readonly isReused: boolean }
	| { readonly type: "failed"; readonly failure: AttachmentFailure };

export interface AttachedDocument {
	readonly kind: DocumentKind;
	readonly text: DocumentText | undefined;
}

/** An attachment of the message being written. */
export interface Attachment {
	readonly id: string;
	/** File name, or the name of a selection or pasted image. May contain any character but a slash. */
	readonly name: string;
	/** Display path, relative to the workspace folder if it is in one. Hidden characters are visible. */
	readonly displayPath: string;
	/** Path with links resolved and hidden characters visible; undefined without a file. */
	readonly resolvedPath: string | undefined;
	/** Display path of the attached folder that it came from; undefined if it was attached individually. */
	readonly folder: string | undefined;
	/** In bytes. */
	readonly size: number;
	/** MIME type, determined by content and name. */
	readonly mimeType: string;
	/** Language or format id, such as `typescript`; undefined if the name doesn't reveal it. */
	readonly language: string | undefined;
	readonly lines: LineRange | undefined;
	readonly use: AttachmentUse;
	/** Undefined for a file or a part of one. */
	readonly source: TextSource | undefined;
	/** Set for a document whose text is read in a thread; `text` once it was. */
	readonly document: AttachedDocument | undefined;
	/** The uses to choose from, including `use`. */
	readonly possibleUses: readonly AttachmentUse[];
	readonly hidden: HiddenText | undefined;
	readonly concerns: readonly AttachmentWarning[];
	/** Whether it contains bytes that the editor can't decode, so it probably has another encoding. */
	readonly isMisread: boolean;
	readonly state: AttachmentState;
}

/** The amount of attached text in the next message. */
export interface TextBudget {
	/** Characters of all attachments that are read, estimated from their sizes at first. */
	readonly characters: number;
	/** Estimated tokens: a quarter of the characters. */
	readonly tokens: number;
	/** The most characters to send. The rest is cut off, which the message mentions. */
	readonly maxCharacters: number;
}
