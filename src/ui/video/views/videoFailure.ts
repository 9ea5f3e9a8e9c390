import * as l10n from "@vscode/l10n";
import type { FailureFacts } from "../../../client/contract/errors.ts";
import {
	formatWait,
	proxySignInMessage,
	redirectedMessage,
	webPageMessage,
} from "../../base/failureAdvice.ts";

/** Why an exchange about a video failed, as a sentence. Omitting a kind is a type error. docs/faults.md. */
const sentences: Readonly<Record<FailureFacts["kind"], (failure: FailureFacts) => string>> = {
	refused: ({ host }) =>
		host === undefined ? l10n.t("Can't reach the service.") : l10n.t("Can't reach {0}.", host),
	unknownHost: ({ host }) =>
		host === undefined
			? l10n.t("The address of the service was not found.")
			: l10n.t("The address {0} was not found.", host),
	tls: failure =>
		failure.host === undefined
			? l10n.t("No secure connection to the service{0}.", because(failure))
			: l10n.t("No secure connection to {0}{1}.", failure.host, because(failure)),
	unreachable: ({ host }) =>
		host === undefined
			? l10n.t("No network connection to the service.")
			: l10n.t("No network connection to {0}.", host),
	proxySignIn: proxySignInMessage,
	connectionLost: () => l10n.t("The connection broke before an answer."),
	noAnswer: () => l10n.t("The service didn't answer in time."),
	redirected: ({ host }) => redirectedMessage(host),
	webPage: webPageMessage,
	badRequest: failure => l10n.t("The service rejected the request{0}.", status(failure)),
	unauthorized: () => l10n.t("Key not accepted."),
	forbidden: () => l10n.t("Not allowed for this key."),
	notFound: () => l10n.t("The service doesn't know this address. Check the address."),
	conflict: failure => l10n.t("The service couldn't accept the request now{0}.", status(failure)),
	tooLarge: () => l10n.t("The request is too large for the service."),
	rateLimited: failure => `${l10n.t("Too many requests in a short time.")}${wait(failure)}`,
	serverFailed: failure => l10n.t("The service failed{0}.", status(failure)),
	busy: failure => `${l10n.t("The service is busy{0}.", status(failure))}${wait(failure)}`,
	rejected: () => l10n.t("The service rejected the request."),
	empty: () => l10n.t("The service's answer was empty."),
	unreadable: () => l10n.t("Couldn't read the service's answer."),
	answerTooLarge: () => l10n.t("The service's answer is too large."),
	noText: () => l10n.t("The connection ended before an answer."),
	interrupted: () => l10n.t("The connection broke."),
	endedEarly: () => l10n.t("The connection ended early."),
	stalled: () => l10n.t("The service stopped responding."),
	notReady: ({ detail }) => detail ?? l10n.t("The service isn't ready."),
	invalidRequest: failure => l10n.t("The request can't be sent{0}.", because(failure)),
};

export function videoFailureMessage(failure: FailureFacts): string {
	return sentences[failure.kind](failure);
}

const because = ({ detail }: FailureFacts): string => (detail ? ` (${detail})` : "");
const status = (failure: FailureFacts): string => (failure.status ? ` (${failure.status})` : "");
const wait = ({ retryAfterMs }: FailureFacts): string =>
	retryAfterMs === undefined
		? ""
		: ` ${l10n.t("The service asks you to wait {0}.", formatWait(retryAfterMs))}`;
