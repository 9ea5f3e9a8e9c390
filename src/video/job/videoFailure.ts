import { ServiceError } from "../../client/contract/errors.ts";
import { toError } from "../../common/errors.ts";
import type { VideoFailure } from "./videoJob.ts";

/** Extracts the facts of a failed request for the record. Errors other than `ServiceError` count as possibly charged. */
export function videoFailureOf(thrown: unknown): VideoFailure {
	if (!(thrown instanceof ServiceError)) {
		return { kind: "unreadable", charge: "unknown", detail: toError(thrown).name };
	}
	const { kind, charge, status, serviceMessage, detail, host, retryAfterMs } = thrown;
	return {
		kind,
		charge,
		status,
		serviceMessage,
		detail,
		host,
		retryAfterMs,
	};
}
