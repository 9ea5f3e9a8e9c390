import { ServiceError } from "../../client/contract/errors.ts";
import { toError } from "../../common/errors.ts";
import type { VideoFailure } from "./videoJob.ts";

/** The facts of a failed exchange as a record keeps them. What is no `ServiceError` counts as one that may have been charged. */
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
