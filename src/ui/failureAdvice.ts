import { isFileRefusal } from "../chat/fileRefusal.ts";
import type { TurnFailure } from "../chat/turn.ts";
import type { TurnAction } from "../protocol/chat.ts";

/** What a failure is called, and what a person can do about it, the likeliest first. */
export interface Advice {
	readonly sentence: string;
	readonly actions: readonly TurnAction[];
}

/** What advice depends on beyond the failure's kind. */
export interface AdviceInput {
	readonly failure: TurnFailure;
	/** Whether any of the answer's text had come. */
	readonly hasText: boolean;
	/** Whether the local service was asked. */
	readonly isLocal: boolean;
}

/**
 * One sentence and its buttons for every kind of failure: what happened, what was kept, what to do next. Fault matrix
 * §4.1–4.3; leaving a kind out does not compile.
 */
const adviceByKind: Readonly<Record<TurnFailure["kind"], (input: AdviceInput) => Advice>> = {
	refused: ({ isLocal, failure }) =>
		isLocal
			? {
					sentence: "The local service is not running. Nothing was sent.",
					actions: ["tryAgain", "showLog"],
				}
			: {
					sentence: `Cannot reach ${host(failure)}. Nothing was sent.`,
					actions: ["tryAgain", "connect"],
				},
	unknownHost: ({ failure }) => ({
		sentence: `The address ${host(failure)} was not found. Nothing was sent.`,
		actions: ["tryAgain", "connect"],
	}),
	tls: ({ failure }) => ({
		sentence: `No secure connection to ${host(failure)}${because(failure)}. Nothing was sent. A wrong date on this machine can cause this too.`,
		actions: ["tryAgain", "connect"],
	}),
	unreachable: ({ failure }) => ({
		sentence: `No network to ${host(failure)}. Nothing was sent.`,
		actions: ["tryAgain"],
	}),
	proxySignIn: () => ({
		sentence:
			"The proxy asks for a sign-in, so nothing reached the service. Check «http.proxy» in the settings.",
		actions: ["tryAgain"],
	}),
	redirected: ({ failure }) => ({
		sentence: `Redirected to ${host(failure)}. Not followed, to protect your key.`,
		actions: ["connect", "tryAgain"],
	}),
	notReady: ({ failure, isLocal }) => ({
		sentence: `${failure.detail ?? "The service is not ready."} Nothing was sent.`,
		actions: isLocal ? ["tryAgain", "showLog"] : ["connect", "setApiKey", "tryAgain"],
	}),
	invalidRequest: ({ failure }) => ({
		sentence: `This question cannot be sent${because(failure)}. Nothing was sent.`,
		actions: ["edit", "tryAgain"],
	}),
	connectionLost: () => ({
		sentence:
			"The connection broke before an answer. Your question may or may not have been processed.",
		actions: ["sendAgain"],
	}),
	noAnswer: () => ({
		sentence: "No answer came in time. Your question may or may not have been processed.",
		actions: ["sendAgain"],
	}),
	serverFailed: input => ({
		sentence: `The service failed${status(input.failure)}.${charge(input)}`,
		actions: ["sendAgain"],
	}),
	busy: input => ({
		sentence: `The service is busy${status(input.failure)}.${wait(input.failure)}${charge(input)}`,
		actions: ["sendAgain"],
	}),
	webPage: ({ failure }) => ({
		sentence: `Got a web page instead of an answer${failure.detail ? ` («${failure.detail}»)` : ""}. A sign-in page, or a wrong address?`,
		actions: ["tryAgain", "connect"],
	}),
	badRequest: ({ failure }) =>
		isFileRefusal(failure)
			? filesRefused(`The service could not use a file of this chat${status(failure)}.`, "edit")
			: {
					sentence: `The service could not use this question${status(failure)}.`,
					actions: ["edit", "tryAgain"],
				},
	unauthorized: () => ({
		sentence: "Key not accepted. Your question is kept: enter the key, then try again.",
		actions: ["setApiKey", "tryAgain"],
	}),
	forbidden: () => ({
		sentence: "Not allowed for this key. Your question is kept.",
		actions: ["setApiKey", "tryAgain"],
	}),
	notFound: ({ failure }) =>
		isFileRefusal(failure)
			? filesRefused(`The service did not find a file${status(failure)}.`, "connect")
			: {
					sentence: "This address has no chat function. Is it the right address?",
					actions: ["connect", "tryAgain"],
				},
	conflict: ({ failure }) => ({
		sentence: `The service did not take the question now${status(failure)}.`,
		actions: ["tryAgain"],
	}),
	tooLarge: () => ({
		sentence:
			"This conversation is too large for the service. Shorten the question, or start a new chat.",
		actions: ["edit"],
	}),
	rateLimited: ({ failure }) => ({
		sentence: `Too many questions in a short time.${wait(failure)}`,
		actions: ["tryAgain"],
	}),
	rejected: ({ failure }) =>
		isFileRefusal(failure)
			? filesRefused("The service refused a file of this chat.", "edit")
			: { sentence: "The service refused the question.", actions: ["edit", "tryAgain"] },
	empty: () => ({
		sentence: "Empty answer: the service sent no text.",
		actions: ["showError", "sendAgain"],
	}),
	unreadable: () => ({
		sentence: "The answer could not be read: it is not what the service's interface promises.",
		actions: ["showError", "sendAgain"],
	}),
	answerTooLarge: input => ({
		sentence: `The answer is too large and was cut off.${kept(input)}`,
		actions: ["sendAgain"],
	}),
	noText: () => ({
		sentence: "The connection ended before any text.",
		actions: ["showError", "sendAgain"],
	}),
	interrupted: input => ({
		sentence: `Interrupted: the connection broke.${kept(input)}`,
		actions: ["showError", "sendAgain"],
	}),
	endedEarly: () => ({
		sentence: "Ended early: there may have been more.",
		actions: ["showError"],
	}),
	stalled: input => ({
		sentence: `Interrupted: the service fell silent.${kept(input)}`,
		actions: ["showError", "sendAgain"],
	}),
	reload: input => ({
		sentence: `Interrupted: the chat was left, or its window closed or reloaded.${kept(input)}`,
		actions: ["sendAgain"],
	}),
};

