/** Limits of a message's attachments. */
export interface AttachmentLimits {
	readonly maxAttachments: number;
	/** Files of an attached folder. */
	readonly maxFolderFiles: number;
	/** Entries of a folder to examine. */
	readonly maxFolderEntries: number;
	/** Bytes of an uploaded file. */
	readonly maxFileBytes: number;
	/** Bytes attached without a file, which are kept in memory. */
	readonly maxMemoryBytes: number;
	/** Characters of an attachment in a message. */
	readonly maxTextCharacters: number;
	/** Characters of all attachments in a message. */
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
