import * as l10n from "@vscode/l10n";
import { isFileRefusal, toFailure, type TurnFailure } from "../../chat/contract/turnFailure.ts";
import { type FailureReason, ServiceError } from "../../client/contract/serviceError.ts";
import { failureSentence } from "../../client/contract/failureSentence.ts";
import type { TurnAction, Banner } from "../../shared/chat.ts";
import { formatCount } from "../../shared/locale.ts";
import type { StoreError } from "../../storage/fileSystem.ts";

/** A message for a failure, and actions that may help, most likely first. */
export interface Advice {
	readonly sentence: string;
	readonly actions: readonly TurnAction[];
	/** Set if the sentence includes the service's message, which isn't shown again. */
	readonly includesServiceMessage?: true;
}

interface AdviceInput {
	readonly failure: TurnFailure;
	readonly hasText: boolean;
	readonly isLocal: boolean;
}

/**
 * A message and buttons for every kind of failure: what happened and what to do next. It starts with its title; a note that text was kept is
 * appended. docs/faults.md. Omitting a kind is a type error.
 */
const adviceByKind: Readonly<Record<TurnFailure["kind"], (input: AdviceInput) => Advice>> = {
	refused: input =>
		input.isLocal
			? {
					sentence: l10n.t("The local service isn't running. Nothing was sent."),
					actions: ["tryAgain", "showLog"],
				}
			: notSent(input, "tryAgain", "connect"),
	unknownHost: input => notSent(input, "tryAgain", "connect"),
	tls: input => notSent(input, "tryAgain", "connect"),
	unreachable: input => notSent(input, "tryAgain"),
	proxySignIn: input => notSent(input, "tryAgain"),
	redirected: input => plain(input, "connect", "tryAgain"),
	notReady: input =>
		input.isLocal
			? notSent(input, "tryAgain", "showLog")
			: notSent(input, "connect", "setApiKey", "tryAgain"),
	invalidRequest: input => notSent(input, "edit", "tryAgain"),
	connectionLost: input => (input.hasText ? interrupted() : maybeCharged(input)),
	noAnswer: input => (input.hasText ? stalled() : maybeCharged(input)),
	serverFailed: input => maybeCharged(input),
	busy: input => maybeCharged(input),
	webPage: input => plain(input, "tryAgain", "connect"),
	badRequest: input =>
		unpaid(input.failure, l10n.t("The service asks for payment. Pay there, then try again.")) ??
		(isFileRefusal(input.failure)
			? filesRefused(l10n.t("The service rejected a file in this chat."), "edit")
			: plain(input, "edit", "tryAgain")),
	unauthorized: input => plain(input, "setApiKey", "tryAgain"),
	forbidden: input => plain(input, "setApiKey", "tryAgain"),
	notFound: input =>
		isFileRefusal(input.failure)
			? filesRefused(l10n.t("The service couldn't find a file in this chat."), "connect")
			: plain(input, "connect", "tryAgain"),
	conflict: input => plain(input, "tryAgain"),
	tooLarge: () => ({
		sentence: l10n.t(
			"This conversation is too large for the service. Shorten the message, or start a new chat.",
		),
		actions: ["edit"],
	}),
	rateLimited: input =>
		plain(input, "tryAgain", ...(input.isLocal ? ["chooseModel" as const] : [])),
	rejected: input =>
		isFileRefusal(input.failure)
			? filesRefused(l10n.t("The service rejected a file in this chat."), "edit")
			: plain(input, "edit", "tryAgain"),
	empty: input => plain(input, "showError", "sendAgain"),
	unreadable: input => plain(input, "showError", "sendAgain"),
	answerTooLarge: input => plain(input, "sendAgain"),
	noText: input =>
		input.hasText ? interrupted("showError") : plain(input, "showError", "sendAgain"),
	interrupted: () => interrupted("showError"),
	endedEarly: input => plain(input, "showError"),
	stalled: () => stalled("showError"),
	reload: () => ({
		sentence: l10n.t("Interrupted: the chat was closed, or its window reloaded."),
		actions: ["sendAgain"],
	}),
};

const sentenceOf = ({ failure: { kind, ...facts } }: AdviceInput): string =>
	kind === "reload" ? "" : failureSentence({ kind, ...facts });
