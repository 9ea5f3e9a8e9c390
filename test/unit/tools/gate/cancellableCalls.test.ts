import { expect, test } from "vitest";
import { AbortError } from "../../../../src/common/errors.ts";
import { CancellableCalls } from "../../../../src/tools/gate/toolGate.ts";
import { placeOfCall, toolCallId } from "../../../../src/chat/contract/toolRecord.ts";

const ledger = { begin: () => Promise.resolve() };

/** A gate whose calls run until they are ended. */
function endlessGate() {
	return new CancellableCalls({
		run: (_call, _ledger, signal) =>
			new Promise((_, reject) => {
				signal.addEventListener("abort", () => reject(new AbortError()), { once: true });
			}),
	});
}

const callOf = (callId: string) => ({ callId, chatId: "chat", name: "read_file", arguments: "{}" });

test("a call is cancelled alone, and the model is told", async () => {
	const calls = endlessGate();
	const stop = new AbortController();
	const [one, other] = ["one", "other"].map(id => calls.run(callOf(id), ledger, stop.signal));
	calls.cancel(id => id === "one");
	expect(await one).toMatchObject({ state: "cancelled" });
	stop.abort();
	await expect(other).rejects.toBeInstanceOf(AbortError);
});

test("a call that ends by itself is not taken for cancelled, and Stop counts for more than Cancel", async () => {
	const calls = new CancellableCalls({ run: () => Promise.reject(new AbortError()) });
	const stop = new AbortController();
	await expect(calls.run(callOf("one"), ledger, stop.signal)).rejects.toBeInstanceOf(AbortError);
	const endless = endlessGate();
	const running = endless.run(callOf("one"), ledger, stop.signal);
	endless.cancel(() => true);
	stop.abort();
	await expect(running).rejects.toBeInstanceOf(AbortError);
});

test("a call that is over hears nothing of a Cancel", async () => {
	const signals: AbortSignal[] = [];
	const calls = new CancellableCalls({
		run: (_call, _ledger, signal) => {
			signals.push(signal);
			return Promise.resolve({ state: "done", content: "" });
		},
	});
	await calls.run(callOf("one"), ledger, new AbortController().signal);
	calls.cancel(() => true);
	expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
});

test("a call's id gives back its place, whatever the model's own id holds", () => {
	const place = { turnId: "t", attempt: 2, round: 3, cardId: "a:b:" };
	expect(placeOfCall(toolCallId(place))).toEqual(place);
});
