import * as l10n from "@vscode/l10n";
import { ServiceError } from "../../client/contract/errors.ts";
import { failureSentence } from "../../client/contract/failureSentence.ts";
import type { AttachmentFailure } from "./attachment.ts";
import { AttachmentError, toAttachmentError } from "./attachmentError.ts";

/** Converts an error to a failure with a message for the user. docs/faults.md. */
export function failureOf(thrown: unknown): AttachmentFailure {
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
			return l10n.t("The service takes no files at this address. Set the path in the settings.");
		case "tooLarge":
			return l10n.t("This file is too large for the service.");
		default:
			return failureSentence(facts);
	}
}
