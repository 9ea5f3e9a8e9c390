import type { Turn } from "./turn.ts";
import type { TurnFailure } from "./toFailure.ts";

/** Kinds of failures whose message describes a problem of the request. */
const requestFaults: ReadonlySet<string> = new Set(["badRequest", "notFound", "rejected"]);

/**
 * Whether a question was rejected because of its files, for example because the service lost them; they must be uploaded again before a retry. Only
 * the local service has error codes; for others, which have none in the interface (docs/interface.md §7), the message decides.
 */
export function wasRefusedForFiles({ progress }: Turn): boolean {
	return progress.state === "refused" && isFileRefusal(progress.failure);
}

/** Whether a failure is about files. */
export function isFileRefusal({ kind, reason, serviceMessage = "" }: TurnFailure): boolean {
	return reason === undefined
		? requestFaults.has(kind) && /\bfile(?:s|_ids?)?\b/i.test(serviceMessage)
		: reason === "unknown_file";
}
