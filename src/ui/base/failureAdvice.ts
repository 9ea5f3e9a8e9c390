import * as l10n from "@vscode/l10n";
import { isFileRefusal } from "../../chat/turn/fileRefusal.ts";
import { toFailure, type TurnFailure } from "../../chat/turn/toFailure.ts";
import { type FailureReason, ServiceError } from "../../client/contract/errors.ts";
import type { TurnAction } from "../../shared/chat.ts";
import { formatCount } from "../../shared/locale.ts";

/** Sentence for a failure, and the actions that may help, the likeliest first. */
export interface Advice {
	readonly sentence: string;
	readonly actions: readonly TurnAction[];
	/** The sentence holds the service's own words, which are not shown again. */
	readonly saysAll?: true;
}

/** Facts that advice depends on beyond the failure's kind. */
export interface AdviceInput {
	readonly failure: TurnFailure;
	/** Whether any of the answer's text had come. */
	readonly hasText: boolean;
	/** Whether the local service was asked. */
	readonly isLocal: boolean;
}

/** The sentence for a proxy that asks for a sign-in. */
export function proxySignInMessage(): string {
	return l10n.t(
		"The proxy requires a sign-in. Nothing reached the service. Check “http.proxy” in the settings.",
	);
}

/** The sentence for a redirect, which is not followed so that the key stays with its service. */
export function redirectedMessage(host: string | undefined): string {
	return host === undefined
		? l10n.t("Redirected to another address. Not followed, to protect your key.")
		: l10n.t("Redirected to {0}. Not followed, to protect your key.", host);
}

/** The sentence for a page that came where the interface has an answer, such as a network's sign-in. */
export function webPageMessage(): string {
	return l10n.t(
		"Received a web page instead of an answer. Check the address or your network sign-in.",
	);
}

/**
 * A sentence and its buttons for every kind of failure: what happened and what to do next. It begins with what serves as its title;
 * that text is kept is added to all of them. docs/faults.md; leaving a kind out does not compile.
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

/** The sentence and the buttons for a failure. The local service charges nothing, so nothing about it warns of a charge. */
export function adviceFor(input: AdviceInput): Advice {
	const { kind, reason } = input.failure;
	const { sentence, actions, ...rest } =
		(reason && adviceByReason[reason]?.(input)) ?? adviceByKind[kind](input);
	return {
		...rest,
		sentence: `${sentence}${kept(input)}`,
		// The local service tells why an answer broke off with the answer.
		actions: input.isLocal ? [...new Set(actions.map(localAction))] : actions,
	};
}

/** The failure of one request apart from a chat, with its sentence as the message; any other error comes back as it is. */
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

/** A wait as a user says it: «8 s», «5 min», «2 h». */
export function formatWait(ms: number): string {
	const seconds = Math.ceil(ms / 1000);
	if (seconds < 90) {
		return l10n.t("{0} s", seconds);
	}
	const minutes = Math.round(seconds / 60);
	return minutes < 90 ? l10n.t("{0} min", minutes) : l10n.t("{0} h", Math.round(minutes / 60));
}

/** Sentence for a service that has forgotten files, or never took them: they are sent again before it is asked again. */
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
 * Advice where not the local service is to blame but the model behind it, or its server: status numbers between the two mean nothing to a
 * user. None where the kind is enough.
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

/** Advice where other words would not help, because the account lacks money (402). */
function unpaid(
	{ status }: Pick<TurnFailure, "status">,
	sentence: string,
	...other: readonly TurnAction[]
): Advice | undefined {
	return status === 402 ? { sentence, actions: ["tryAgain", ...other] } : undefined;
}

const modelFailed = (): Advice => modelAgain(l10n.t("The model's server failed."));

/** Advice where the same server, or another model, may answer the next time. */
const modelAgain = (sentence: string): Advice => ({
	sentence,
	actions: ["tryAgain", "chooseModel"],
});

/** Advice for a conversation that a model has no room for, with the tokens where the model's server reported them. */
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
