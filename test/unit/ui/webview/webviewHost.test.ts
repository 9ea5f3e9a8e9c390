import { expect, test, vi } from "vitest";
import * as z from "zod/mini";
import { silentLog } from "../../../../src/common/log.ts";
import { WebviewHost } from "../../../../src/ui/webview/webviewHost.ts";

const table = {
	greet: { params: z.strictObject({ name: z.string() }), result: z.string() },
	fail: { params: z.strictObject({}), result: z.string() },
} as const;

function createPort() {
	const sent: unknown[] = [];
	let listener: ((message: unknown) => void) | undefined;
	return {
		sent,
		receive: async (message: unknown) => {
			listener?.(message);
			await new Promise(resolve => setImmediate(resolve));
		},
		onDidReceiveMessage: (receive: (message: unknown) => void) => {
			listener = receive;
			return { dispose: () => (listener = undefined) };
		},
		postMessage: (message: unknown) => {
			sent.push(message);
			return Promise.resolve(true);
		},
	};
}

function createHost() {
	const port = createPort();
	const greet = vi.fn(({ name }: { name: string }) => `Hello ${name}`);
	const fail = vi.fn((): string => {
		throw new Error("It broke");
	});
	const host = new WebviewHost(port, table, { greet, fail }, silentLog);
	return { port, greet, fail, host };
}

const request = (method: string, params: unknown, id = 1) => ({
	type: "request",
	id,
	method,
	params,
});

test("a request gets its handler's result as its one reply", async () => {
	const { port } = createHost();
	await port.receive(request("greet", { name: "Ada" }, 7));
	expect(port.sent).toEqual([{ type: "reply", replyTo: 7, ok: true, result: "Hello Ada" }]);
});

test("a handler that throws still gives exactly one reply", async () => {
	const { port } = createHost();
	await port.receive(request("fail", {}));
	expect(port.sent).toEqual([
		{ type: "reply", replyTo: 1, ok: false, code: "failed", message: "It broke" },
	]);
});

test.each(["constructor", "toString", "__proto__", "hasOwnProperty", "nothing"])(
	"T19: the method %j reaches no handler",
	async method => {
		const { port } = createHost();
		await port.receive(request(method, {}));
		expect(port.sent).toMatchObject([{ ok: false, code: "unknownMethod" }]);
	},
);

test.each([{}, { name: 1 }, { name: "a", more: true }, null, "x", []])(
	"T19: parameters the schema refuses never reach the handler: %j",
	async params => {
		const { port, greet } = createHost();
		await port.receive(request("greet", params));
		expect(port.sent).toMatchObject([{ ok: false, code: "invalidParams" }]);
		expect(greet).not.toHaveBeenCalled();
	},
);

test("T19: what is not a request is ignored without a reply", async () => {
	const { port, greet } = createHost();
	for (const message of [
		undefined,
		null,
		1,
		"greet",
		[],
		{},
		{ ...request("greet", {}), extra: 1 },
	]) {
		await port.receive(message);
	}
	await port.receive({ ...request("greet", { name: "x" }), id: -1 });
	await port.receive({ ...request("greet", { name: "x" }), id: 1.5 });
	expect(port.sent).toEqual([]);
	expect(greet).not.toHaveBeenCalled();
});

test("T19: a message over the size cap is ignored", async () => {
	const { port, greet } = createHost();
	await port.receive(request("greet", { name: "x".repeat(1024 * 1024) }));
	expect(port.sent).toEqual([]);
	expect(greet).not.toHaveBeenCalled();
});

test("T19: bytes, what is nested deep and what holds itself are ignored before they are written as JSON", async () => {
	const { port, greet } = createHost();
	const circle: { name: string; circle?: unknown } = { name: "x" };
	circle.circle = circle;
	let deep: unknown = {};
	for (let depth = 0; depth < 1_100_000; depth += 1) {
		deep = [deep];
	}
	const write = vi.spyOn(JSON, "stringify");
	const many = [new Uint8Array(2_000_000), new ArrayBuffer(2_000_000), circle, deep];
	for (const params of [...many, { name: new Float64Array(200_000) }]) {
		await port.receive(request("greet", params));
	}
	expect(write).not.toHaveBeenCalled();
	write.mockRestore();
	expect(port.sent).toEqual([]);
	expect(greet).not.toHaveBeenCalled();
});

test("T19: 20,000 random messages neither crash it nor reach a handler with a wrong value", async () => {
	const { port, greet, fail } = createHost();
	let seed = 42;
	const random = (below: number): number => {
		seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
		return (seed >>> 8) % below;
	};
	const values = [null, 0, -1, "greet", {}, [], true, { name: 3 }, "constructor", 2 ** 53];
	const anything = (): unknown => values[random(values.length)];
	for (let round = 0; round < 20_000; round++) {
		void port.receive(
			random(3) === 0
				? anything()
				: { type: anything() ?? "request", id: anything(), method: anything(), params: anything() },
		);
	}
	await new Promise(resolve => setImmediate(resolve));
	expect(greet).not.toHaveBeenCalled();
	expect(fail).not.toHaveBeenCalled();
});

test("once disposed nothing is sent any more", async () => {
	const { port, host } = createHost();
	host.dispose();
	await port.receive(request("greet", { name: "Ada" }));
	expect(await host.push("anything", {})).toBe(false);
	expect(port.sent).toEqual([]);
});
