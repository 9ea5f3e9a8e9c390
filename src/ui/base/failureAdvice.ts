import * as l10n from "@vscode/l10n";
import { isFileRefusal } from "../../chat/turn/fileRefusal.ts";
import { toFailure, type TurnFailure } from "../../chat/turn/toFailure.ts";
import { type FailureReason, ServiceError } from "../../client/contract/errors.ts";
import type { TurnAction } from "../../shared/chat.ts";
import { formatCount } from "../../shared/locale.ts";

/** A message for a failure, and actions that may help, most likely first. */
export interface Advice {
	readonly sentence: string;
	readonly actions: readonly TurnAction[];
	/** Set if the sentence includes the service's message, which isn't shown again. */
	readonly saysAll?: true;
}

/** What advice depends on. */
export interface AdviceInput {
	readonly failure: TurnFailure;
	/** Whether any text of the answer had arrived. */
	readonly hasText: boolean;
	/** Whether the local service was asked. */
	readonly isLocal: boolean;
}

export function proxySignInMessage(): string {
	return l10n.t(
		"The proxy requires a sign-in. Nothing reached the service. Check “http.proxy” in the settings.",
	);
}

/** Returns the message for a redirect, which isn't followed so that the key isn't sent elsewhere. */
export function redirectedMessage(host: string | undefined): string {
	return host === undefined
		? l10n.t("Redirected to another address. Not followed, to protect your key.")
		: l10n.t("Redirected to {0}. Not followed, to protect your key.", host);
}

/** Returns the message for an HTML page received instead of an answer, such as a network's sign-in page. */
export function webPageMessage(): string {
	return l10n.t(
		"Received a web page instead of an answer. Check the address or your network sign-in.",
	);
}

/**
 * A message and buttons for every kind of failure: what happened and what to do next. It starts with its title; a note that text was kept is
 * appended. docs/faults.md. Omitting a kind is a type error.
 */
