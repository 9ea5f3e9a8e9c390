import * as l10n from "@vscode/l10n";
import { systemCode } from "../../common/errors.ts";
import { ServiceError } from "../../client/contract/serviceError.ts";
import { failureSentence } from "../../client/contract/failureSentence.ts";
import type { AttachmentFailure, AttachmentFailureKind } from "./attachment.ts";

/** Thrown if an attachment can't be sent for a local reason. The message is shown to users. */
export class AttachmentError extends Error {
	override readonly name = "AttachmentError";
	readonly kind: Exclude<AttachmentFailureKind, "service">;

	constructor(kind: AttachmentError["kind"], sentence: string, cause?: unknown) {
		super(sentence, cause === undefined ? undefined : { cause });
		this.kind = kind;
	}
}

export function fileChanged(): AttachmentError {
	return new AttachmentError(
		"changed",
		l10n.t("Nothing was sent: the file changed. Retry when it's no longer changing."),
	);
}

export function toAttachmentError(thrown: unknown): AttachmentError {
	if (thrown instanceof AttachmentError) {
		return thrown;
	}
	const kind = kindOfCode[systemCode(thrown)] ?? "unreadable";
	return new AttachmentError(kind, diskSentences[kind](), thrown);
}

/** Waits for a step. A failure becomes an `AttachmentError`. */
export function orAttachmentError<T>(step: Promise<T>): Promise<T> {
	return step.catch((error: unknown) => {
		throw toAttachmentError(error);
	});
}

/** @see https://pubs.opengroup.org/onlinepubs/9799919799/functions/V2_chap02.html#tag_16_03 */
const kindOfCode: Readonly<Record<string, keyof typeof diskSentences>> = {
	ENOENT: "missing",
	ENOTDIR: "missing",
	ELOOP: "missing",
	ENAMETOOLONG: "missing",
	EACCES: "denied",
	EPERM: "denied",
	EBUSY: "locked",
	ETXTBSY: "locked",
};

const diskSentences = {
	missing: () => l10n.t("This file no longer exists. Restore it and retry, or remove it."),
	denied: () => l10n.t("You don't have permission to read this file."),
	locked: () => l10n.t("Another program is using this file. Close it there and retry."),
	unreadable: () => l10n.t("A disk error occurred while reading this file."),
} as const;

/** Converts an error to a failure with a message for the user. docs/faults.md. */
export function attachmentFailure(thrown: unknown): AttachmentFailure {
	if (thrown instanceof ServiceError) {
		return serviceFailure(thrown);
	}
	const { kind, message } = thrown instanceof AttachmentError ? thrown : toAttachmentError(thrown);
	return { kind, sentence: message, canRetry: !final.has(kind), mayBeCharged: false };
}

/** Failures that a retry can't fix. */
const final: ReadonlySet<AttachmentError["kind"]> = new Set(["refusedPath"]);

function serviceFailure(error: ServiceError): AttachmentFailure {
	const mayBeCharged = error.charge === "unknown";
	const ending = mayBeCharged
		? ` ${l10n.t("You may have been charged.")}`
		: error.charge === "notSent"
			? ` ${l10n.t("Nothing was sent.")}`
			: "";
	return {
		kind: "service",
		sentence: `${sentenceOf(error)}${ending}`,
		serviceMessage: error.serviceMessage,
		canRetry: true,
		mayBeCharged,
	};
}

function sentenceOf({ facts }: ServiceError): string {
	switch (facts.kind) {
		case "notFound":
			return l10n.t("The service accepts no files at this address. Set the path in the settings.");
		case "tooLarge":
			return l10n.t("This file is too large for the service.");
		default:
			return failureSentence(facts);
	}
}