const plain = (input: AdviceInput, ...actions: readonly TurnAction[]): Advice => ({
	sentence: sentenceOf(input),
	actions,
});
const notSent = (input: AdviceInput, ...actions: readonly TurnAction[]): Advice => ({
	sentence: `${sentenceOf(input)} ${l10n.t("Nothing was sent.")}`,
	actions,
});
const maybeCharged = (input: AdviceInput): Advice => ({
	sentence: `${sentenceOf(input)}${charge(input)}`,
	actions: ["sendAgain"],
});
const interrupted = (...first: readonly TurnAction[]): Advice => ({
	sentence: failureSentence({ kind: "interrupted" }),
	actions: [...first, "sendAgain"],
});
const stalled = (...first: readonly TurnAction[]): Advice => ({
	sentence: failureSentence({ kind: "stalled" }),
	actions: [...first, "sendAgain"],
});

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

/**
 * Converts a `ServiceError` of a request outside a chat into an error with a message for the user. Returns other errors unchanged. Nothing warns of a
 * charge for the local service.
 */
export function asSentence(error: unknown, isLocal: boolean): unknown {
	if (!(error instanceof ServiceError)) {
		return error;
	}
	const failure = toFailure(error);
	const { sentence } = adviceFor({ failure, hasText: false, isLocal });
	return new Error(sentence, { cause: error });
}

const localAction = (action: TurnAction): TurnAction =>
	action === "sendAgain" || action === "showError" ? "tryAgain" : action;

/** Creates advice for a service that lost or rejected files, which are uploaded again before a retry. */
const filesRefused = (sentence: string, other: TurnAction): Advice => ({
	sentence: `${sentence} ${l10n.t("Trying again uploads this chat's files again.")}`,
	actions: ["tryAgain", other],
});
const charge = ({ isLocal }: AdviceInput): string =>
	isLocal ? "" : ` ${l10n.t("You may have been charged.")}`;
const kept = ({ hasText }: AdviceInput): string =>
	hasText ? ` ${l10n.t("The text so far is kept.")}` : "";
/**
 * Advice for failures of the model or model server behind the local service, for which a status code means nothing to a user. Undefined if that of
 * the kind is enough.
 */
const adviceByReason: Readonly<
	Record<FailureReason, ((input: AdviceInput) => Advice | undefined) | undefined>
> = {
	unknown_model_server: () => ({
		sentence: l10n.t("This model's server is no longer set up. Choose another model."),
		actions: ["chooseModel", "tryAgain"],
	}),
	engine_not_chosen: () => ({
		sentence: l10n.t("This model is excluded by the settings. Choose another model."),
		actions: ["chooseModel", "tryAgain"],
	}),
	model_server_not_running: () =>
		// The service's message would only repeat it.
		({
			...modelAgain(l10n.t("The model's server isn't running. Start it, then try again.")),
			includesServiceMessage: true,
		}),
	model_server_unreachable: () => modelAgain(l10n.t("Can't reach the model's server.")),
	model_server_lost: () => ({
		...modelAgain(l10n.t("The connection to the model's server broke.")),
		includesServiceMessage: true,
	}),
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
		includesServiceMessage: true,
	};
}

/** Returns the banner for a chat that can't be saved, or undefined if there is no error. */
export function storeBanner(error: StoreError | undefined): Banner | undefined {
	return (
		error && {
			kind: "warning",
			text: storeErrorMessage(error),
			...(error.kind === "newer" ? { readOnly: l10n.t("Read-only: from a newer version") } : {}),
		}
	);
}

/** Returns the message for a chat that can't be saved: what is wrong, what is safe and what to do. docs/faults.md. */
export function storeErrorMessage({ kind, path }: Pick<StoreError, "kind" | "path">): string {
	switch (kind) {
		case "full":
			return l10n.t(
				"Can't save this chat: the disk is full. What was saved before is intact. Free up space, then ask again. ({0})",
				path,
			);
		case "readOnly":
		case "denied":
			return l10n.t(
				"Can't save this chat: its folder can't be written to. What was saved before is intact. Make the folder writable, then ask again. ({0})",
				path,
			);
		case "heldElsewhere":
			return l10n.t("In use in another window. Read-only here.");
		case "damaged":
			return l10n.t("Parts of this chat couldn't be read. The original file is kept at {0}.", path);
		case "newer":
			return l10n.t(
				"This chat was written by a newer version of Cutaway. You can read it here; start a new chat to ask.",
			);
		case "missing":
			return l10n.t("This chat's file no longer exists. Start a new chat to ask. ({0})", path);
		case "failed":
			return l10n.t(
				"Can't save this chat: the disk reported an error. What was saved before is intact. Check the disk, then ask again. ({0})",
				path,
			);
	}
}