const adviceByKind: Readonly<Record<TurnFailure["kind"], (input: AdviceInput) => Advice>> = {
	refused: ({ isLocal, failure }) =>
		isLocal
			? {
					sentence: l10n.t("The local service isn't running. Nothing was sent."),
					actions: ["tryAgain", "showLog"],
				}
			: {
					sentence:
						failure.host === undefined
							? l10n.t("Can't reach the service. Nothing was sent.")
							: l10n.t("Can't reach {0}. Nothing was sent.", failure.host),
					actions: ["tryAgain", "connect"],
				},
	unknownHost: ({ failure }) => ({
		sentence:
			failure.host === undefined
				? l10n.t("The address of the service was not found. Nothing was sent.")
				: l10n.t("The address {0} was not found. Nothing was sent.", failure.host),
		actions: ["tryAgain", "connect"],
	}),
	tls: ({ failure }) => ({
		sentence:
			failure.host === undefined
				? l10n.t(
						"No secure connection to the service{0}. Nothing was sent. An incorrect date on this machine can cause this.",
						because(failure),
					)
				: l10n.t(
						"No secure connection to {0}{1}. Nothing was sent. An incorrect date on this machine can cause this.",
						failure.host,
						because(failure),
					),
		actions: ["tryAgain", "connect"],
	}),
	unreachable: ({ failure }) => ({
		sentence:
			failure.host === undefined
				? l10n.t("No network connection to the service. Nothing was sent.")
				: l10n.t("No network connection to {0}. Nothing was sent.", failure.host),
		actions: ["tryAgain"],
	}),
	proxySignIn: () => ({
		sentence: proxySignInMessage(),
		actions: ["tryAgain"],
	}),
	redirected: ({ failure }) => ({
		sentence: redirectedMessage(failure.host),
		actions: ["connect", "tryAgain"],
	}),
	notReady: ({ failure, isLocal }) => ({
		sentence: `${failure.detail ?? l10n.t("The service isn't ready.")} ${l10n.t("Nothing was sent.")}`,
		actions: isLocal ? ["tryAgain", "showLog"] : ["connect", "setApiKey", "tryAgain"],
	}),
	invalidRequest: ({ failure }) => ({
		sentence: l10n.t("This message isn't valid{0}. Nothing was sent.", because(failure)),
		actions: ["edit", "tryAgain"],
	}),
	connectionLost: ({ hasText }) => ({
		sentence: hasText
			? l10n.t("Interrupted: the connection broke.")
			: l10n.t("The connection broke before an answer. Your message may have been processed."),
		actions: ["sendAgain"],
	}),
	noAnswer: ({ hasText }) => ({
		sentence: hasText
			? l10n.t("Interrupted: the service stopped responding.")
			: l10n.t("The service didn't answer in time. Your message may have been processed."),
		actions: ["sendAgain"],
	}),
	serverFailed: input => ({
		sentence: `${l10n.t("The service failed{0}.", status(input.failure))}${charge(input)}`,
		actions: ["sendAgain"],
	}),
	busy: input => ({
		sentence: `${l10n.t("The service is busy{0}.", status(input.failure))}${wait(input.failure)}${charge(input)}`,
		actions: ["sendAgain"],
	}),
	webPage: ({ failure }) => ({
		sentence: failure.detail
			? l10n.t(
					"Received a web page instead of an answer (“{0}”). Check the address or your network sign-in.",
					failure.detail,
				)
			: webPageMessage(),
		actions: ["tryAgain", "connect"],
	}),
	badRequest: ({ failure }) =>
		unpaid(failure, l10n.t("The service asks for payment. Pay there, then try again.")) ??
		(isFileRefusal(failure)
			? filesRefused(
					l10n.t("The service couldn't use a file in this chat{0}.", status(failure)),
					"edit",
				)
			: {
					sentence: l10n.t("The service rejected this message{0}.", status(failure)),
					actions: ["edit", "tryAgain"],
				}),
	unauthorized: () => ({
		sentence: l10n.t("Key not accepted. Your message is kept. Enter the key, then try again."),
		actions: ["setApiKey", "tryAgain"],
	}),
	forbidden: () => ({
		sentence: l10n.t("Not allowed for this key. Your message is kept."),
		actions: ["setApiKey", "tryAgain"],
	}),
	notFound: ({ failure }) =>
		isFileRefusal(failure)
			? filesRefused(l10n.t("The service couldn't find a file{0}.", status(failure)), "connect")
			: {
					sentence: l10n.t("This address doesn't offer chat. Check the address."),
					actions: ["connect", "tryAgain"],
				},
	conflict: ({ failure }) => ({
		sentence: l10n.t("The service couldn't accept the message now{0}.", status(failure)),
		actions: ["tryAgain"],
	}),
	tooLarge: () => ({
		sentence: l10n.t(
			"This conversation is too large for the service. Shorten the message, or start a new chat.",
		),
		actions: ["edit"],
	}),
	rateLimited: ({ failure }) => ({
		sentence: `${l10n.t("Too many messages in a short time.")}${wait(failure)}`,
		actions: ["tryAgain"],
	}),
	rejected: ({ failure }) =>
		isFileRefusal(failure)
			? filesRefused(l10n.t("The service rejected a file in this chat."), "edit")
			: { sentence: l10n.t("The service rejected this message."), actions: ["edit", "tryAgain"] },
	empty: () => ({
		sentence: l10n.t("Empty answer: the service sent no text."),
		actions: ["showError", "sendAgain"],
	}),
	unreadable: () => ({
		sentence: l10n.t("Couldn't read the answer: it isn't in the expected format."),
		actions: ["showError", "sendAgain"],
	}),
	answerTooLarge: () => ({
		sentence: l10n.t("The answer is too large and was cut off."),
		actions: ["sendAgain"],
	}),
	noText: ({ hasText }) => ({
		sentence: hasText
			? l10n.t("Interrupted: the connection broke.")
			: l10n.t("The connection ended before any text."),
		actions: ["showError", "sendAgain"],
	}),
	interrupted: () => ({
		sentence: l10n.t("Interrupted: the connection broke."),
		actions: ["showError", "sendAgain"],
	}),
	endedEarly: () => ({
		sentence: l10n.t("Ended early: there may have been more."),
		actions: ["showError"],
	}),
	stalled: () => ({
		sentence: l10n.t("Interrupted: the service stopped responding."),
		actions: ["showError", "sendAgain"],
	}),
	reload: () => ({
		sentence: l10n.t("Interrupted: the chat was closed, or its window reloaded."),
		actions: ["sendAgain"],
	}),
};

/** Returns the message and the buttons for a failure. Nothing warns of a charge for the local service, which is free. */
export function adviceFor(input: AdviceInput): Advice {
	const { kind, reason } = input.failure;
	const { sentence, actions, ...rest } =
		(reason && adviceByReason[reason]?.(input)) ?? adviceByKind[kind](input);
	return {
		...rest,
		sentence: `${sentence}${kept(input)}`,
		// The local service sends the reason for an incomplete answer along with it.
		actions: input.isLocal ? [...new Set(actions.map(localAction))] : actions,
	};
}

/** Converts a `ServiceError` of a request outside a chat into an error with a message for the user. Returns other errors unchanged. */
export function asSentence(error: unknown): unknown {
	if (!(error instanceof ServiceError)) {
		return error;
	}
	const failure = toFailure(error);
	const { sentence } = adviceFor({ failure, hasText: false, isLocal: false });
	return new Error(sentence, { cause: error });
}

