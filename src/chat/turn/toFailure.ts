import type { ServiceError } from "../../client/index.ts";
import type { TurnFailure } from "./turn.ts";

/** What a `ServiceError` leaves behind in the log and the view. */
export function toFailure(error: ServiceError): TurnFailure {
	const { kind, status, serviceMessage, host, retryAfterMs, detail } = error;
	return {
		kind,
		...(status === undefined ? {} : { status }),
		...(serviceMessage === undefined ? {} : { serviceMessage }),
		...(host === undefined ? {} : { host }),
		...(retryAfterMs === undefined ? {} : { retryAfterMs }),
		...(detail === undefined ? {} : { detail }),
	};
}
