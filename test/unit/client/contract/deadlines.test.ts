import { onTestFinished, expect, test } from "vitest";
import { Download } from "../../../../src/client/download.ts";
import type { ServiceClient } from "../../../../src/client/contract/serviceClient.ts";
import { clientOf, connectionTo, question } from "../../../helpers/clientHarness.ts";
import { createFakeClock } from "../../../helpers/fakeClock.ts";
import { send, startScriptedServer, type Step } from "../../../helpers/scriptedServer.ts";

const upload = {
	name: "a.txt",
	type: "text/plain",
	size: 1,
	open: async function* (): AsyncGenerator<Uint8Array> {
		yield Buffer.from("a");
	},
};

const head =
	"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\n";

/** Sends a space whenever a test has let half a minute pass, without end. */
function dripping() {
	let tick = Promise.withResolvers<void>();
	const steps: Step = async (socket, signal) => {
		while (!signal.aborted && !socket.destroyed) {
			await tick.promise;
			await send("1\r\n \r\n")(socket, signal);
		}
	};
	const next = (): void => {
		const { resolve } = tick;
		tick = Promise.withResolvers<void>();
		resolve();
	};
	return { steps, next };
}

test.each([
	["J5: a lookup", 1, true, (client: ServiceClient) => client.getGeneration("g1")],
	[
		"J2: a creation",
		10,
		false,
		(client: ServiceClient) => client.createTextToVideo({ prompt: "A cat" }),
	],
	["J26: an upload", 30, false, (client: ServiceClient) => client.uploadFile(upload)],
	["S28: an answer without streaming", 30, false, (client: ServiceClient) => client.chat(question)],
] as const)(
	"%s whose reply drips is given up after %i minutes",
	async (_name, minutes, isFree, call) => {
		const { steps, next } = dripping();
		const server = await startScriptedServer([send(head), steps]);
		onTestFinished(() => server.close());
		const clock = createFakeClock();
		const outcome: { error?: unknown } = {};
		const asking = call(clientOf(server.url, { clock })).catch((error: unknown) => {
			outcome.error = error;
		});
		await expect.poll(() => server.requests.length).toBe(1);
		await new Promise(resolve => setTimeout(resolve, 50));
		for (let passed = 0; passed < minutes * 2 - 1; passed++) {
			await clock.advance(30_000);
			next();
			await new Promise(resolve => setTimeout(resolve, 10));
		}
		expect(outcome.error).toBeUndefined();
		await clock.advance(30_000);
		if (isFree) {
			// What is free is asked again, on a connection that does not drip for as long.
			await expect.poll(() => server.requests.length).toBe(2);
			return;
		}
		await asking;
		expect(outcome.error).toMatchObject({ kind: "stalled", charge: "unknown" });
		expect(server.posts).toBe(1);
	},
);

test("J15: a download whose bytes drip is given up after an hour", async () => {
	const { steps, next } = dripping();
	const server = await startScriptedServer([send(head), steps]);
	onTestFinished(() => server.close());
	const clock = createFakeClock();
	const download = await Download.open({
		url: new URL(`${server.url}/a.webm`),
		connection: connectionTo(server.url),
		lookup: () => Promise.resolve([]),
		signal: new AbortController().signal,
		clock,
	});
	onTestFinished(() => download.close());
	await download.read();
	for (let passed = 0; passed < 119; passed++) {
		const reading = download.read();
		await clock.advance(30_000);
		next();
		expect(await reading).toBeDefined();
	}
	const reading = download.read().catch((error: unknown) => error);
	await clock.advance(30_000);
	expect(await reading).toMatchObject({ kind: "stalled" });
	expect(server.requests).toHaveLength(1);
});
