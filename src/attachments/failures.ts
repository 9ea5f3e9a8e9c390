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
	const ending = mayBeCharged ? " It may have been processed; a retry may be charged again." : "";
	return {
		kind: "service",
		sentence: `${sentenceOf(error)}${ending}`,
		...(error.serviceMessage === undefined ? {} : { serviceMessage: error.serviceMessage }),
		canRetry: true,
		mayBeCharged,
	};
}

function sentenceOf({ kind, host, status, detail, retryAfterMs }: ServiceError): string {
	const service = host === undefined ? "The service" : `The service at ${host}`;
	switch (kind) {
		case "notReady":
		case "invalidRequest":
			return `Not uploaded: ${detail ?? "the upload could not be made"}`.replace(/\.?$/, ".");
		case "tls":
			return `The connection is not secure${detail === undefined ? "" : ` (${detail})`}. Nothing was sent.`;
		case "rateLimited":
			return `${service} takes no more uploads for now${waitOf(retryAfterMs)}.`;
		case "busy":
			return `${service} is busy${waitOf(retryAfterMs)}.`;
		case "redirected":
			return `The upload was redirected to ${host ?? "another address"}. Not followed, to protect your key.`;
		default:
			return `${nameService(sentences[kind], service)}${status === undefined ? "" : ` (${status})`}.`;
	}
}

/** Only at the beginning of a sentence is «The» written large. */
function nameService(sentence: string, service: string): string {
	return sentence
		.replace(/^\{service\}/, service)
		.replace("{service}", service.replace(/^The/, "the"));
}

function waitOf(retryAfterMs: number | undefined): string {
	return retryAfterMs === undefined
		? ""
		: `; it asks to wait ${Math.ceil(retryAfterMs / 1000)} seconds`;
}

type PlainKind = Exclude<
	ServiceErrorKind,
	"notReady" | "invalidRequest" | "tls" | "rateLimited" | "busy" | "redirected"
>;

const sentences = {
	refused: "{service} cannot be reached, so nothing was sent",
	unknownHost: "The address of the service was not found, so nothing was sent",
	unreachable: "There is no way to {service}, so nothing was sent",
	proxySignIn: "The proxy asks for a sign-in",
	connectionLost: "The connection broke before the upload was confirmed",
	noAnswer: "{service} did not answer",
	webPage: "A web page came instead of an answer; the address may be wrong",
	badRequest: "{service} refused the upload",
	unauthorized: "{service} did not accept the key",
	forbidden: "{service} does not allow uploads with this key",
	notFound: "{service} takes no files at this address; its path can be set in the settings",
	conflict: "{service} could not take the upload now",
	tooLarge: "{service} takes no file as large as this one",
	serverFailed: "{service} failed",
	rejected: "{service} refused the upload",
	empty: "{service} gave an empty answer",
	unreadable: "The answer of {service} could not be read",
	answerTooLarge: "The answer of {service} was too large",
	noText: "{service} gave an empty answer",
	interrupted: "The answer of {service} broke off",
	endedEarly: "The answer of {service} broke off",
	stalled: "{service} fell silent",
} as const satisfies Record<PlainKind, string>;
