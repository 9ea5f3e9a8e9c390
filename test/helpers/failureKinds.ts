import type { TurnFailure } from "../../src/chat/contract/turnFailure.ts";

/** Every kind of failure; leaving one out does not compile. */
const everyKind: Readonly<Record<TurnFailure["kind"], true>> = {
	refused: true,
	unknownHost: true,
	tls: true,
	unreachable: true,
	proxySignIn: true,
	redirected: true,
	notReady: true,
	invalidRequest: true,
	connectionLost: true,
	noAnswer: true,
	serverFailed: true,
	busy: true,
	webPage: true,
	badRequest: true,
	unauthorized: true,
	forbidden: true,
	notFound: true,
	conflict: true,
	tooLarge: true,
	rateLimited: true,
	rejected: true,
	empty: true,
	unreadable: true,
	answerTooLarge: true,
	noText: true,
	interrupted: true,
	endedEarly: true,
	stalled: true,
	reload: true,
};
/** The kinds of failure an answer can end with. */
export const everyFailure = Object.keys(everyKind) as TurnFailure["kind"][];
