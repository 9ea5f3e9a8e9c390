import type { FailureFacts, ServiceError, ServiceErrorKind } from "../../client/contract/errors.ts";

/** A stored `ServiceError` or reload. The turn's state contains whether it may be charged. */
export interface TurnFailure extends Omit<FailureFacts, "kind" | "charge"> {
	readonly kind: ServiceErrorKind | "reload";
}

/** Converts a `ServiceError` for the log and the view. */
export function toFailure({ facts: { charge: _, ...failure } }: ServiceError): TurnFailure {
	return failure;
}
