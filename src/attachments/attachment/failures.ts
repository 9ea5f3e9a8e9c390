import * as l10n from "@vscode/l10n";
import { ServiceError, type ServiceErrorKind } from "../../client/contract/errors.ts";
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
		? ` ${l10n.t("It may have been processed. A retry may be charged again.")}`
		: "";
	return {
		kind: "service",
		sentence: `${sentenceOf(error)}${ending}`,
		serviceMessage: error.serviceMessage,
		canRetry: true,
		mayBeCharged,
	};
}

function sentenceOf(error: ServiceError): string {
	const { kind, host, status, detail, retryAfterMs } = error;
	switch (kind) {
		case "notReady":
		case "invalidRequest":
			return detail === undefined
				? l10n.t("Not uploaded: the upload couldn't be created.")
				: l10n.t("Not uploaded: {0}.", detail.replace(/\.$/, ""));
		case "tls":
			return detail === undefined
				? l10n.t("The connection is not secure. Nothing was sent.")
				: l10n.t("The connection is not secure ({0}). Nothing was sent.", detail);
		case "rateLimited":
			return retryAfterMs === undefined
				? l10n.t("{0} is limiting uploads. Try again later.", nameOf(host))
				: l10n.t(
						"{0} is limiting uploads. Try again in {1} seconds.",
						nameOf(host),
						Math.ceil(retryAfterMs / 1000),
					);
		case "busy":
			return retryAfterMs === undefined
				? l10n.t("{0} is busy.", nameOf(host))
				: l10n.t(
						"{0} is busy. Try again in {1} seconds.",
						nameOf(host),
						Math.ceil(retryAfterMs / 1000),
					);
		case "redirected":
			return host === undefined
				? l10n.t("The upload was redirected to another address. Not followed, to protect your key.")
				: l10n.t("The upload was redirected to {0}. Not followed, to protect your key.", host);
		default:
			return sentences[kind](host, status === undefined ? "" : ` (${status})`);
	}
}

/** Returns a name of the service for the start of a sentence. */
function nameOf(host: string | undefined): string {
	return host === undefined ? l10n.t("The service") : l10n.t("The service at {0}", host);
}

type PlainKind = Exclude<
	ServiceErrorKind,
	"notReady" | "invalidRequest" | "tls" | "rateLimited" | "busy" | "redirected"
>;

/** `status` is the status code in brackets, or empty. */
const sentences: Readonly<Record<PlainKind, (host: string | undefined, status: string) => string>> =
	{
		refused: (host, status) =>
			l10n.t("{0} can't be reached. Nothing was sent{1}.", nameOf(host), status),
		unknownHost: (_, status) =>
			l10n.t("The address of the service was not found. Nothing was sent{0}.", status),
		unreachable: (host, status) =>
			host === undefined
				? l10n.t("No route to the service. Nothing was sent{0}.", status)
				: l10n.t("No route to {0}. Nothing was sent{1}.", host, status),
		proxySignIn: (_, status) => l10n.t("The proxy requires a sign-in{0}.", status),
		connectionLost: (_, status) =>
			l10n.t("The connection broke before the upload was confirmed{0}.", status),
		noAnswer: (host, status) => l10n.t("{0} didn't respond{1}.", nameOf(host), status),
		webPage: (_, status) =>
			l10n.t(
				"Received a web page instead of an answer. Check the address or your network sign-in{0}.",
				status,
			),
		badRequest: (host, status) => l10n.t("{0} rejected the upload{1}.", nameOf(host), status),
		unauthorized: (host, status) => l10n.t("{0} rejected the key{1}.", nameOf(host), status),
		forbidden: (host, status) =>
			l10n.t("{0} doesn't allow uploads with this key{1}.", nameOf(host), status),
		notFound: (host, status) =>
			l10n.t(
				"{0} doesn't accept files at this address. Set the path in the settings{1}.",
				nameOf(host),
				status,
			),
		conflict: (host, status) =>
			l10n.t("{0} couldn't accept the upload now{1}.", nameOf(host), status),
		tooLarge: (host, status) =>
			host === undefined
				? l10n.t("This file is too large for the service{0}.", status)
				: l10n.t("This file is too large for {0}{1}.", host, status),
		serverFailed: (host, status) => l10n.t("{0} failed{1}.", nameOf(host), status),
		rejected: (host, status) => l10n.t("{0} rejected the upload{1}.", nameOf(host), status),
		empty: (host, status) => l10n.t("{0} returned an empty answer{1}.", nameOf(host), status),
		unreadable: (host, status) =>
			host === undefined
				? l10n.t("Couldn't read the answer{0}.", status)
				: l10n.t("Couldn't read the answer from {0}{1}.", host, status),
		answerTooLarge: (host, status) =>
			host === undefined
				? l10n.t("The answer was too large{0}.", status)
				: l10n.t("The answer from {0} was too large{1}.", host, status),
		noText: (host, status) => l10n.t("{0} returned an empty answer{1}.", nameOf(host), status),
		interrupted: (host, status) =>
			host === undefined
				? l10n.t("The answer was cut off{0}.", status)
				: l10n.t("The answer from {0} was cut off{1}.", host, status),
		endedEarly: (host, status) =>
			host === undefined
				? l10n.t("The answer was cut off{0}.", status)
				: l10n.t("The answer from {0} was cut off{1}.", host, status),
		stalled: (host, status) => l10n.t("{0} stopped responding{1}.", nameOf(host), status),
	};
