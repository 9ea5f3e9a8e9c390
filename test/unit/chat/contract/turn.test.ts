import { describe, expect, test } from "vitest";
import {
	applyEvent,
	endTurn,
	hasContent,
	replaceAnswer,
	startAttempt,
	startTurn,
	type Turn,
	type TurnProgress,
} from "../../../../src/chat/contract/turn.ts";
import { toFailure } from "../../../../src/chat/contract/turnFailure.ts";
import {
	type ChargeState,
	ServiceError,
	type ServiceErrorKind,
} from "../../../../src/client/contract/serviceError.ts";
import type { ChatEvent } from "../../../../src/client/contract/serviceClient.ts";
import { plainOptions } from "../../../helpers/chatBench.ts";
import { messageEvents, streamEnd } from "../../../helpers/scriptedClient.ts";

const asked = startTurn({ id: "t1", prompt: "Why?", createdAt: 1, options: plainOptions });

function after(...events: ChatEvent[]): Turn {
	return events.reduce(applyEvent, asked);
}

const someText = after(
	{ type: "message-start", index: 0, role: "assistant" },
	{ type: "text-delta", index: 0, text: "Because" },
);

describe("a streamed answer", () => {
	test("grows by its deltas, message by message", () => {
		const turn = after(...messageEvents(0, "Run it.", "tool"), ...messageEvents(1, "Done."));
		expect(turn.messages).toEqual([
			{
				role: "tool",
				text: "Run it.",
				isFinished: true,
				toolNames: [],
				raw: { role: "tool", content: "Run it." },
			},
			{
				role: "assistant",
				text: "Done.",
				isFinished: true,
				toolNames: [],
				raw: { role: "assistant", content: "Done." },
			},
		]);
		expect(turn.progress).toEqual({ state: "streaming" });
		expect(applyEvent(turn, streamEnd).progress).toEqual({ state: "complete" });
	});

	test("names the deprecated function call as well, once its message has closed", () => {
		const raw = { role: "assistant", content: "", function_call: { name: "f", arguments: "{}" } };
		const turn = replaceAnswer(asked, { messages: [raw] });
		expect(turn.messages[0]).toMatchObject({ toolNames: ["f"], raw });
		expect(applyEvent(turn, streamEnd).progress).toEqual({ state: "complete" });
	});

	test("leaves the turn before each event as it was", () => {
		applyEvent(someText, { type: "text-delta", index: 0, text: " of it." });
		expect(someText.messages[0]?.text).toBe("Because");
		expect(asked.messages).toEqual([]);
	});

	test("names the tools it asks for", () => {
		const call = {
			id: "c1",
			type: "function",
			function: { name: "read", arguments: "{}" },
		} as const;
		const turn = applyEvent(someText, { type: "tool-call", index: 0, call });
		expect(turn.messages[0]?.toolNames).toEqual(["read"]);
	});

	test("refuses an event of a message that is not there", () => {
		expect(() => applyEvent(asked, { type: "text-delta", index: 0, text: "x" })).toThrow(
			RangeError,
		);
		expect(() =>
			applyEvent(someText, { type: "message-start", index: 2, role: "assistant" }),
		).toThrow(RangeError);
	});

	test("no longer changes once it has ended", () => {
		const ended = endTurn(someText, { type: "stopped" });
		expect(applyEvent(ended, { type: "text-delta", index: 0, text: " late" })).toBe(ended);
	});
});

describe("a stream that reached its end", () => {
	const end = {
		type: "message-end",
		index: 0,
		message: { role: "assistant", content: "Because" },
		isClosed: true,
		unreadableFrames: 0,
		hasReplacedBytes: false,
	} as const;

	test.each<[string, Turn, TurnProgress]>([
		["complete", applyEvent(someText, end), { state: "complete" }],
		["S9: empty without any message", asked, { state: "empty", failure: { kind: "empty" } }],
		[
			"S9: empty when its messages hold nothing",
			after(...messageEvents(0, "")),
			{ state: "empty", failure: { kind: "empty" } },
		],
		[
			"S10: partly unreadable when frames could not be read",
			applyEvent(someText, { ...end, unreadableFrames: 2 }),
			{ state: "partlyUnreadable", unreadableParts: 2, hasReplacedBytes: false },
		],
		[
			"S10: partly unreadable when nothing at all could be read",
			after(
				{ type: "message-start", index: 0, role: "assistant" },
				{ ...end, unreadableFrames: 1 },
			),
			{ state: "partlyUnreadable", unreadableParts: 1, hasReplacedBytes: false },
		],
		[
			"S18: partly unreadable when bytes were not UTF-8",
			applyEvent(someText, { ...end, hasReplacedBytes: true }),
			{ state: "partlyUnreadable", unreadableParts: 0, hasReplacedBytes: true },
		],
		[
			"S24: ended early when a message never closed",
			applyEvent(someText, { ...end, isClosed: false }),
			{ state: "endedEarly", failure: { kind: "endedEarly" } },
		],
	])("%s", (_, turn, progress) => {
		expect(applyEvent(turn, streamEnd).progress).toEqual(progress);
	});

	test("S6: a message that did not close has no form in which it goes back", () => {
		expect(applyEvent(someText, { ...end, isClosed: false }).messages[0]).toEqual({
			role: "assistant",
			text: "Because",
			isFinished: true,
			toolNames: [],
		});
	});
});

type State = TurnProgress["state"];

