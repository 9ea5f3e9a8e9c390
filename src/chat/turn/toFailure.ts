import type { FailureFacts, ServiceError, ServiceErrorKind } from "../../client/contract/errors.ts";

/** A `ServiceError`, or a reload, as it is kept in the log; what it means for the user's money is the turn's state. */
export interface TurnFailure extends Omit<FailureFacts, "kind" | "charge"> {
	readonly kind: ServiceErrorKind | "reload";
}

/** Failure as the log and the view keep it of a `ServiceError`. */
export function toFailure({ facts: { charge: _, ...failure } }: ServiceError): TurnFailure {
	return failure;
}
