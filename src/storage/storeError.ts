import { systemCode } from "./atomicFile.ts";

/** Why a chat can't be read or written. */
export type StoreErrorKind =
	| "full"
	| "readOnly"
	/** No permission to write. */
	| "denied"
	/** Another window writes this chat or has written to it. */
	| "heldElsewhere"
	/** The file is damaged and couldn't be repaired. */
	| "damaged"
	/** Written by a newer version of Cutaway. */
	| "newer"
	/** The file doesn't exist. */
	| "missing"
	/** Any other error of the file system. */
	| "failed";

/** Thrown when a chat can't be read or written. Contains no conversation text. */
export class StoreError extends Error {
	override readonly name = "StoreError";
	readonly kind: StoreErrorKind;
	readonly path: string;

	constructor(kind: StoreErrorKind, path: string, cause?: unknown) {
		super(`${kind}: ${path}`, cause === undefined ? undefined : { cause });
		this.kind = kind;
		this.path = path;
	}
}

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
