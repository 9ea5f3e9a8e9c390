import { isAbortError } from "../../common/errors.ts";
import type { ToolResult } from "./acceptCall.ts";
import type { ToolGate } from "./toolGate.ts";

/** Calls that the user can cancel individually while the answer continues. The model is told that an effect can't be ruled out. */
export class CancellableCalls implements Pick<ToolGate, "run"> {
	private readonly gate: Pick<ToolGate, "run">;
	private readonly running = new Map<string, AbortController>();

	constructor(gate: Pick<ToolGate, "run">) {
		this.gate = gate;
	}

	async run(
		...[call, ledger, signal, onProgress]: Parameters<ToolGate["run"]>
	): Promise<ToolResult> {
		const { running } = this;
		const own = new AbortController();
		running.set(call.callId, own);
		try {
			const ending = AbortSignal.any([signal, own.signal]);
			return await this.gate.run(call, ledger, ending, onProgress);
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
	}

	/** Cancels the running calls whose id `isMeant` accepts. */
	cancel(isMeant: (callId: string) => boolean): void {
		this.running.forEach((own, callId) => {
			if (isMeant(callId)) {
				own.abort();
			}
		});
	}
}
