import type { ChargeState } from "../../client/contract/errors.ts";

/** What went wrong with an engine's server, and whether the request may have cost something. The message is a sentence for the user who asked. */
export class EngineFailure extends Error {
	override readonly name = "EngineFailure";
	/** `notSent`: nothing left this machine; `refused`: the server turned it away; `unknown`: it may have been taken, and charged. */
	readonly charge: ChargeState;
	/** Whether asking again may help, where asking costs nothing. */
	readonly isPassing: boolean;
	readonly status: number | undefined;
	readonly retryAfterMs: number | undefined;

	constructor(
		message: string,
		details: {
			readonly charge: ChargeState;
			readonly isPassing?: boolean;
			readonly status?: number | undefined;
			readonly retryAfterMs?: number | undefined;
			readonly cause?: unknown;
		},
	) {
		super(message, details.cause === undefined ? undefined : { cause: details.cause });
		this.charge = details.charge;
		this.isPassing = details.isPassing ?? false;
		this.status = details.status;
		this.retryAfterMs = details.retryAfterMs;
	}
}

const unknownHostCodes = new Set([
	"ENOTFOUND",
	"EAI_AGAIN",
	"EAI_FAIL",
	"EAI_NODATA",
	"EAI_NONAME",
]);
const tlsCode = /CERT|^ERR_SSL_|^ERR_TLS_|SELF_SIGNED|^UNABLE_TO_|^EPROTO$/;

/**
 * Why a request provably never left this machine: nobody listens, the name is not known, no connection came about, or the server could not be
 * trusted. Undefined for everything else, which may have been taken.
 */
export function unsentReason(
	error: unknown,
): "refused" | "unknownHost" | "unreachable" | "tls" | undefined {
	if (error instanceof AggregateError) {
		// Several addresses are tried in turn, which only connecting does.
		const reasons = error.errors.map(unsentReason);
		return reasons.every(reason => reason !== undefined) ? reasons[0] : undefined;
	}
	if (!(error instanceof Error) || !("code" in error) || typeof error.code !== "string") {
		return undefined;
	}
	if (error.code === "ECONNREFUSED") {
		return "refused";
	}
	if (unknownHostCodes.has(error.code)) {
		return "unknownHost";
	}
	if ("syscall" in error && error.syscall === "connect") {
		return "unreachable";
	}
	return tlsCode.test(error.code) ? "tls" : undefined;
}
