/** Why an exchange with the service failed. docs/faults.md. Cancellation isn't a failure: it is an `AbortError`. */
export const serviceErrorKinds = [
	/** Nothing listens at the address. */
	"refused",
	/** The host name wasn't found. */
	"unknownHost",
	/** The TLS handshake failed. */
	"tls",
	/** No route, no network, or no connection in time. */
	"unreachable",
	"proxySignIn",
	/** The connection broke before any response, after the request may have been sent. */
	"connectionLost",
	/** No response headers in time. */
	"noAnswer",
	/** A redirect. Redirects are never followed. */
	"redirected",
	/** An HTML page instead of an answer. */
	"webPage",
	/** The service rejected the request: 400, 422, and other 4xx without their own kind. */
	"badRequest",
	/** 401. */
	"unauthorized",
	/** 403. */
	"forbidden",
	/** 404. */
	"notFound",
	/** 408, 409, 425. */
	"conflict",
	/** 413. */
	"tooLarge",
	/** 429 after the allowed waits, or with a wait longer than a minute. */
	"rateLimited",
	/** 500, 502, 504 and other 5xx. */
	"serverFailed",
	/** 503. */
	"busy",
	/** The service responded with `success: false`. */
	"rejected",
	"empty",
	/** An answer that doesn't follow the interface. */
	"unreadable",
	/** An answer above the size limits. */
	"answerTooLarge",
	/** The stream ended before any text. */
	"noText",
	/** An answer was interrupted, streamed or not. */
	"interrupted",
	/** All messages were closed, but the end of the stream is missing or came early. */
	"endedEarly",
	/** An answer that had started stopped arriving, or the machine slept during it. */
	"stalled",
	/** There is no usable address or key, or the local service isn't running. `detail` is the message for the user. */
	"notReady",
	/**
	 * Rejected by the client: the request exceeds a limit of the interface (docs/interface.md), the connection couldn't be determined, or a file
	 * couldn't be sent completely. `detail` is the reason for the user.
	 */
	"invalidRequest",
] as const;
export type ServiceErrorKind = (typeof serviceErrorKinds)[number];

/**
 * Whether a failed request may be charged: `notSent`, no complete request left this machine; `refused`, the service rejected the request; `unknown`,
 * it may have been processed and charged. docs/faults.md.
 */
export const chargeStates = ["notSent", "refused", "unknown"] as const;
export type ChargeState = (typeof chargeStates)[number];

/** Why the local service or a model behind it failed: codes that a user can act on. Other services have none. */
export const failureReasons = [
	"unknown_model_server",
	"engine_not_chosen",
	"model_server_not_running",
	/** Its host or the proxy wasn't found, didn't connect or isn't trusted. */
	"model_server_unreachable",
	"model_server_lost",
	/** The model's server responded with 401 or 403. */
	"model_server_refused_key",
	/** It responded with 404. */
	"model_missing",
	/** It responded with another 4xx. */
	"model_server_refused",
	/** It responded with 5xx. */
	"model_server_failed",
	/** Its response was interrupted or is invalid. */
	"model_answer_failed",
	/** `tokens` contains the conversation's size if the model's server reported it. */
	"context_length_exceeded",
	"cut_at_limit",
	"unknown_file",
	/** A model of this machine can't be used because of its file, the memory or the machine. */
	"model_not_usable",
] as const;
export type FailureReason = (typeof failureReasons)[number];

/** A failure as an error has it and a record stores it: plain values without request, headers and key. */
export interface FailureFacts {
	readonly kind: ServiceErrorKind;
	readonly charge: ChargeState;
	readonly status?: number;
	/** Message of the service, as plain text of at most 500 characters. docs/interface.md §7. */
	readonly serviceMessage?: string;
	/** Host (and port) of the request or of the redirect's target. */
	readonly host?: string;
	/** The wait that the service requested, in milliseconds. */
	readonly retryAfterMs?: number;
	/** Further detail for the user: a TLS reason, a page's title, the invalid field; at most 120 characters. */
	readonly detail?: string;
	readonly reason?: FailureReason;
	/** Size of a conversation, and the room in its model's context, in tokens. */
	readonly tokens?: { readonly has: number; readonly room: number };
}

export interface ServiceErrorDetails extends Omit<FailureFacts, "kind"> {
	readonly cause?: unknown;
}

/** A failed exchange with the service. Doesn't contain the request, its headers or the key. */
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

/** Nothing was sent, and a retry may succeed: at most two retries. */
export const unsentKinds: ReadonlySet<ServiceErrorKind> = new Set([
	"refused",
	"unknownHost",
	"unreachable",
]);

/** Transient failures, after which a free call is retried. docs/faults.md. */
export const passingKinds: ReadonlySet<ServiceErrorKind> = new Set([
	"connectionLost",
	"noAnswer",
	"conflict",
	"rateLimited",
	"serverFailed",
	"busy",
	"interrupted",
	"stalled",
]);