const localAction = (action: TurnAction): TurnAction =>
	action === "sendAgain" || action === "showError" ? "tryAgain" : action;

/** Formats a waiting time, such as “8 s”, “5 min” or “2 h”. */
export function formatWait(ms: number): string {
	const seconds = Math.ceil(ms / 1000);
	if (seconds < 90) {
		return l10n.t("{0} s", seconds);
	}
	const minutes = Math.round(seconds / 60);
	return minutes < 90 ? l10n.t("{0} min", minutes) : l10n.t("{0} h", Math.round(minutes / 60));
}

/** Creates advice for a service that lost or rejected files, which are uploaded again before a retry. */
const filesRefused = (sentence: string, other: TurnAction): Advice => ({
	sentence: `${sentence} ${l10n.t("Trying again uploads this chat's files again.")}`,
	actions: ["tryAgain", other],
});
const because = ({ detail }: TurnFailure): string => (detail ? ` (${detail})` : "");
const status = (failure: TurnFailure): string => (failure.status ? ` (${failure.status})` : "");
const charge = ({ isLocal }: AdviceInput): string =>
	isLocal ? "" : ` ${l10n.t("It may have been charged.")}`;
const kept = ({ hasText }: AdviceInput): string =>
	hasText ? ` ${l10n.t("The text so far is kept.")}` : "";
const wait = ({ retryAfterMs }: TurnFailure): string =>
	retryAfterMs === undefined
		? ""
		: ` ${l10n.t("The service asks you to wait {0}.", formatWait(retryAfterMs))}`;

/**
 * Advice for failures of the model or model server behind the local service, for which a status code means nothing to a user. Undefined if that of
 * the kind is enough.
 */
const adviceByReason: Readonly<
	Record<FailureReason, ((input: AdviceInput) => Advice | undefined) | undefined>
> = {
	unknown_model_server: () => ({
		sentence: l10n.t("This model's server isn't set up any more. Choose another model."),
		actions: ["chooseModel", "tryAgain"],
	}),
	engine_not_chosen: () => ({
		sentence: l10n.t("The settings leave this model out. Choose another model."),
		actions: ["chooseModel", "tryAgain"],
	}),
	model_server_not_running: () =>
		modelAgain(l10n.t("The model's server isn't running. Start it, then try again.")),
	model_server_lost: () => modelAgain(l10n.t("The connection to the model's server broke.")),
	model_server_refused_key: () => ({
		sentence: l10n.t("The model's server didn't accept the key. Set its key, then try again."),
		actions: ["setApiKey", "chooseModel", "tryAgain"],
	}),
	model_missing: () => ({
		sentence: l10n.t("The model's server doesn't offer this model. Choose another one."),
		actions: ["chooseModel", "tryAgain"],
	}),
	model_server_refused: ({ failure }) =>
		unpaid(
			failure,
			l10n.t("The model's server asks for payment. Pay there, or choose another model."),
			"chooseModel",
		),
	model_server_failed: () => modelFailed(),
	model_answer_failed: () => modelFailed(),
	context_length_exceeded: tooLong,
	cut_at_limit: ({ hasText }) => ({
		sentence: l10n.t("Cut at the model's limit."),
		actions: hasText ? [] : ["sendAgain"],
	}),
	unknown_file: undefined,
	model_not_usable: () => ({
		sentence: l10n.t("This model can't be used now. Choose another model."),
		actions: ["chooseModel", "tryAgain"],
	}),
};

/** Returns advice for an account without credit (402), for which editing the message wouldn't help. */
function unpaid(
	{ status }: Pick<TurnFailure, "status">,
	sentence: string,
	...other: readonly TurnAction[]
): Advice | undefined {
	return status === 402 ? { sentence, actions: ["tryAgain", ...other] } : undefined;
}

const modelFailed = (): Advice => modelAgain(l10n.t("The model's server failed."));

/** Returns advice for failures after which a retry or another model may succeed. */
const modelAgain = (sentence: string): Advice => ({
	sentence,
	actions: ["tryAgain", "chooseModel"],
});

/** Returns advice for a conversation that exceeds a model's context, with the token counts if reported. */
function tooLong({ failure: { tokens } }: AdviceInput): Advice {
	const cause = tokens
		? l10n.t(
				"Too long for this model: about {0} tokens, it has {1}.",
				formatCount(tokens.has),
				formatCount(tokens.room),
			)
		: l10n.t("Too long for this model.");
	const help = l10n.t("Use a larger context, another model or fewer files, or start a new chat.");
	return {
		sentence: `${cause} ${help}`,
		actions: ["edit", "tryAgain", "summarizeChat"],
		saysAll: true,
	};
}
