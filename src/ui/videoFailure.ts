import type { VideoFailure } from "../video/videoJob.ts";
import { formatWait } from "./failureAdvice.ts";

/** Why an exchange about a video failed, in a whole sentence; leaving a kind out does not compile. Fault matrix §4.1, §4.2. */
const sentences: Readonly<Record<VideoFailure["kind"], (failure: VideoFailure) => string>> = {
	refused: failure => `Cannot reach ${host(failure)}.`,
	unknownHost: failure => `The address ${host(failure)} was not found.`,
	tls: failure => `No secure connection to ${host(failure)}${because(failure)}.`,
	unreachable: failure => `No network to ${host(failure)}.`,
	proxySignIn: () =>
		"The proxy asks for a sign-in, so nothing reached the service. Check «http.proxy» in the settings.",
	connectionLost: () => "The connection broke before an answer.",
	noAnswer: () => "No answer came in time.",
	redirected: failure => `Redirected to ${host(failure)}. Not followed, to protect your key.`,
	webPage: () => "A web page came instead of an answer. A sign-in page, or a wrong address?",
	badRequest: failure => `The service could not use the request${status(failure)}.`,
	unauthorized: () => "Key not accepted.",
	forbidden: () => "Not allowed for this key.",
	notFound: () => "The service does not know this address. Is it the right one?",
	conflict: failure => `The service did not take the request now${status(failure)}.`,
	tooLarge: () => "The request is too large for the service.",
	rateLimited: failure => `Too many requests in a short time.${wait(failure)}`,
	serverFailed: failure => `The service failed${status(failure)}.`,
	busy: failure => `The service is busy${status(failure)}.${wait(failure)}`,
	rejected: () => "The service refused the request.",
	empty: () => "The service's answer was empty.",
	unreadable: () => "The service's answer could not be read.",
	answerTooLarge: () => "The service's answer is too large.",
	noText: () => "The connection ended before an answer.",
	interrupted: () => "The connection broke.",
	endedEarly: () => "The connection ended early.",
	stalled: () => "The service fell silent.",
	notReady: ({ detail }) => detail ?? "The service is not ready.",
	invalidRequest: failure => `The request cannot be sent${because(failure)}.`,
};

/** The sentence for a failed exchange. */
export function videoFailureSentence(failure: VideoFailure): string {
	return sentences[failure.kind](failure);
}

const host = (failure: VideoFailure): string => failure.host ?? "the service";
const because = ({ detail }: VideoFailure): string => (detail ? ` (${detail})` : "");
const status = (failure: VideoFailure): string => (failure.status ? ` (${failure.status})` : "");
const wait = ({ retryAfterMs }: VideoFailure): string =>
	retryAfterMs === undefined ? "" : ` It asks to wait ${formatWait(retryAfterMs)}.`;
