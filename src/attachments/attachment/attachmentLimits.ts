/** How much one question may carry. */
export interface AttachmentLimits {
	/** Attachments of one question. */
	readonly maxAttachments: number;
	/** Files taken from one folder. */
	readonly maxFolderFiles: number;
	/** Entries of a folder that are looked at before the rest is left. */
	readonly maxFolderEntries: number;
	/** Bytes of one file to upload. */
	readonly maxFileBytes: number;
	/** Bytes attached without a file, which are in memory. */
	readonly maxMemoryBytes: number;
	/** Characters of one attachment that go into a message. */
	readonly maxTextCharacters: number;
	/** Characters of all attachments together that go into a message. */
	readonly maxAllTextCharacters: number;
}

/** Default limits. */
export const defaultAttachmentLimits: AttachmentLimits = {
	maxAttachments: 250,
	maxFolderFiles: 200,
	maxFolderEntries: 10_000,
	maxFileBytes: 512 * 1024 * 1024,
	maxMemoryBytes: 20 * 1024 * 1024,
	maxTextCharacters: 100_000,
	maxAllTextCharacters: 200_000,
};
