import { noRepeats, planRepeat } from "../../client/request/retry.ts";
import { ServiceError } from "../../client/contract/errors.ts";
import { type Clock, delay } from "../../common/async.ts";
import { EngineFailure } from "./engineFailure.ts";
import type { EngineOrder, TakenOrder, VideoEngine } from "./videoEngine.ts";

/** A request on its way is never cut off: its answer holds the id of what may be paid for. */
const uncut = new AbortController().signal;

/**
 * Sends an order by the client's own rule for what may cost money: again only when nothing left this machine, or when the server answered 429.
 * The signal ends the
 * waits between, not a request on its way. Throws the `EngineFailure` of the last try.
 */
export async function sendOnce(
	engine: VideoEngine,
	order: EngineOrder,
	clock: Clock,
	signal: AbortSignal,
): Promise<TakenOrder> {
	for (let history = noRepeats; ;) {
		try {
			return await engine.send(order, uncut);
		} catch (error) {
			const failure = error instanceof EngineFailure ? asServiceError(error) : undefined;
			const repeat = failure && planRepeat("paid", failure, history, Math.random);
			if (!repeat) {
				throw error;
			}
			history = repeat.history;
			await delay(repeat.delayMs, signal, clock);
		}
	}
}

function asServiceError({ charge, status, retryAfterMs, isPassing }: EngineFailure): ServiceError {
	const wait = retryAfterMs === undefined ? {} : { retryAfterMs };
	if (status === 429) {
		return new ServiceError("rateLimited", { charge: "refused", status, ...wait });
	}
	return charge === "notSent" && isPassing
		? new ServiceError("unreachable", { charge })
		: new ServiceError("badRequest", { charge });
}
