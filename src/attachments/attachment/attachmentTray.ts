import type { Connection } from "../../client/contract/serviceClient.ts";
import type { Clock } from "../../common/async.ts";
import type { Log } from "../../common/log.ts";
import type { LineRange } from "./attachment.ts";
import type { AttachmentLimits } from "./attachmentLimits.ts";
import type { TurnAttachment } from "./turnAttachment.ts";

/** Outcome of attaching paths. */
export interface AddReport {
	/** Ids of the attachments they stand for, those that were there before included. */
	readonly ids: readonly string[];
	readonly folders: readonly FolderReport[];
	/** How many files were left out because the question holds as many as it may. */
	readonly leftOut: number;
}

/** Content of an attached folder. */
export interface FolderReport {
	/** As a path to show. */
	readonly displayPath: string;
	/** Files taken from it. */
	readonly taken: number;
	/** Links, excluded and special files in it that were passed over. */
	readonly passedOver: number;
	/** Whether it holds more files than were taken or looked at. */
	readonly isCut: boolean;
}

/** A piece of text to attach: a selection, the problems of a file, or any other words. */
export interface AttachedText {
	readonly name: string;
	readonly text: string;
	/** Absolute path of the file it is from; its concerns become those of the text. */
	readonly path?: string;
	readonly language?: string;
	readonly lines?: LineRange;
}

/** Bytes without a file, such as a pasted image. */
export interface AttachedBytes {
	readonly name: string;
	readonly bytes: Uint8Array;
}

/** Whether everything attached can go. */
export type Preparation =
	| { readonly type: "prepared"; readonly attachments: readonly TurnAttachment[] }
	/** The attachments named wait for a user or failed; their states say why. Nothing is to be sent. */
	| { readonly type: "blocked"; readonly ids: readonly string[] };

/** How the attachments of a question are renewed. */
export interface RenewalOptions {
	/** Attachments of the turns before it, oldest first, given when `code_interpreter` will be on. */
	readonly earlier?: readonly TurnAttachment[];
	/** The service reported that it does not know a file, so what is remembered of these is forgotten first. */
	readonly areForgotten?: boolean;
	readonly signal?: AbortSignal;
}

/** Whether a file or folder is left out of the files of a folder. Hears absolute paths without links. */
export type Exclusion = (path: string, isFolder: boolean) => boolean;

/**
 * Decodes text as the user's editor shows it, a notebook as its cells; `path` is the absolute path of its file, or a name where
 * it has none. Rejects for bytes that are no text there.
 */
export type FileDecoder = (path: string, bytes: Uint8Array) => Promise<string>;

/** Dependencies of a tray. */
export interface AttachmentTrayDependencies {
	/** Where uploads go; asked before every one. */
	readonly connection: () => Promise<Connection>;
	/** Folder that remembers, per service and key, which bytes it holds. Made on first need. */
	readonly recordsFolder: string;
	/** Absolute paths of the workspace's folders as they are now. */
	readonly workspaceFolders: () => readonly string[];
	/** Gives what the files of an attached folder leave out; called for every folder. */
	readonly readExclusion?: () => Promise<Exclusion>;
	/** The text of a document whose unsaved changes the user sees. Hears absolute paths, links resolved. */
	readonly unsavedText?: (path: string) => string | undefined;
	/** Decodes notebooks, and text that is neither ASCII nor marked as UTF-16; without it, text is UTF-8. */
	readonly decode?: FileDecoder;
	readonly limits?: Partial<AttachmentLimits>;
	readonly clock: Clock;
	readonly log: Log;
}
