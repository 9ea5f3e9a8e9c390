import * as l10n from "@vscode/l10n";
import type { FailureFacts } from "./serviceError.ts";

type Facts = Omit<FailureFacts, "charge">;

/** Returns what happened to a request, as whole sentences. Callers add what was kept and what may be charged. docs/faults.md. */
export function failureSentence(failure: Facts): string {
	return sentences[failure.kind](failure);
}

/** Failures of the network always name the host. Omitting a kind is a type error. */
const sentences: Readonly<Record<FailureFacts["kind"], (failure: Facts) => string>> = {
	refused: ({ host = "?" }) =>
		l10n.t("Can't reach {0}. Check the address, and whether the service is running.", host),
	unknownHost: ({ host = "?" }) =>
		l10n.t("The address {0} was not found. Check it and your network.", host),
	tls: ({ host = "?", ...failure }) =>
		l10n.t("No secure connection to {0}{1}.", host, because(failure)),
	unreachable: ({ host = "?", ...failure }) =>
		l10n.t("No connection to {0}{1}. Check your network and proxy.", host, because(failure)),
	proxySignIn: () => l10n.t("The proxy requires a sign-in. Check “http.proxy” in the settings."),
	connectionLost: () => l10n.t("The connection broke before an answer."),
	noAnswer: () => l10n.t("The service didn't answer in time."),
	redirected: ({ host = "?" }) =>
		l10n.t(
			"Redirected to {0}. Not followed, to protect your key. If you trust it, use it as the address.",
			host,
		),
	webPage: failure =>
		l10n.t(
			"Received a web page instead of an answer{0}. Check the address or your network sign-in.",
			because(failure),
		),
	badRequest: failure => l10n.t("The service rejected the request{0}.", status(failure)),
	unauthorized: () => l10n.t("The key wasn't accepted. Set the right one, then try again."),
	forbidden: () => l10n.t("Not allowed for this key. Use another one, or check your account."),
	notFound: () => l10n.t("The service doesn't know this address. Check the address."),
	conflict: failure => l10n.t("The service couldn't accept the request now{0}.", status(failure)),
	tooLarge: () => l10n.t("The request is too large for the service."),
	rateLimited: failure => `${l10n.t("Too many requests in a short time.")}${wait(failure)}`,
	serverFailed: failure => l10n.t("The service failed{0}.", status(failure)),
	busy: failure => `${l10n.t("The service is busy{0}.", status(failure))}${wait(failure)}`,
	rejected: failure => l10n.t("The service rejected the request{0}.", status(failure)),
	empty: () => l10n.t("Empty answer: the service sent nothing."),
	unreadable: () => l10n.t("Couldn't read the answer: it isn't in the expected format."),
	answerTooLarge: () => l10n.t("The answer is too large and was cut off."),
	noText: () => l10n.t("The connection ended before any text."),
	interrupted: () => l10n.t("Interrupted: the connection broke."),
	endedEarly: () => l10n.t("Ended early: there may have been more."),
	stalled: () => l10n.t("Interrupted: the service stopped responding."),
	notReady: ({ detail }) => detail ?? l10n.t("The service isn't ready."),
	invalidRequest: failure => l10n.t("The request isn't valid{0}.", because(failure)),
};

const because = ({ detail }: Pick<Facts, "detail">): string => (detail ? ` (${detail})` : "");
const status = (failure: Facts): string => (failure.status ? ` (${failure.status})` : "");
const wait = ({ retryAfterMs }: Facts): string =>
	retryAfterMs === undefined
		? ""
		: ` ${l10n.t("The service asks you to wait {0}.", formatWait(retryAfterMs))}`;

/** Formats a waiting time, such as “8 s”, “5 min” or “2 h”. */
export function formatWait(ms: number): string {
	const seconds = Math.ceil(ms / 1000);
	if (seconds < 90) {
		return l10n.t("{0} s", seconds);
	}
	const minutes = Math.round(seconds / 60);
	return minutes < 90 ? l10n.t("{0} min", minutes) : l10n.t("{0} h", Math.round(minutes / 60));
}
