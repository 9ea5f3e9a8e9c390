import type { EngineEvent, WireFault } from "../engine.ts";
import { HttpFailure } from "../base/httpFailure.ts";
import { videoFailures } from "../video/videoFailures.ts";
import { type DemoAnswer, sayLines, sayMessages } from "./demoAnswer.ts";

/** A way to fail that shows only while an answer is streamed. */
interface StreamFailure {
	/** Description, half a sentence for the list. */
	readonly summary: string;
	readonly events: readonly EngineEvent[];
	/** Answer to the same request with streaming off, as interface §6, rule 8 promises; absent where it succeeds. */
	readonly reason?: string;
}

interface StatusFailure {
	readonly summary: string;
	readonly failure: HttpFailure;
}

/** Answers `/fail KIND`, or lists the kinds. Throws `HttpFailure` for kinds with a status, and for all unstreamed. */
export function answerFailure(text: string, isStreamed: boolean): DemoAnswer {
	const kind = text.trim().toLowerCase();
	const status = statusFailures.get(kind);
	if (status) {
		throw status.failure;
	}
	const failure = streamFailures.get(kind);
	if (!failure) {
		return listFailures(kind);
	}
	if (isStreamed) {
		return { events: failure.events, pace: "steady" };
	}
	if (failure.reason === undefined) {
		return sayMessages([
			"Asked again without streaming, the same question was answered: this is the whole answer.",
		]);
	}
	throw new HttpFailure(500, "demonstration", failure.reason);
}

function listFailures(kind: string): DemoAnswer {
	const row = ([name, { summary }]: readonly [string, { readonly summary: string }]): string =>
		`| \`/fail ${name}\` | ${summary} |`;
	return sayLines(
		kind === "" ? "A chat can fail in these ways:" : "There is no such failure. These there are:",
		"",
		"| Type | What happens |",
		"| --- | --- |",
		...[...statusFailures].map(row),
		...[...streamFailures].map(row),
		"",
		"A video can fail in these, when you ask for one with such a prompt:",
		"",
		"| Prompt | What happens |",
		"| --- | --- |",
		...videoFailures.map(failure => row([failure.kind, failure])),
	);
}

function status(
	code: number,
	word: string,
	message: string,
	headers: Readonly<Record<string, string>> = {},
	name = String(code),
): readonly [string, StatusFailure] {
	const wait = headers["Retry-After"];
	const summary = `status ${code}, ${word}${wait === undefined ? "" : `, with a wait of ${wait} s`}`;
	const failure = new HttpFailure(code, word.replaceAll(" ", "_"), message, headers);
	return [name, { summary, failure }];
}

/** One for every status that docs/faults.md tells apart. */
const statusFailures: ReadonlyMap<string, StatusFailure> = new Map([
	status(400, "bad request", "The request was not understood."),
	status(401, "unauthorized", "The key was not accepted."),
	status(403, "forbidden", "This key may not use the model."),
	status(404, "not found", "The model was not found."),
	status(408, "request timeout", "The request took too long to arrive."),
	status(409, "conflict", "Another request of this conversation is still running."),
	status(413, "too large", "The conversation is too long for the model."),
	status(422, "unprocessable", "messages[0].content: must not be empty."),
	status(429, "rate limited", "Too many requests.", { "Retry-After": "3" }),
	status(429, "rate limited", "The daily limit is used up.", { "Retry-After": "3600" }, "429-long"),
	status(500, "internal error", "Something went wrong inside the service."),
	status(502, "bad gateway", "The model's server gave no valid answer."),
	status(503, "busy", "The service is overloaded.", { "Retry-After": "20" }),
	status(504, "gateway timeout", "The model's server gave no answer in time."),
]);

const start: EngineEvent = { type: "message-start", role: "assistant" };
const end: EngineEvent = { type: "message-end" };
const say = (text: string): EngineEvent => ({ type: "text-delta", text });
const fault = (name: WireFault): EngineEvent => ({ type: "fault", fault: name });
const opening = [start, say("This answer begins well, gets as far as this line, ")] as const;

const streamFailures: ReadonlyMap<string, StreamFailure> = new Map<string, StreamFailure>([
	[
		"cut",
		{
			summary: "the connection breaks inside a message",
			events: [...opening, fault("cut")],
			reason: "The model stopped in the middle of its answer.",
		},
	],
	[
		"cut-once",
		{
			summary: "the same, but asked without streaming it succeeds",
			events: [...opening, fault("cut")],
		},
	],
	[
		"early",
		{
			summary: "the message is whole, but the stream's end is missing",
			events: [start, say("This message is whole. There may have been more."), end, fault("early")],
			reason: "The model stopped after its first message.",
		},
	],
	[
		"nodone",
		{
			summary: "the stream ends while a message is open",
			events: [...opening, fault("noDone")],
			reason: "The model ended before it closed its message.",
		},
	],
	[
		"stall",
		{
			summary: "silence inside a message, until you stop",
			events: [...opening, fault("stall")],
			reason: "The model fell silent.",
		},
	],
	[
		"empty",
		{
			summary: "a stream with nothing in it",
			events: [],
			reason: "The model had nothing to say: its answer was empty.",
		},
	],
	[
		"badframe",
		{
			summary: "one part of the answer cannot be read",
			events: [...opening, fault("badFrame"), say("and goes on after a part that is lost."), end],
			reason: "One part of the model's answer was damaged.",
		},
	],
	[
		"garbage",
		{
			summary: "nothing but unreadable parts after some text",
			events: [...opening, fault("garbage")],
			reason: "The model's answer was damaged.",
		},
	],
	[
		"html",
		{
			summary: "a web page in place of an answer, as a guest network sends it",
			events: [fault("html")],
			reason: "A web page came in place of the model's answer.",
		},
	],
	[
		"refused",
		{
			summary: "status 200, but the answer says `success: false`",
			events: [fault("refused")],
			reason: "The model refused the request.",
		},
	],
	[
		"redirect",
		{
			summary: "a redirect to another address",
			events: [fault("redirect")],
			reason: "The service wanted to send the request elsewhere.",
		},
	],
	[
		"reset",
		{
			summary: "the connection breaks before any answer",
			events: [fault("reset")],
			reason: "The connection to the model broke.",
		},
	],
	[
		"noanswer",
		{
			summary: "no answer at all, until you stop",
			events: [fault("noAnswer")],
			reason: "The model gave no answer in time.",
		},
	],
]);
