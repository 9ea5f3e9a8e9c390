/**
 * Why an exchange with the service failed; a closed list. Each kind names the rows of the fault matrix it stands for.
 * Cancellation is not a failure: it stays an `AbortError`.
 */
export const serviceErrorKinds = [
	/** N1: nobody listens at the address. */
	"refused",
	/** N2: the host name was not found. */
	"unknownHost",
	/** N3, L19: the TLS handshake failed. */
	"tls",
	/** N4: no route, no network, or no connection in time. */
	"unreachable",
	/** N5: a proxy asks for a sign-in. */
	"proxySignIn",
	/** N6, N7: the connection broke after the request may have been sent and before any answer. */
	"connectionLost",
	/** N8: no response headers in time. */
	"noAnswer",
	/** N9: a redirect, which is never followed. */
	"redirected",
	/** N10, H13: a web page came instead of an answer. */
	"webPage",
	/** H1, H7: the service found fault with the request (400, 422, and other 4xx without a kind of their own). */
	"badRequest",
	/** H2 */
	"unauthorized",
	/** H3 */
	"forbidden",
	/** H4 */
	"notFound",
	/** H5: 408, 409, 425. */
	"conflict",
	/** H6 */
	"tooLarge",
	/** H8, H9: 429 after the allowed waits, or a wait longer than a minute. */
	"rateLimited",
	/** H10, H11: 500, 502, 504 and other 5xx. */
	"serverFailed",
	/** H12: 503. */
	"busy",
	/** H14, H16: the service answered `success: false`. */
	"rejected",
	/** H18, S9: an answer with nothing in it. */
	"empty",
	/** An answer that is not what the interface promises. */
	"unreadable",
	/** H20, S20: an answer past the caps. */
	"answerTooLarge",
	/** S1: the stream ended before any text. */
	"noText",
	/** S2, S3, S10, H19: an answer broke off, streamed or not. */
	"interrupted",
	/** S4, S5, S6: every message closed, but the stream's own end is missing or came early. */
	"endedEarly",
	/** S21, S26: an answer that had started fell silent, or the machine slept during it. */
	"stalled",
	/** L11, L14: there is no usable address or key, or the local service does not run; `detail` is the sentence. */
	"notReady",
	/**
	 * Refused here: the request breaks a bound of the interface (docs/interface.md), the connection could not be told, or a file
	 * could not be sent whole (J26). `detail` is the reason as a user reads it.
	 */
	"invalidRequest",
] as const;
export type ServiceErrorKind = (typeof serviceErrorKinds)[number];

/**
 * Effect of a failure on the user's money: `notSent`, provably no whole request left this machine; `refused`, the service
 * turned the request away; `unknown`, it may have been processed and charged. docs/faults.md.
 */
export const chargeStates = ["notSent", "refused", "unknown"] as const;
export type ChargeState = (typeof chargeStates)[number];

/**
 * Why the local service failed, or the model behind it, where the kind alone would mislead: those codes of its error bodies that a user
 * can do something about. Another service shows none.
 */
export const failureReasons = [
	"unknown_model_server",
	"engine_not_chosen",
	"model_server_not_running",
	"model_server_lost",
	/** The model's server answered 401 or 403. */
	"model_server_refused_key",
	/** It answered 404. */
	"model_missing",
	/** It answered another 4xx. */
	"model_server_refused",
	/** It answered 5xx. */
	"model_server_failed",
	/** Its answer broke off, or is none. */
	"model_answer_failed",
	/** `tokens` holds how long the conversation is, where the model's server reported it. */
	"context_length_exceeded",
	"cut_at_limit",
	"unknown_file",
	/** A model of this machine cannot be used: its file, the memory or the machine is not fit for it. */
	"model_not_usable",
] as const;
export type FailureReason = (typeof failureReasons)[number];

/** Facts of a failure, as an error carries and a record keeps them: plain values, no request, no header, no key. */
export interface FailureFacts {
	readonly kind: ServiceErrorKind;
	readonly charge: ChargeState;
	/** HTTP status, when there was one. */
	readonly status?: number;
	/** Message of the service, as plain text of at most 500 characters. Interface §7, docs/interface.md. */
	readonly serviceMessage?: string;
	/** Host (and port) the request was for, or that a redirect pointed at. */
	readonly host?: string;
	/** How long the service asked to wait, in milliseconds. */
	readonly retryAfterMs?: number;
	/** Further detail for a user: a TLS reason, a page's title, the field that broke a bound; at most 120 characters. */
	readonly detail?: string;
	readonly reason?: FailureReason;
	/** Tokens that a conversation has, and those that its model has room for. */
	readonly tokens?: { readonly has: number; readonly room: number };
}

/** Facts of a `ServiceError` beyond its kind. */
export interface ServiceErrorDetails extends Omit<FailureFacts, "kind"> {
	readonly cause?: unknown;
}

/** A failed exchange with the service. Holds neither the request, its headers nor the key. */
export class ServiceError extends Error {
	override readonly name = "ServiceError";
	readonly facts: FailureFacts;

	constructor(kind: ServiceErrorKind, { cause, ...facts }: ServiceErrorDetails) {
		super(describe(kind, facts), cause === undefined ? undefined : { cause });
		this.facts = { kind, ...facts };
	}

	get kind(): ServiceErrorKind {
		return this.facts.kind;
	}

	get charge(): ChargeState {
		return this.facts.charge;
	}

	get status(): number | undefined {
		return this.facts.status;
	}

	get serviceMessage(): string | undefined {
		return this.facts.serviceMessage;
	}

	get host(): string | undefined {
		return this.facts.host;
	}

	get retryAfterMs(): number | undefined {
		return this.facts.retryAfterMs;
	}

	get detail(): string | undefined {
		return this.facts.detail;
	}
}

function describe(kind: ServiceErrorKind, details: Omit<FailureFacts, "kind">): string {
	const parts = [details.status, details.host, details.detail ?? details.serviceMessage];
	return [kind, ...parts.filter(part => part !== undefined)].join(": ");
}
