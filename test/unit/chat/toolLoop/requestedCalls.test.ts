import { expect, test } from "vitest";
import { CallCollector } from "../../../../src/chat/toolLoop/requestedCalls.ts";
import type { ChatEvent } from "../../../../src/client/contract/serviceClient.ts";

const call: ChatEvent = {
	type: "tool-call",
	index: 0,
	call: { id: "c", type: "function", function: { name: "f", arguments: "{}" } },
};

function endOf(change: Partial<Extract<ChatEvent, { type: "message-end" }>>): ChatEvent {
	return {
		type: "message-end",
		index: 0,
		message: { role: "assistant", content: "", function_call: { name: "g", arguments: "{}" } },
		isClosed: true,
		unreadableFrames: 0,
		hasReplacedBytes: false,
		...change,
	};
}

/** What is gathered of one message whose last events are these, whatever a client lets through. */
function gather(...ends: readonly ChatEvent[]) {
	const collector = new CallCollector();
	const events: readonly ChatEvent[] = [
		{ type: "message-start", index: 0, role: "assistant" },
		call,
		...ends,
	];
	events.forEach(event => collector.take(event));
	return { names: collector.calls().map(({ name }) => name), isWhole: collector.isWhole() };
}

test("calls count once their message closed properly", () => {
	expect(gather(endOf({}))).toEqual({ names: ["f", "g"], isWhole: true });
});

test.each([
	["S2: that never ended", [], false],
	["S6: that did not close", [endOf({ isClosed: false })], false],
	["S10: with an unreadable part", [endOf({ unreadableFrames: 1 })], true],
])("calls of a message %s do not count", (_, ends, isWhole) => {
	expect(gather(...ends)).toEqual({ names: [], isWhole });
});
