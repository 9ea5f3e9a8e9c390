import { describe, expect, test } from "vitest";
import { Host, HostCallError } from "../../../../media/shared/host.ts";
import { chatPushes, chatRequests } from "../../../../src/shared/chat.ts";
import { requestSchema } from "../../../../src/shared/rpc.ts";
import { emptyChat } from "../../../webview/states.ts";
import { createRandom, type Random } from "../../../helpers/random.ts";

/** A page's window as far as messages go, and what the page posted. */
function createPage() {
	const target = new EventTarget();
	const posted: unknown[] = [];
	const source = {
		origin: "vscode-webview://page",
		addEventListener: target.addEventListener.bind(target) as Window["addEventListener"],
	};
	const receive = (data: unknown, origin = source.origin): void => {
		target.dispatchEvent(Object.assign(new Event("message"), { data, origin }));
	};
	const host = new Host(
		{ postMessage: message => posted.push(message) },
		source,
		chatRequests,
		chatPushes,
	);
	return { host, posted, receive, hide: () => target.dispatchEvent(new Event("pagehide")) };
}

/** How a call ended, once it has. */
async function outcome(call: Promise<unknown>): Promise<unknown> {
	try {
		return await call;
	} catch (error) {
		return error instanceof HostCallError ? error.failure : error;
	}
}

describe("A call", () => {
	test("posts a request of the protocol and resolves with its reply", async () => {
		const { host, posted, receive } = createPage();
		const call = host.call("sendPrompt", { text: "Hi" });
		expect(requestSchema.parse(posted[0])).toEqual({
			type: "request",
			id: 0,
			method: "sendPrompt",
			params: { text: "Hi" },
		});
		receive({ type: "reply", replyTo: 0, ok: true, result: { turnId: "t" } });
		expect(await call).toEqual({ turnId: "t" });
	});

	test("rejects with what the host says went wrong", async () => {
		const { host, receive } = createPage();
		const call = host.call("stop", {});
		receive({ type: "reply", replyTo: 0, ok: false, code: "failed", message: "No." });
		await expect(call).rejects.toThrow("No.");
	});

	test("takes the first reply and no other", async () => {
		const { host, receive } = createPage();
		const first = host.call("sendPrompt", { text: "1" });
		const second = host.call("sendPrompt", { text: "2" });
		receive({ type: "reply", replyTo: 1, ok: true, result: { turnId: "two" } });
		receive({ type: "reply", replyTo: 1, ok: true, result: { turnId: "again" } });
		receive({ type: "reply", replyTo: 0, ok: true, result: { turnId: "one" } });
		expect([await first, await second]).toEqual([{ turnId: "one" }, { turnId: "two" }]);
	});

	test("rejects when the reply is not what the protocol promises", async () => {
		const { host, receive } = createPage();
		const call = outcome(host.call("ready", {}));
		receive({ type: "reply", replyTo: 0, ok: true, result: { ...emptyChat, turns: [{}] } });
		expect(await call).toBe("invalidReply");
	});

	test("rejects when the page goes away", async () => {
		const { host, hide } = createPage();
		const calls = [outcome(host.call("ready", {})), outcome(host.call("stop", {}))];
		hide();
		expect(await Promise.all(calls)).toEqual(["gone", "gone"]);
	});

	test("posts nothing that its schema refuses or that has over a million characters", async () => {
		const { host, posted } = createPage();
		expect(await outcome(host.call("sendPrompt", { text: "" }))).toBe("invalidParams");
		expect(await outcome(host.call("copyCode", { text: "x".repeat(1024 * 1024) }))).toBe(
			"tooLarge",
		);
		expect(await outcome(host.call("sendPrompt", { text: "\n".repeat(900_000) }))).toBe("tooLarge");
		expect(posted).toEqual([]);
	});

	test.each([1_000_005, 5_000_000])(
		"says of a text of %d characters that it is too long",
		async length => {
			const { host } = createPage();
			const text = "x".repeat(length);
			await expect(host.call("sendPrompt", { text })).rejects.toThrow("too long");
		},
	);
});

describe("An event", () => {
	test("reaches its listeners until they stop listening", () => {
		const { host, receive } = createPage();
		const heard: string[] = [];
		const stop = host.on("fillComposer", ({ text }) => heard.push(text));
		receive({ type: "push", event: "fillComposer", data: { text: "a" } });
		stop();
		receive({ type: "push", event: "fillComposer", data: { text: "b" } });
		expect(heard).toEqual(["a"]);
	});

	test("from another origin is ignored", () => {
		const { host, receive } = createPage();
		const heard: string[] = [];
		host.on("fillComposer", ({ text }) => heard.push(text));
		receive({ type: "push", event: "fillComposer", data: { text: "a" } }, "https://evil.example");
		expect(heard).toEqual([]);
	});
});

/** Values of every kind, nested now and then. */
function randomValue(random: Random, depth: number): unknown {
	const names = ["type", "event", "data", "replyTo", "ok", "result", "seq", "changes", "text", "x"];
	const words = [
		"push",
		"reply",
		"request",
		"changes",
		"fillComposer",
		"focusComposer",
		"reset",
		"",
	];
	switch (random.below(depth > 3 ? 6 : 9)) {
		case 0:
			return words[random.below(words.length)];
		case 1:
			return random.below(3) - 1;
		case 2:
			return random.below(2) === 0;
		case 3:
			return null;
		case 4:
			return undefined;
		case 5:
			return Number.NaN;
		case 6:
			return Array.from({ length: random.below(4) }, () => randomValue(random, depth + 1));
		default:
			return Object.fromEntries(
				Array.from({ length: random.below(5) }, () => [
					names[random.below(names.length)],
					randomValue(random, depth + 1),
				]),
			);
	}
}

test("T19: of 20,000 forged messages none settles a call, reaches a listener or throws", async () => {
	const { host, receive } = createPage();
	const heard: unknown[] = [];
	host.on("changes", data => heard.push(data));
	let isSettled = false;
	void outcome(host.call("ready", {})).then(() => {
		isSettled = true;
	});
	const random = createRandom(19);
	for (let count = 0; count < 20_000; count++) {
		const shape = randomValue(random, 0);
		const isObject = typeof shape === "object" && shape !== null && !Array.isArray(shape);
		const type = random.below(2) === 0 ? { type: "push", event: "changes" } : {};
		receive(isObject ? { ...shape, ...type } : shape);
	}
	await Promise.resolve();
	expect(heard).toEqual([]);
	expect(isSettled).toBe(false);
});

test.each(["__proto__", "constructor", "toString", "hasOwnProperty", "unknown"])(
	"T19: an event named %s reaches nobody",
	event => {
		const { receive } = createPage();
		expect(() => receive({ type: "push", event, data: {} })).not.toThrow();
	},
);
