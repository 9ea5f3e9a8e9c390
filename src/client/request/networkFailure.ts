import * as l10n from "@vscode/l10n";
import { unknownHostCode } from "../../common/errors.ts";
import type { ChargeState, ServiceErrorKind } from "../contract/serviceError.ts";

/** The failure that is reported for a network error. */
export interface NetworkFailure {
	readonly kind: ServiceErrorKind;
	readonly charge: ChargeState;
	/** A reason for the user, at most 120 characters. */
	readonly detail?: string;
}

/** Reasons of a failed TLS handshake, by error codes of Node and of Chromium (without `net::`). */
const tlsReasons: readonly (readonly [RegExp, () => string])[] = [
	[
		/^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN)$/,
		() => l10n.t("the certificate is self-signed; to use it, add it to those this machine trusts"),
	],
	[
		/^(CERT_HAS_EXPIRED|CERT_NOT_YET_VALID|ERR_CERT_DATE_INVALID)$/,
		() => l10n.t("the certificate has expired or is not yet valid; check this machine's clock"),
	],
	[
		/^(ERR_TLS_CERT_ALTNAME_INVALID|HOSTNAME_MISMATCH|ERR_CERT_COMMON_NAME_INVALID)$/,
		() => l10n.t("the certificate is for another name; check the address"),
	],
	[
		/^(UNABLE_TO_|CERT_UNTRUSTED|ERR_CERT_AUTHORITY_INVALID)/,
		() =>
			l10n.t(
				"this machine doesn't trust the certificate's authority; to use it, add its certificate",
			),
	],
	[
		/^(CERT_|ERR_CERT_|INVALID_CA|PATH_LENGTH_EXCEEDED|INVALID_PURPOSE)/,
		() => l10n.t("the certificate isn't valid"),
	],
	[
		/^(ERR_SSL_WRONG_VERSION_NUMBER|ERR_SSL_HTTP_REQUEST|ERR_SSL_PACKET_LENGTH_TOO_LONG)$/,
		() => l10n.t("the address doesn't use https"),
	],
	[
		/^ERR_SSL_.*(HANDSHAKE|PROTOCOL|CIPHER|UNRECOGNIZED_NAME|UNKNOWN_CA|CERTIFICATE|FALLBACK)/,
		() => l10n.t("the TLS handshake failed"),
	],
];

/** A failure whose reason is translated when it is read. */
function unsent(kind: ServiceErrorKind, words: () => string): NetworkFailure {
	return {
		kind,
		charge: "notSent",
		get detail() {
			return words();
		},
	};
}

/** Error codes with a single meaning; Chromium's without `net::`. docs/faults.md. */
const kindsByCode: Readonly<Record<string, NetworkFailure>> = {
	ECONNREFUSED: { kind: "refused", charge: "notSent" },
	ERR_CONNECTION_REFUSED: { kind: "refused", charge: "notSent" },
	ERR_NAME_NOT_RESOLVED: { kind: "unknownHost", charge: "notSent" },
	ERR_NAME_RESOLUTION_FAILED: { kind: "unknownHost", charge: "notSent" },
	UND_ERR_CONNECT_TIMEOUT: { kind: "unreachable", charge: "notSent" },
	ERR_INTERNET_DISCONNECTED: { kind: "unreachable", charge: "notSent" },
	ERR_ADDRESS_UNREACHABLE: { kind: "unreachable", charge: "notSent" },
	ERR_CONNECTION_TIMED_OUT: { kind: "unreachable", charge: "notSent" },
	ERR_NETWORK_ACCESS_DENIED: { kind: "unreachable", charge: "notSent" },
	ERR_PROXY_CONNECTION_FAILED: unsent("unreachable", () => l10n.t("the proxy doesn't answer")),
	ERR_TUNNEL_CONNECTION_FAILED: unsent("unreachable", () => l10n.t("the proxy didn't connect")),
	ERR_PROXY_AUTH_REQUESTED: { kind: "proxySignIn", charge: "notSent" },
	ERR_PROXY_AUTH_UNSUPPORTED: { kind: "proxySignIn", charge: "notSent" },
	ERR_PROXY_AUTH_REQUESTED_WITH_NO_CONNECTION: { kind: "proxySignIn", charge: "notSent" },
	UND_ERR_HEADERS_TIMEOUT: { kind: "noAnswer", charge: "unknown" },
	UND_ERR_HEADERS_OVERFLOW: { kind: "answerTooLarge", charge: "unknown" },
	HPE_HEADER_OVERFLOW: { kind: "answerTooLarge", charge: "unknown" },
	ERR_RESPONSE_HEADERS_TOO_BIG: { kind: "answerTooLarge", charge: "unknown" },
	ERR_UNSAFE_PORT: unsent("invalidRequest", () => l10n.t("the port of the address is not allowed")),
};

