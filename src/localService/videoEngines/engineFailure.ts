import type { ChargeState } from "../../client/contract/errors.ts";

/** Failure of a video engine's server, and whether the request may have been charged. The message is for the user. */
export class EngineFailure extends Error {
	override readonly name = "EngineFailure";
	/** `notSent`: nothing was sent. `refused`: the server rejected it. `unknown`: it may have been accepted and charged. */
	readonly charge: ChargeState;
	/** Whether a retry may help, for free requests. */
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
 * Returns why a request certainly wasn't sent: connection refused, unknown host, no connection, or an untrusted server. Returns undefined for other
 * errors, after which it may have been accepted.
 */
export function unsentReason(
	error: unknown,
): "refused" | "unknownHost" | "unreachable" | "tls" | undefined {
	if (error instanceof AggregateError) {
		// Contains the errors of several addresses, which occur only when connecting.
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