/** The sentence and the buttons for a failure. The local service charges nothing, so nothing about it warns of a charge. */
export function adviceFor(input: AdviceInput): Advice {
	const { sentence, actions } = adviceByKind[input.failure.kind](input);
	return {
		sentence,
		actions: input.isLocal
			? actions.map(action => (action === "sendAgain" ? "tryAgain" : action))
			: actions,
	};
}

/** A wait as a person says it: «8 s», «5 min», «2 h». */
export function formatWait(ms: number): string {
	const seconds = Math.ceil(ms / 1000);
	if (seconds < 90) {
		return `${seconds} s`;
	}
	const minutes = Math.round(seconds / 60);
	return minutes < 90 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
}

/** What a service says that has forgotten files, or never took them: before it is asked again they are sent anew. */
const filesRefused = (sentence: string, other: TurnAction): Advice => ({
	sentence: `${sentence} Trying again sends the files of this chat anew.`,
	actions: ["tryAgain", other],
});
const host = (failure: TurnFailure): string => failure.host ?? "the service";
const because = ({ detail }: TurnFailure): string => (detail ? ` (${detail})` : "");
const status = (failure: TurnFailure): string => (failure.status ? ` (${failure.status})` : "");
const charge = ({ isLocal }: AdviceInput): string => (isLocal ? "" : " It may have been charged.");
const kept = ({ hasText }: AdviceInput): string => (hasText ? " The text so far is kept." : "");
const wait = ({ retryAfterMs }: TurnFailure): string =>
	retryAfterMs === undefined ? "" : ` It asks to wait ${formatWait(retryAfterMs)}.`;
