import * as l10n from "@vscode/l10n";
import { systemCode } from "../../storage/atomicFile.ts";
import type { AttachmentFailureKind } from "./attachment.ts";

/** Thrown if an attachment can't be sent for a local reason. The message is shown to users. */
export class AttachmentError extends Error {
	override readonly name = "AttachmentError";
	readonly kind: Exclude<AttachmentFailureKind, "service">;

	constructor(kind: AttachmentError["kind"], sentence: string, cause?: unknown) {
		super(sentence, cause === undefined ? undefined : { cause });
		this.kind = kind;
	}
}

export function toAttachmentError(thrown: unknown): AttachmentError {
	if (thrown instanceof AttachmentError) {
		return thrown;
	}
	const kind = kindOfCode[systemCode(thrown)] ?? "unreadable";
	return new AttachmentError(kind, sentences[kind](), thrown);
}

/** @see https://pubs.opengroup.org/onlinepubs/9799919799/functions/V2_chap02.html#tag_16_03 */
const kindOfCode: Readonly<Record<string, keyof typeof sentences>> = {
	ENOENT: "missing",
	ENOTDIR: "missing",
	ELOOP: "missing",
	ENAMETOOLONG: "missing",
	EACCES: "denied",
	EPERM: "denied",
	EBUSY: "locked",
	ETXTBSY: "locked",
};

const sentences = {
	missing: () => l10n.t("This file no longer exists. Restore it and retry, or remove it."),
	denied: () => l10n.t("You don't have permission to read this file."),
	locked: () => l10n.t("Another program is using this file. Close it there and retry."),
	unreadable: () => l10n.t("A disk error occurred while reading this file."),
} as const;
