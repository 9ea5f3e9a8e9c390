import { createServer, type ServerResponse } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import * as z from "zod/mini";
import type { PullFailure, PullProgress } from "../../../../src/common/modelSetup.ts";
import { pullModel } from "../../../../src/localService/ollama/pullModel.ts";
import { createFakeClock } from "../../../helpers/fakeClock.ts";
import { errorReply, type ModelReply, startModelServer } from "../../../helpers/modelServer.ts";

/** Lines of a download, as Ollama writes them. */
const lines = (...parts: readonly object[]): string =>
	parts.map(part => `${JSON.stringify(part)}\n`).join("");

const file = (digest: string, total: number, completed?: number): object => ({
	status: `pulling ${digest}`,
	digest: `sha256:${digest}`,
	total,
	...(completed === undefined ? {} : { completed }),
});

interface Pulled {
	readonly failure: PullFailure | undefined;
	readonly progress: readonly PullProgress[];
}

async function pull(
	baseUrl: string,
	signal = new AbortController().signal,
	clock = createFakeClock(),
): Promise<Pulled> {
	const progress: PullProgress[] = [];
	const failure = await pullModel({
		server: {
			baseUrl,
			headers: { authorization: "Bearer k" },
		},
		model: "qwen3:8b",
		clock,
		signal,
		onProgress: told => progress.push(told),
	});
	return { failure, progress };
}

test("a download adds up the files of the model, and is told at every stage but not at every line", async () => {
	const server = await startModelServer([
		{
			body: lines(
				{ status: "pulling manifest" },
				file("a", 1000),
				file("a", 1000, 400),
				file("a", 1000, 1000),
				file("b", 500, 500),
				{ status: "verifying sha256 digest" },
				{ status: "writing manifest" },
				{ status: "success" },
			),
		},
	]);
	const { failure, progress } = await pull(`${server.url}/v1`);
	expect(failure).toBeUndefined();
	expect(progress.map(told => `${told.stage} ${told.completedBytes}/${told.totalBytes}`)).toEqual([
		"starting 0/0",
		"downloading 0/1000",
		"verifying 1500/1500",
		"writing 1500/1500",
	]);
	expect(server.requests).toEqual([{ model: "qwen3:8b", stream: true }]);
	expect(server.headers[0]).toMatchObject({ authorization: "Bearer k" });
});

const errors: readonly (readonly [string, ModelReply, PullFailure])[] = [
	[
		"a model that there is not",
		{ body: lines({ error: "pull model manifest: file does not exist" }) },
		{ reason: "unknownModel", words: "pull model manifest: file does not exist" },
	],
	[
		"a full disk",
		{ body: lines(file("a", 9, 1), { error: "write /blobs/a: no space left on device" }) },
		{ reason: "noSpace", words: "write /blobs/a: no space left on device" },
	],
	[
		"an Ollama that is too old",
		{ body: lines({ error: "412: requires a newer version of Ollama" }) },
		{ reason: "tooOld", words: "412: requires a newer version of Ollama" },
	],
	[
		"a registry that cannot be reached",
		{ body: lines({ error: "dial tcp: lookup registry.ollama.ai: no such host" }) },
		{ reason: "refused", words: "dial tcp: lookup registry.ollama.ai: no such host" },
	],
	[
		"a proxy's page with a failure",
		errorReply(502, "<html><title>Bad Gateway</title><p>x</p></html>"),
		{ reason: "refused", words: "502 Bad Gateway" },
	],
	[
		"a proxy's page in place of the progress",
		{ body: "<html><title>Please log in</title></html>\n" },
		{ reason: "refused", words: "Please log in" },
	],
	["an end without success", { body: lines(file("a", 9, 1)) }, { reason: "lost", words: "" }],
];

test.each(errors)("%s is told as what it is", async (_name, reply, expected) => {
	const { url } = await startModelServer([reply]);
	expect((await pull(url)).failure).toEqual(expected);
});

test("Ollama that quits in the middle, or does not run, is lost", async () => {
	const { url } = await startModelServer([{ body: lines(file("a", 9, 1)), ending: "reset" }]);
	expect((await pull(url)).failure).toMatchObject({ reason: "lost" });
	expect((await pull("http://127.0.0.1:9")).failure).toMatchObject({ reason: "lost" });
});

/** A server that says what the test says, when it says it. */
async function openSlowServer(): Promise<{
	readonly url: string;
	readonly asked: Promise<ServerResponse>;
	readonly closed: Promise<void>;
}> {
	const asked = Promise.withResolvers<ServerResponse>();
	const closed = Promise.withResolvers<void>();
	const server = createServer((_request, response) => {
		response.on("close", () => closed.resolve());
		asked.resolve(response);
	});
	await new Promise<void>(resolve => server.listen(0, "127.0.0.1", resolve));
	onTestFinished(() => {
		server.closeAllConnections();
		server.close();
	});
	const { port } = z.object({ port: z.number() }).parse(server.address());
	return { url: `http://127.0.0.1:${port}`, asked: asked.promise, closed: closed.promise };
}

test("a server that never says anything is given up, and one that verifies for minutes is not", async () => {
	const clock = createFakeClock();
	const mute = await openSlowServer();
	const given = pull(mute.url, undefined, clock);
	await mute.asked;
	await clock.advance(31_000);
	expect((await given).failure).toEqual({ reason: "silent", words: "" });
	await mute.closed;

	const slow = await openSlowServer();
	const progress: PullProgress[] = [];
	const pulled = pullModel({
		server: {
			baseUrl: slow.url,
			headers: {},
		},
		model: "m",
		clock,
		signal: new AbortController().signal,
		onProgress: told => progress.push(told),
	});
	const response = await slow.asked;
	response.write(lines({ status: "verifying sha256 digest" }));
	await expect.poll(() => progress.length).toBe(1);
	await clock.advance(5 * 60_000);
	response.end(lines({ status: "success" }));
	expect(await pulled).toBeUndefined();
});

test("canceling closes the connection, which is how Ollama stops and keeps what it has", async () => {
	const { url, asked, closed } = await openSlowServer();
	const stopper = new AbortController();
	const pulled = pull(url, stopper.signal);
	(await asked).write(lines(file("a", 9, 1)));
	stopper.abort();
	await expect(pulled).rejects.toMatchObject({ name: "AbortError" });
	await closed;
});
