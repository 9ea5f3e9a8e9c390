import * as l10n from "@vscode/l10n";
import { ServiceError, type ServiceErrorKind } from "../client/index.ts";
import type { AttachmentFailure } from "./attachment.ts";
import { AttachmentError, toAttachmentError } from "./attachmentError.ts";

/** Whatever kept an attachment from travelling, in words. Rows J26, N1–N10, H1–H20. */
export function failureOf(thrown: unknown): AttachmentFailure {
	if (thrown instanceof ServiceError) {
		return serviceFailure(thrown);
	}
	const { kind, message } = thrown instanceof AttachmentError ? thrown : toAttachmentError(thrown);
	return { kind, sentence: message, canRetry: !final.has(kind), mayBeCharged: false };
}

/** What another try cannot change. */
const final: ReadonlySet<AttachmentError["kind"]> = new Set(["refusedPath"]);

function serviceFailure(error: ServiceError): AttachmentFailure {
	const mayBeCharged = error.charge === "unknown";
	const ending = mayBeCharged
		? ` ${l10n.t("It may have been processed; a retry may be charged again.")}`
		: "";
	return {
		kind: "service",
		sentence: `${sentenceOf(error)}${ending}`,
		...(error.serviceMessage === undefined ? {} : { serviceMessage: error.serviceMessage }),
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
				? l10n.t("Not uploaded: the upload could not be made.")
				: l10n.t("Not uploaded: {0}.", detail.replace(/\.$/, ""));
		case "tls":
			return detail === undefined
				? l10n.t("The connection is not secure. Nothing was sent.")
				: l10n.t("The connection is not secure ({0}). Nothing was sent.", detail);
		case "rateLimited":
			return retryAfterMs === undefined
				? l10n.t("{0} takes no more uploads for now.", nameOf(host))
				: l10n.t(
						"{0} takes no more uploads for now; it asks to wait {1} seconds.",
						nameOf(host),
						Math.ceil(retryAfterMs / 1000),
					);
		case "busy":
			return retryAfterMs === undefined
				? l10n.t("{0} is busy.", nameOf(host))
				: l10n.t(
						"{0} is busy; it asks to wait {1} seconds.",
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

/** The service at the beginning of a sentence. */
function nameOf(host: string | undefined): string {
	return host === undefined ? l10n.t("The service") : l10n.t("The service at {0}", host);
}

type PlainKind = Exclude<
	ServiceErrorKind,
	"notReady" | "invalidRequest" | "tls" | "rateLimited" | "busy" | "redirected"
>;

/** `status` is the number of the answer in brackets, or nothing. */
const sentences: Readonly<Record<PlainKind, (host: string | undefined, status: string) => string>> =
	{
		refused: (host, status) =>
			l10n.t("{0} cannot be reached, so nothing was sent{1}.", nameOf(host), status),
		unknownHost: (_, status) =>
			l10n.t("The address of the service was not found, so nothing was sent{0}.", status),
		unreachable: (host, status) =>
			host === undefined
				? l10n.t("There is no way to the service, so nothing was sent{0}.", status)
				: l10n.t("There is no way to the service at {0}, so nothing was sent{1}.", host, status),
		proxySignIn: (_, status) => l10n.t("The proxy asks for a sign-in{0}.", status),
		connectionLost: (_, status) =>
			l10n.t("The connection broke before the upload was confirmed{0}.", status),
		noAnswer: (host, status) => l10n.t("{0} did not answer{1}.", nameOf(host), status),
		webPage: (_, status) =>
			l10n.t("A web page came instead of an answer; the address may be wrong{0}.", status),
		badRequest: (host, status) => l10n.t("{0} refused the upload{1}.", nameOf(host), status),
		unauthorized: (host, status) => l10n.t("{0} did not accept the key{1}.", nameOf(host), status),
		forbidden: (host, status) =>
			l10n.t("{0} does not allow uploads with this key{1}.", nameOf(host), status),
		notFound: (host, status) =>
			l10n.t(
				"{0} takes no files at this address; its path can be set in the settings{1}.",
				nameOf(host),
				status,
			),
		conflict: (host, status) =>
			l10n.t("{0} could not take the upload now{1}.", nameOf(host), status),
		tooLarge: (host, status) =>
			l10n.t("{0} takes no file as large as this one{1}.", nameOf(host), status),
		serverFailed: (host, status) => l10n.t("{0} failed{1}.", nameOf(host), status),
		rejected: (host, status) => l10n.t("{0} refused the upload{1}.", nameOf(host), status),
		empty: (host, status) => l10n.t("{0} gave an empty answer{1}.", nameOf(host), status),
		unreadable: (host, status) =>
			host === undefined
				? l10n.t("The answer of the service could not be read{0}.", status)
				: l10n.t("The answer of the service at {0} could not be read{1}.", host, status),
		answerTooLarge: (host, status) =>
			host === undefined
				? l10n.t("The answer of the service was too large{0}.", status)
				: l10n.t("The answer of the service at {0} was too large{1}.", host, status),
		noText: (host, status) => l10n.t("{0} gave an empty answer{1}.", nameOf(host), status),
		interrupted: (host, status) =>
			host === undefined
				? l10n.t("The answer of the service broke off{0}.", status)
				: l10n.t("The answer of the service at {0} broke off{1}.", host, status),
		endedEarly: (host, status) =>
			host === undefined
				? l10n.t("The answer of the service broke off{0}.", status)
				: l10n.t("The answer of the service at {0} broke off{1}.", host, status),
		stalled: (host, status) => l10n.t("{0} fell silent{1}.", nameOf(host), status),
	};
