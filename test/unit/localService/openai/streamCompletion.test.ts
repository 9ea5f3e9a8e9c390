import { type AddressInfo, createServer } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { post, streamCompletion } from "../../../../src/localService/openai/streamCompletion.ts";
import { silentLog } from "../../../../src/common/log.ts";
import { createFakeClock } from "../../../helpers/fakeClock.ts";
import { startModelServer, textReply } from "../../../helpers/modelServer.ts";

const asked = { headers: {}, body: "{}", signal: new AbortController().signal };

test("a connection that does not come about fails after ten seconds, as a server that can't be reached", async () => {
	const sockets: { destroy(): void }[] = [];
	// It takes the connection and never greets.
	const server = createServer(socket => void sockets.push(socket)).listen(0, "127.0.0.1");
	onTestFinished(() => {
		sockets.forEach(socket => socket.destroy());
		server.close();
	});
	await new Promise(resolve => server.once("listening", resolve));
	const { port } = server.address() as AddressInfo;
	const clock = createFakeClock();
	const answer = streamCompletion({
		...asked,
		body: {
			model: "m",
			messages: [],
		},
		clock,
		log: silentLog,
		server: {
			name: "lm",
			baseUrl: `https://127.0.0.1:${port}`,
			headers: {},
		},
	});
	expect(await answer.next()).toMatchObject({ value: { type: "progress" } });
	const failed = expect(answer.next()).rejects.toMatchObject({
		code: "model_server_unreachable",
		message: "lm could not be reached (ETIMEDOUT). Check your network.",
	});
	await expect.poll(() => sockets.length).toBe(1);
	await clock.advance(9_999);
	expect(clock.pending).toBe(1);
	await clock.advance(1);
	await failed;
	expect(clock.pending).toBe(0);
});

test("a server that has taken the request may be silent for hours", async () => {
	const server = await startModelServer([{ ...textReply("Slow."), delayMs: 500 }]);
	const clock = createFakeClock();
	const answer = post(server.url, { ...asked, clock });
	await expect.poll(() => server.requests.length).toBe(1);
	expect(clock.pending).toBe(0);
	await clock.advance(10 * 60 * 60_000);
	expect(await (await answer).text()).toContain("Slow.");
});
