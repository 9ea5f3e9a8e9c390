import { systemCode } from "./atomicFile.ts";

/** Why a chat could not be kept; a closed list. */
export type StoreErrorKind =
	/** L6: the disk or the quota is full. */
	| "full"
	/** L7: the file system is read-only. */
	| "readOnly"
	/** L7: the user may not write there. */
	| "denied"
	/** L5: another window writes this chat, or has written to it. */
	| "heldElsewhere"
	/** L8: parts of the file could not be read and it could not be put in order. */
	| "damaged"
	/** L9: a newer version of Cutaway wrote it. */
	| "newer"
	/** The file is no longer there. */
	| "missing"
	/** Anything else the file system reported, such as an input or output error. */
	| "failed";

/** A chat that could not be written or read. Holds nothing of the conversation. */
export class StoreError extends Error {
	override readonly name = "StoreError";
	readonly kind: StoreErrorKind;
	/** The file or folder concerned. */
	readonly path: string;

	constructor(kind: StoreErrorKind, path: string, cause?: unknown) {
		super(`${kind}: ${path}`, cause === undefined ? undefined : { cause });
		this.kind = kind;
		this.path = path;
	}
}

/** Whatever a file operation threw, as a `StoreError`; one of those comes back as it is. */
export function toStoreError(thrown: unknown, path: string): StoreError {
	return thrown instanceof StoreError
		? thrown
		: new StoreError(kindOfCode[systemCode(thrown)] ?? "failed", path, thrown);
}

/** @see https://pubs.opengroup.org/onlinepubs/9799919799/functions/V2_chap02.html#tag_16_03 */
const kindOfCode: Readonly<Record<string, StoreErrorKind>> = {
	ENOSPC: "full",
	EDQUOT: "full",
	EROFS: "readOnly",
	EACCES: "denied",
	EPERM: "denied",
	ENOENT: "missing",
};
