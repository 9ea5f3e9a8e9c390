import type { Connection } from "../../client/contract/serviceClient.ts";
import type { DocumentReader } from "../../documents/documentText.ts";
import type { Clock } from "../../common/async.ts";
import type { Log } from "../../common/log.ts";
import type { LineRange, TextSource } from "./attachment.ts";
import type { TurnAttachment } from "./turnAttachment.ts";

export interface AddReport {
	/** Ids of their attachments, including those that were attached before. */
	readonly ids: readonly string[];
	readonly folders: readonly FolderReport[];
	/** The number of files not attached because the limit was reached. */
	readonly leftOut: number;
}

export interface FolderReport {
	readonly displayPath: string;
	readonly taken: number;
	/** The number of skipped links, excluded files and special files. */
	readonly passedOver: number;
	/** Whether the folder contains more files than were attached or examined. */
	readonly isCut: boolean;
}

/** A text to attach, such as a selection or the problems of a file. */
export interface AttachedText {
	readonly name: string;
	readonly text: string;
	/** Absolute path of its file. The file's warnings apply to the text. */
	readonly path?: string;
	readonly language?: string;
	readonly lines?: LineRange;
	readonly source?: TextSource;
	/** URL of its page. */
	readonly address?: string;
}

/** Bytes without a file, such as a pasted image. */
export interface AttachedBytes {
	readonly name: string;
	readonly bytes: Uint8Array;
}

/** An image that a tool returned. */
export interface ReturnedImage extends AttachedBytes {
	/** The chat that called the tool. */
	readonly chatId: string;
}

export type Preparation =
	| { readonly type: "prepared"; readonly attachments: readonly TurnAttachment[] }
	/** These attachments need the user's consent or failed, as their states explain. Nothing may be sent. */
	| { readonly type: "blocked"; readonly ids: readonly string[] };

export interface RenewalOptions {
	/** Attachments of earlier turns, oldest first. Set if `code_interpreter` will be on. */
	readonly earlier?: readonly TurnAttachment[];
	/** The service reported an unknown file. Discards the records of these attachments first. */
	readonly areForgotten?: boolean;
	readonly signal?: AbortSignal;
}

/** Returns those of the files and folders that are left out. Takes absolute paths without links. */
export type Exclusion = (paths: readonly string[]) => Promise<ReadonlySet<string>>;

/**
 * Decodes text like the editor, and notebooks as their cells. `path` is the absolute path, or a name if there is no file. Rejects for bytes that
 * aren't text.
 */
export type FileDecoder = (path: string, bytes: Uint8Array) => Promise<string>;

export interface AttachmentTrayDependencies {
	/** Returns the connection for uploads. Called before each. */
	readonly connection: () => Promise<Connection>;
	/** Folder of the records which files a service and key have. Created when needed. */
	readonly recordsFolder: string;
	/** Current absolute paths of the workspace folders. */
	readonly workspaceFolders: () => readonly string[];
	/** What of an attached folder isn't attached. */
	readonly excluded?: Exclusion;
	/** Returns the text of a document with unsaved changes. Takes absolute paths with links resolved. */
	readonly unsavedText?: (path: string) => string | undefined;
	/** Decodes notebooks, and text that is neither ASCII nor marked as UTF-16. Without it, text is read as UTF-8. */
	readonly decode?: FileDecoder;
	readonly readDocument: DocumentReader;
	readonly limits?: Partial<AttachmentLimits>;
	readonly clock: Clock;
	readonly log: Log;
}

/** Limits of a message's attachments. */
export interface AttachmentLimits {
	readonly maxAttachments: number;
	readonly maxFolderFiles: number;
	readonly maxFolderEntries: number;
	readonly maxFileBytes: number;
	/** Bytes attached without a file, which are kept in memory. */
	readonly maxMemoryBytes: number;
	readonly maxTextCharacters: number;
	readonly maxAllTextCharacters: number;
}

export const defaultAttachmentLimits: AttachmentLimits = {
	maxAttachments: 250,
	maxFolderFiles: 200,
	maxFolderEntries: 10_000,
	maxFileBytes: 512 * 1024 * 1024,
	maxMemoryBytes: 20 * 1024 * 1024,
	maxTextCharacters: 100_000,
	maxAllTextCharacters: 200_000,
};
