import * as z from "zod/mini";
import { type ChargeState, ServiceError, type ServiceErrorKind } from "../contract/serviceError.ts";
import { localErrorSchema } from "../contract/schemas.ts";
import { maxMessageCharacters, plainText } from "./redact.ts";
import { isWebPage, pageTitle, parseBody, serviceMessage } from "./serviceMessage.ts";

/** A response with a status other than 2xx. */
export interface FailedAnswer {
	readonly status: number;
	readonly contentType: string | undefined;
	/** At most the first 64 KiB. */
	readonly body: string;
	readonly host: string;
	readonly retryAfterMs: number | undefined;
	readonly location: string | undefined;
	readonly url: URL;
	/** Whether it is from the local service, whose error bodies contain reasons. */
	readonly isLocal: boolean;
}

const localErrorBody = z.object({ error: localErrorSchema });

/** Statuses with their own kind. Other 4xx are `badRequest`, other 5xx `serverFailed`. */
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

/** Converts a response with a status other than 2xx to a failure. docs/faults.md. */
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

/** Returns the failure of a status, with the message in its body. */
export function statusFailure({
	status,
	body,
	host,
	retryAfterMs,
	isLocal,
}: Pick<FailedAnswer, "status" | "body" | "host" | "retryAfterMs" | "isLocal">): ServiceError {
	const local = isLocal ? localErrorBody.safeParse(parseBody(body)).data?.error : undefined;
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

/** Returns the failure of an HTML page instead of an answer, with its title as detail. */
export function webPage(body: string, host: string, status: number): ServiceError {
	const detail = pageTitle(body);
	return new ServiceError("webPage", { charge: chargeOf(status), status, host, detail });
}

/** Redirects aren't followed, not even within the origin, because a repeated paid request would be charged again. */
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

/** A failing server or gateway may have processed the request; a rejecting one hasn't. */
function chargeOf(status: number): ChargeState {
	return status >= 500 ? "unknown" : "refused";
}
