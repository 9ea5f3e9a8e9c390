import type { Connection } from "../../client/index.ts";
import type { Clock } from "../../common/async.ts";
import type { IDisposable } from "../../common/disposable.ts";
import type { Event } from "../../common/emitter.ts";
import type { Log } from "../../common/log.ts";
import type { Attachment, AttachmentUse, LineRange, TextBudget } from "./attachment.ts";
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

/** Tray of the attachments of the question being written. It shows nothing: it changes and says so. */
export interface AttachmentTray extends IDisposable {
	/** In the order they were attached. */
	readonly attachments: readonly Attachment[];
	readonly budget: TextBudget;
	/** Fires after changes, at most ten times a second while bytes move. */
	readonly onDidChange: Event<void>;
	/**
	 * Attaches files, and folders as the files in them. What cannot be attached becomes an attachment in state `failed`; a
	 * file that is attached already stays once. Never throws.
	 */
	addPaths(paths: readonly string[]): Promise<AddReport>;
	/** Attaches text as it is now; returns its id, or undefined when the question holds as many attachments as it may. */
	addText(text: AttachedText): Promise<string | undefined>;
	/** Attaches bytes; returns their id, or undefined when the question holds as many attachments as it may. */
	addBytes(bytes: AttachedBytes): string | undefined;
	/** A user's consent to the concerns these attachments have now. */
	confirm(ids: readonly string[]): void;
	/** Chooses one of its `possibleUses`; any other is passed over. */
	setUse(id: string, use: AttachmentUse): void;
	/** Takes attachments off; an upload under way ends. */
	remove(ids: readonly string[]): void;
	/** Takes everything off, as after sending. */
	clear(): void;
	/** Uploads now what is for `codeInterpreter`: a user asked for it before sending. Resolves when that is over. */
	upload(ids: readonly string[]): Promise<void>;
	/** Ends an upload; the attachment is `ready` again. */
	cancel(id: string): void;
	/** «Retry»: looks at a failed attachment again, and uploads it if that is what failed. */
	retry(id: string): Promise<void>;
	/**
	 * Makes everything attached ready to go with a question: reads texts, uploads the files whose bytes the service of now does
	 * not hold. `earlier` are the attachments of the chat's earlier turns, oldest first, given when `code_interpreter` will be
	 * on: what the service of now lacks of them is uploaded again and comes back with the rest. Throws `AbortError` alone.
	 */
	prepare(options?: {
		readonly earlier?: readonly TurnAttachment[];
		readonly signal?: AbortSignal;
	}): Promise<Preparation>;
	/**
	 * The attachments of a question that is asked again, as the service of now knows them: files it does not hold are uploaded
	 * again when their bytes are still the same, or else become `lostFile`. The very same list when nothing changed. Throws
	 * `AbortError` alone.
	 */
	renew(
		attachments: readonly TurnAttachment[],
		options?: RenewalOptions,
	): Promise<readonly TurnAttachment[]>;
}

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
	readonly limits?: Partial<AttachmentLimits>;
	readonly clock: Clock;
	readonly log: Log;
}
