import * as z from "zod/mini";
import { type ChargeState, ServiceError, type ServiceErrorKind } from "../contract/errors.ts";
import { localErrorSchema } from "../contract/failureRecord.ts";
import { maxMessageCharacters, plainText } from "./redact.ts";
import { isWebPage, pageTitle, parseJson, serviceMessage } from "./serviceMessage.ts";

/** An answer whose status is not 2xx. */
export interface FailedAnswer {
	readonly status: number;
	readonly contentType: string | undefined;
	/** At most the first 64 KiB. */
	readonly body: string;
	/** Host the request was for. */
	readonly host: string;
	readonly retryAfterMs: number | undefined;
	/** Value of `Location`. */
	readonly location: string | undefined;
	/** Address the request went to. */
	readonly url: URL;
	/** The local service answered, whose error bodies have reasons. */
	readonly isLocal: boolean;
}

const localErrorBody = z.object({ error: localErrorSchema });

/** Statuses with a kind of their own; other 4xx are `badRequest`, other 5xx `serverFailed`. Rows H1–H12. */
const kindsByStatus: Readonly<Record<number, ServiceErrorKind>> = {
	401: "unauthorized",
	403: "forbidden",
	404: "notFound",
	407: "proxySignIn",
	408: "conflict",
	409: "conflict",
	413: "tooLarge",
	425: "conflict",
	429: "rateLimited",
	503: "busy",
};

/** Reads an answer whose status is not 2xx as the failure it means. Rows N5, N9, N10, H1–H13. */
export function httpFailure(answer: FailedAnswer): ServiceError {
	const { status, host } = answer;
	if (status >= 300 && status < 400) {
		return redirected(answer);
	}
	const isPage = isWebPage(answer.contentType, answer.body);
	if (isPage && status !== 407) {
		return webPage(answer.body, host, status);
	}
	return statusFailure(isPage ? { ...answer, body: "" } : answer);
}

/** The failure that a status means, with the words in its body. Rows H1–H12. */
export function statusFailure({
	status,
	body,
	host,
	retryAfterMs,
	isLocal,
}: Pick<FailedAnswer, "status" | "body" | "host" | "retryAfterMs" | "isLocal">): ServiceError {
	const local = isLocal ? localErrorBody.safeParse(parseJson(body)).data?.error : undefined;
	return new ServiceError(kindOf(status), {
		charge: chargeOf(status),
		status,
		host,
		serviceMessage: local ? plainText(local.message, maxMessageCharacters) : serviceMessage(body),
		retryAfterMs,
		reason: local?.code,
		tokens: local?.tokens,
	});
}

/** A web page where an answer was expected, with its title as detail. Rows N10, H13. */
export function webPage(body: string, host: string, status: number): ServiceError {
	const title = pageTitle(body);
	return new ServiceError("webPage", {
		charge: chargeOf(status),
		status,
		host,
		detail: title,
	});
}

/** N9: followed nowhere, not even within the origin, because a repeated paid request is a second one. */
function redirected(answer: FailedAnswer): ServiceError {
	const { location, url } = answer;
	const target =
		location !== undefined && URL.canParse(location, url.href) ? new URL(location, url) : undefined;
	const isDowngrade = url.protocol === "https:" && target?.protocol === "http:";
	return new ServiceError("redirected", {
		charge: "refused",
		status: answer.status,
		host: target?.host || answer.host,
		...(isDowngrade ? { detail: "from https to plain http" } : {}),
	});
}

function kindOf(status: number): ServiceErrorKind {
	return kindsByStatus[status] ?? (status >= 500 ? "serverFailed" : "badRequest");
}

/** A server or gateway that fails may have processed the request; one that refuses has not. Rows H10–H12. */
function chargeOf(status: number): ChargeState {
	return status >= 500 ? "unknown" : "refused";
}
