import { isAbortError } from "../../common/errors.ts";
import type { ToolGate } from "./toolGate.ts";

/** Calls that a user can end one by one, while the answer they belong to goes on. */
export interface CancellableCalls extends Pick<ToolGate, "run"> {
	/** Ends the running calls whose id `isMeant` accepts; nothing happens to those that are over. */
	cancel(isMeant: (callId: string) => boolean): void;
}

/** Lets each call of a gate be cancelled. The model is told, truthfully, that an effect cannot be ruled out. */
export function createCancellableCalls(gate: Pick<ToolGate, "run">): CancellableCalls {
	const running = new Map<string, AbortController>();
	return {
		run: async (call, ledger, signal, onProgress) => {
			const own = new AbortController();
			running.set(call.callId, own);
			try {
				return await gate.run(call, ledger, AbortSignal.any([signal, own.signal]), onProgress);
			} catch (error) {
				if (!isAbortError(error) || signal.aborted || !own.signal.aborted) {
					throw error;
				}
				return {
					state: "cancelled",
					content: "Cancelled: the user ended this call. It may have had an effect.",
				};
			} finally {
				running.delete(call.callId);
			}
		},
		cancel: isMeant =>
			running.forEach((own, callId) => {
				if (isMeant(callId)) {
					own.abort();
				}
			}),
	};
}
