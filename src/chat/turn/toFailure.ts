import type { ServiceError, ServiceErrorKind } from "../../client/contract/errors.ts";

/** A `ServiceError`, or a reload, as it is kept in the log: plain values, no request, no key. */
export interface TurnFailure {
	readonly kind: ServiceErrorKind | "reload";
	readonly status?: number;
	readonly serviceMessage?: string;
	readonly host?: string;
	readonly retryAfterMs?: number;
	readonly detail?: string;
}

/** The detail of an answer that ended early because the model stopped at a limit of length. */
export const modelLimit = "model limit";

/** Failure as the log and the view keep it of a `ServiceError`. */
export function toFailure(error: ServiceError): TurnFailure {
	const { kind, status, serviceMessage, host, retryAfterMs, detail } = error;
	return {
		kind,
		status,
		serviceMessage,
		host,
		retryAfterMs,
		detail,
	};
}