/** Codes that mean “never connected” only if the failing call was `connect`. */
const connectOnlyCodes = new Set([
	"ENETUNREACH",
	"EHOSTUNREACH",
	"ENETDOWN",
	"EHOSTDOWN",
	"EADDRNOTAVAIL",
	"ETIMEDOUT",
	"EACCES",
	"EPERM",
]);

/**
 * Converts an error that a transport threw before any response: codes of Node and undici, Chromium's `net::ERR_…`, and nested causes. Anything not
 * provably unsent is `connectionLost` with an unknown charge. docs/faults.md.
 */
export function networkFailure(thrown: unknown): NetworkFailure {
	for (const link of errorChain(thrown)) {
		const failure = failureOfLink(link);
		if (failure) {
			return failure;
		}
	}
	return { kind: "connectionLost", charge: "unknown" };
}

/** Joins the codes and messages of an error and its causes in one line, for a log. Contains nothing of the request. */
export function describeThrown(thrown: unknown): string {
	const parts = errorChain(thrown).map(link => [link.code, link.message].filter(Boolean).join(" "));
	return [...new Set(parts)].join(" < ").slice(0, 500);
}

interface ErrorLink {
	readonly code: string;
	readonly syscall: string;
	readonly message: string;
	/** Set for an error of one of several addresses that were tried in turn, which happens only while connecting. */
	readonly isConnecting: boolean;
}

function failureOfLink(link: ErrorLink): NetworkFailure | undefined {
	const code = /net::(ERR_[A-Z0-9_]+)/.exec(link.message)?.[1] ?? link.code;
	if (Object.hasOwn(kindsByCode, code)) {
		return kindsByCode[code];
	}
	if (unknownHostCode.test(code)) {
		return { kind: "unknownHost", charge: "notSent" };
	}
	if (connectOnlyCodes.has(code)) {
		return link.isConnecting || link.syscall === "connect"
			? { kind: "unreachable", charge: "notSent" }
			: undefined;
	}
	const reason = tlsReasons.find(([pattern]) => pattern.test(code))?.[1]();
	if (reason) {
		return { kind: "tls", charge: "notSent", detail: reason };
	}
	return failureOfMessage(link.message, code);
}

function failureOfMessage(message: string, code: string): NetworkFailure | undefined {
	const proxyStatus = /Proxy response \((\d{3})\)/.exec(message)?.[1];
	if (proxyStatus !== undefined) {
		return proxyStatus === "407"
			? { kind: "proxySignIn", charge: "notSent" }
			: {
					kind: "unreachable",
					charge: "notSent",
					detail: l10n.t("the proxy answered {0}", proxyStatus),
				};
	}
	if (message === "bad port") {
		return kindsByCode["ERR_UNSAFE_PORT"];
	}
	if (code.startsWith("HPE_")) {
		return { kind: "unreadable", charge: "unknown", detail: l10n.t("the answer isn't HTTP") };
	}
	return undefined;
}

/** The most causes to follow; they may form a loop. */
const maxChainLength = 12;

function errorChain(thrown: unknown): ErrorLink[] {
	const links: ErrorLink[] = [];
	const queue: { error: unknown; isConnecting: boolean }[] = [
		{ error: thrown, isConnecting: false },
	];
	for (let next = queue.shift(); next && links.length < maxChainLength; next = queue.shift()) {
		const { error, isConnecting } = next;
		if (error instanceof Error) {
			const isAggregate = error instanceof AggregateError;
			links.push({
				code: textField(error, "code"),
				syscall: textField(error, "syscall"),
				message: error.message,
				isConnecting: isConnecting || isAggregate,
			});
			queue.push({ error: error.cause, isConnecting });
			if (isAggregate) {
				queue.push(...error.errors.map(inner => ({ error: inner, isConnecting: true })));
			}
		}
	}
	return links;
}

function textField(error: Error, name: "code" | "syscall"): string {
	const value: unknown = Reflect.get(error, name);
	return typeof value === "string" ? value : "";
}
