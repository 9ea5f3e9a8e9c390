import type {
	FailureFacts,
	ServiceError,
	ServiceErrorKind,
} from "../../client/contract/serviceError.ts";

/** A stored `ServiceError` or reload. The turn's state contains whether it may be charged. */
export interface TurnFailure extends Omit<FailureFacts, "kind" | "charge"> {
	readonly kind: ServiceErrorKind | "reload";
}

/** Converts a `ServiceError` for the log and the view. */
export function toFailure({ facts: { charge: _, ...failure } }: ServiceError): TurnFailure {
	return failure;
}

/** Kinds of failures whose message describes a problem of the request. */
const requestFaults: ReadonlySet<string> = new Set(["badRequest", "notFound", "rejected"]);

/** Whether a failure is about files. */
export function isFileRefusal({ kind, reason, serviceMessage = "" }: TurnFailure): boolean {
	return reason === undefined
		? requestFaults.has(kind) && /\bfile(?:s|_ids?)?\b/i.test(serviceMessage)
		: reason === "unknown_file";
}
