import type { Turn } from "./turn.ts";
import type { TurnFailure } from "./toFailure.ts";

/** Kinds of refusal in which a service says what is wrong with a request. */
const requestFaults: ReadonlySet<string> = new Set(["badRequest", "notFound", "rejected"]);

/**
 * Whether a question was turned away for its files, as by a service that has forgotten them: before it is asked again they
 * have to be sent again. Only the local service gives a reason: the interface shows no error codes (§7), so another one's own words decide.
 */
export function wasRefusedForFiles({ progress }: Turn): boolean {
	return progress.state === "refused" && isFileRefusal(progress.failure);
}

/** Whether a refusal is about files. */
export function isFileRefusal({ kind, reason, serviceMessage = "" }: TurnFailure): boolean {
	return reason === undefined
		? requestFaults.has(kind) && /\bfile(?:s|_ids?)?\b/i.test(serviceMessage)
		: reason === "unknown_file";
}
