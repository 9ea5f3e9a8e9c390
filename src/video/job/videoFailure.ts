import { type FailureFacts, ServiceError } from "../../client/contract/errors.ts";
import { toError } from "../../common/errors.ts";

/** Extracts the facts of a failed request for the record. Errors other than `ServiceError` count as possibly charged. */
export function videoFailureOf(thrown: unknown): FailureFacts {
	if (!(thrown instanceof ServiceError)) {
		return { kind: "unreadable", charge: "unknown", detail: toError(thrown).name };
	}
	return thrown.facts;
}
