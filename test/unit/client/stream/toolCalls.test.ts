import { describe, expect, test } from "vitest";
import type { ChatEvent } from "../../../../src/client/contract/serviceClient.ts";
import type { ToolCall } from "../../../../src/client/contract/schemas.ts";
import { decodeChunks } from "../../../helpers/chatDecoding.ts";

const start = { role: "assistant", content: "" };

/** The calls given out, and the message they belong to, of one streamed message. */
function read(...frames: readonly unknown[]): {
	calls: ToolCall[];
	end: Extract<ChatEvent, { type: "message-end" }> | undefined;
} {
	const data = [...[start, ...frames, {}].map(frame => JSON.stringify(frame)), "[DONE]", "[END]"];
	const bytes = new TextEncoder().encode(data.map(text => `data: ${text}\n\n`).join(""));
	const { events } = decodeChunks([bytes]);
	return {
		calls: events.filter(event => event.type === "tool-call").map(event => event.call),
		end: events.find(event => event.type === "message-end"),
	};
}

function call(id: string, args = '{"a":1}', name = "f"): ToolCall {
	return { id, type: "function", function: { name, arguments: args } };
}

describe("tool calls in a stream", () => {
	test.each(["tool_calls", "calls", "toolCalls", "anything", "__proto__", "constructor"])(
		"are found whole in the field %s and go back under its name",
		field => {
			const { calls, end } = read(Object.fromEntries([[field, [call("c1"), call("c2")]]]));
			expect(calls).toEqual([call("c1"), call("c2")]);
			expect(Object.getOwnPropertyDescriptor(end?.message, field)?.value).toEqual([
				call("c1"),
				call("c2"),
			]);
			expect(Object.getPrototypeOf(end?.message)).toBe(Object.prototype);
		},
	);

	test("in pieces are joined by index, in the order of their index", () => {
		const { calls } = read(
			{
				tool_calls: [
					{ index: 1, id: "b", type: "function", function: { name: "g", arguments: "" } },
				],
			},
			{
				tool_calls: [
					{ index: 0, id: "a", type: "function", function: { name: "f", arguments: '{"x' } },
				],
			},
			{
				tool_calls: [
					{ index: 1, function: { arguments: "{}" } },
					{ index: 0, function: { arguments: '":"\\' } },
				],
			},
			{ tool_calls: [{ index: 0, function: { arguments: 'n"}' } }] },
		);
		expect(calls).toEqual([call("a", '{"x":"\\n"}'), call("b", "{}", "g")]);
	});

	test("in pieces are joined by id", () => {
		const piece = (id: string, text: string): object => ({
			id,
			type: "function",
			function: { name: "f", arguments: text },
		});
		const { calls } = read(
			{ calls: [piece("a", '{"x"')] },
			{ calls: [piece("b", "{")] },
			{ calls: [piece("a", ":1}"), piece("b", "}")] },
		);
		expect(calls).toEqual([call("a", '{"x":1}'), call("b", "{}")]);
	});

	test("without index and id go on with the call before", () => {
		const { calls } = read(
			{ calls: [{ id: "a", type: "function", function: { name: "f", arguments: "" } }] },
			{ calls: [{ function: { arguments: "{}" } }] },
		);
		expect(calls).toEqual([call("a", "{}")]);
	});

	test("a whole call that comes again is a second call, for the tools to judge", () => {
		expect(read({ calls: [call("a")] }, { calls: [call("a")] }).calls).toEqual([
			call("a"),
			call("a"),
		]);
	});

	test("arguments are not read, whatever they hold", () => {
		for (const args of ["", "not JSON", '{"a":1}{', "[".repeat(10_000)]) {
			expect(read({ calls: [call("a", args)] }).calls).toEqual([call("a", args)]);
		}
	});

	test("100,000 pieces are joined", () => {
		const pieces = Array.from({ length: 100_000 }, () => ({
			calls: [{ index: 0, function: { arguments: "ab" } }],
		}));
		const { calls } = read(
			{ calls: [{ index: 0, id: "a", type: "function", function: { name: "f" } }] },
			...pieces,
		);
		expect(calls[0]?.function.arguments).toBe("ab".repeat(100_000));
	});

	test.each([
		["an index below 0", { index: -1, id: "a", function: { name: "f" } }],
		["half an index", { index: 0.5, id: "a", function: { name: "f" } }],
		["an index past 2⁵³", { index: 2 ** 53, id: "a", function: { name: "f" } }],
		["an index as text", { index: "0", id: "a", function: { name: "f" } }],
		["no id", { index: 0, type: "function", function: { name: "f", arguments: "{}" } }],
		["no name", { index: 0, id: "a", type: "function", function: { arguments: "{}" } }],
		["another type", { id: "a", type: "browser", function: { name: "f", arguments: "{}" } }],
		["a number for its id", { id: 5, type: "function", function: { name: "f", arguments: "{}" } }],
		[
			"an object for its arguments",
			{ id: "a", type: "function", function: { name: "f", arguments: {} } },
		],
		["nothing to go on with", { function: { arguments: "{}" } }],
	])("U4, S14: with %s nothing is run or sent back, and the message is flagged", (_what, item) => {
		const { calls, end } = read({ content: "x", calls: [item] });
		expect([calls, end?.message]).toEqual([[], { role: "assistant", content: "x" }]);
		expect(end?.unreadableFrames).toBe(1);
	});

	const flat = { id: "c2", name: "g", arguments: "{}" };

	test.each([
		["a call without function", flat],
		["a call without function whose arguments are an object", { name: "g", arguments: {} }],
		["another object", { kind: "browser" }],
		["text", "c2"],
		["null", null],
	])("U4: beside %s a call is given and sent back, and the message is flagged", (_what, item) => {
		const { calls, end } = read({ tool_calls: [item, call("c1")] });
		expect([calls, end?.unreadableFrames]).toEqual([[call("c1")], 0]);
		expect(end).toMatchObject({ hasUnusableCall: true, message: { tool_calls: [call("c1")] } });
	});

	test("U4: calls without function alone are given to nobody, and flagged", () => {
		const { calls, end } = read({ content: "x", tool_calls: [flat, flat] });
		expect([calls, end]).toMatchObject([
			[],
			{ message: { role: "assistant", content: "x" }, unreadableFrames: 1, hasUnusableCall: true },
		]);
		expect(end?.message).not.toHaveProperty("tool_calls");
	});

	test.each([
		["arguments", [{ arguments: ',"b":2}' }]],
		["index", [call("c2"), { index: 0, text: ',"b":2}' }]],
	])("U4: what may go on with a call by its %s keeps the call from being given", (_what, items) => {
		const { calls, end } = read({ tool_calls: [call("c1")] }, { tool_calls: items });
		expect([calls, end?.unreadableFrames]).toEqual([[], 1]);
	});

	test("two names under one index contradict each other", () => {
		const { calls, end } = read(
			{ calls: [{ index: 0, id: "a", function: { name: "f", arguments: "{}" } }] },
			{ calls: [{ index: 0, id: "b", function: { name: "f", arguments: "{}" } }] },
		);
		expect([calls, end?.unreadableFrames]).toEqual([[], 1]);
	});

	test("null in place of calls says nothing", () => {
		const { end } = read({ content: "x", tool_calls: null, function_call: null });
		expect([end?.unreadableFrames, end?.message]).toEqual([0, { role: "assistant", content: "x" }]);
	});

	test("arrays that do not look like calls are read over", () => {
		const { calls, end } = read({
			content: "x",
			logprobs: [1],
			files: [{ id: "f", name: "n" }],
			commands: [{ command: "ls", arguments: ["-l"] }],
			none: [],
		});
		expect([calls, end?.unreadableFrames]).toEqual([[], 0]);
	});
});

describe("the deprecated function_call", () => {
	test("whole", () => {
		const { calls, end } = read({ function_call: { name: "f", arguments: "{}" } });
		expect([calls, end?.message]).toEqual([
			[],
			{ role: "assistant", content: "", function_call: { name: "f", arguments: "{}" } },
		]);
	});

	test("in pieces", () => {
		const { end } = read(
			{ function_call: { name: "f", arguments: "" } },
			{ function_call: { arguments: '{"a' } },
			{ function_call: { arguments: '":1}' } },
		);
		expect(end?.message.function_call).toEqual({ name: "f", arguments: '{"a":1}' });
	});

	test("without a name it is unusable", () => {
		const { end } = read({ function_call: { arguments: "{}" } });
		expect([end?.message.function_call, end?.unreadableFrames]).toEqual([undefined, 1]);
	});
});