/** Kind → charge, state without any text, state with text. docs/faults.md–4.3. */
const endings: Record<ServiceErrorKind, [ChargeState, State, State]> = {
	refused: ["notSent", "notSent", "interrupted"],
	unknownHost: ["notSent", "notSent", "interrupted"],
	tls: ["notSent", "notSent", "interrupted"],
	unreachable: ["notSent", "notSent", "interrupted"],
	proxySignIn: ["notSent", "notSent", "interrupted"],
	notReady: ["notSent", "notSent", "interrupted"],
	invalidRequest: ["notSent", "notSent", "interrupted"],
	connectionLost: ["unknown", "chargeUnknown", "interrupted"],
	noAnswer: ["unknown", "chargeUnknown", "interrupted"],
	serverFailed: ["unknown", "chargeUnknown", "interrupted"],
	busy: ["unknown", "chargeUnknown", "interrupted"],
	unreadable: ["unknown", "chargeUnknown", "interrupted"],
	answerTooLarge: ["unknown", "chargeUnknown", "interrupted"],
	redirected: ["refused", "refused", "interrupted"],
	webPage: ["refused", "refused", "interrupted"],
	badRequest: ["refused", "refused", "interrupted"],
	unauthorized: ["refused", "refused", "interrupted"],
	forbidden: ["refused", "refused", "interrupted"],
	notFound: ["refused", "refused", "interrupted"],
	conflict: ["refused", "refused", "interrupted"],
	tooLarge: ["refused", "refused", "interrupted"],
	rateLimited: ["refused", "refused", "interrupted"],
	rejected: ["refused", "refused", "interrupted"],
	empty: ["unknown", "empty", "empty"],
	noText: ["unknown", "interrupted", "interrupted"],
	interrupted: ["unknown", "interrupted", "interrupted"],
	stalled: ["unknown", "interrupted", "interrupted"],
	endedEarly: ["unknown", "endedEarly", "endedEarly"],
};

describe("a failed attempt", () => {
	test.each(
		Object.entries(endings).map(([kind, [charge, empty, partial]]) => ({
			error: new ServiceError(kind as ServiceErrorKind, { charge }), // `Object.entries` forgets the keys' type.
			empty,
			partial,
		})),
	)("G2: $error.kind has a state of its own and keeps the text", ({ error, empty, partial }) => {
		const outcome = { type: "failed", error } as const;
		expect(endTurn(asked, outcome).progress).toEqual({
			state: empty,
			failure: { kind: error.kind },
		});
		const ended = endTurn(someText, outcome);
		expect(ended.progress.state).toBe(partial);
		expect(ended.messages).toEqual(someText.messages);
	});

	test("says what is known of the money, whatever the kind", () => {
		const error = new ServiceError("unreachable", { charge: "unknown" });
		expect(endTurn(asked, { type: "failed", error }).progress.state).toBe("chargeUnknown");
	});

	test("keeps of an error only what may be shown", () => {
		const error = new ServiceError("rateLimited", {
			charge: "refused",
			status: 429,
			serviceMessage: "Slow down",
			host: "service.example",
			retryAfterMs: 3000,
			detail: "three a minute",
			cause: new Error("secret"),
		});
		expect(toFailure(error)).toEqual({
			kind: "rateLimited",
			status: 429,
			serviceMessage: "Slow down",
			host: "service.example",
			retryAfterMs: 3000,
			detail: "three a minute",
		});
		expect(toFailure(new ServiceError("tls", { charge: "notSent" }))).toEqual({ kind: "tls" });
	});
});

describe("an attempt cut off from outside", () => {
	test("S25: is stopped, with its text", () => {
		const ended = endTurn(someText, { type: "stopped" });
		expect(ended.progress).toEqual({ state: "stopped" });
		expect(ended.messages[0]?.text).toBe("Because");
	});

	test("L1: is interrupted by a reload, with its text", () => {
		const ended = endTurn(someText, { type: "reload" });
		expect(ended.progress).toEqual({ state: "interrupted", failure: { kind: "reload" } });
		expect(ended.messages[0]?.text).toBe("Because");
	});
});

describe("another attempt", () => {
	const ended = endTurn(someText, { type: "stopped" });

	test("drops the answer when it streams", () => {
		const options = { ...plainOptions, model: "llm-4-turbo" };
		const turn = startAttempt(ended, { isStreamed: true, options });
		expect(turn).toMatchObject({
			attempt: 2,
			messages: [],
			progress: { state: "streaming" },
			options,
		});
		expect(turn.id).toBe(ended.id);
	});

	test("S28: without streaming keeps the text until there is another", () => {
		const turn = startAttempt(ended, { isStreamed: false, options: plainOptions });
		expect(turn.messages).toEqual(ended.messages);
		const raw = { role: "assistant", content: "All of it." };
		expect(replaceAnswer(turn, { messages: [raw] })).toMatchObject({
			messages: [{ text: "All of it.", isFinished: true, raw }],
			progress: { state: "streaming" },
		});
	});

	test("S14: without streaming says how much could not be read", () => {
		const messages = [{ role: "assistant", content: "Most of it." }];
		const turn = replaceAnswer(asked, { messages, unreadable: [2] });
		expect(applyEvent(turn, streamEnd).progress).toMatchObject({
			state: "partlyUnreadable",
			unreadableParts: 2,
		});
	});

	test("S28: without streaming tells its own failure, though text of the first is there", () => {
		const turn = startAttempt(ended, { isStreamed: false, options: plainOptions });
		const error = new ServiceError("badRequest", { charge: "refused", serviceMessage: "Too long" });
		expect(endTurn(turn, { type: "failed", error }).progress).toEqual({
			state: "refused",
			failure: { kind: "badRequest", serviceMessage: "Too long" },
		});
	});
});

test("content is text or a tool call, not an empty message", () => {
	expect(hasContent(asked)).toBe(false);
	expect(hasContent(after({ type: "message-start", index: 0, role: "assistant" }))).toBe(false);
	expect(hasContent(someText)).toBe(true);
});
