import { describe, expect, test } from "vitest";
import { systemClock } from "../../../src/common/async.ts";
import { markLater, scenesOf } from "../../../src/clip/clipLength.ts";
import { createServiceClient } from "../../../src/client/createServiceClient.ts";
import type { ChatRequest } from "../../../src/client/contract/schemas.ts";
import type { ServiceClient } from "../../../src/client/contract/serviceClient.ts";
import { ServiceError } from "../../../src/client/contract/serviceError.ts";
import type { Engine, EngineEvent } from "../../../src/localService/engine.ts";
import { HttpFailure } from "../../../src/localService/base/failureResponse.ts";
import { playing, say } from "../../helpers/echoEngine.ts";
import { makeTestFolder, startTestService, type TestService, testToken } from "./testService.ts";
import { packageAssets } from "./video/videoFixtures.ts";

/** The client that ships, connected to a local service. */
async function connectClient({ baseUrl }: Pick<TestService, "baseUrl">): Promise<ServiceClient> {
	const connection = {
		baseUrl,
		apiKey: testToken,
		auth: { header: "Authorization", scheme: "Bearer" },
		files: { path: "/v1/files", field: "file" },
		network: "auto",
	} as const;
	return createServiceClient({ connection: async () => connection, clock: systemClock });
}

/** The client, connected to a service with this engine. */
const connectTo = async (engine: Engine): Promise<ServiceClient> =>
	await connectClient(await startTestService({ engine }));

const requestOf = (content: string): ChatRequest => ({
	model: "llm-4-turbo-tools",
	messages: [{ role: "user", content }],
});

/** The second part of a later scene of a storyboard, as it is sent. */
const later = (prompt: string): string => markLater(scenesOf(prompt, 12)[1]?.prompt ?? "");

/** What a user sees of a streamed answer: its messages, and how it ended. */
async function watch(
	client: ServiceClient,
	question: string,
): Promise<{ readonly messages: readonly string[]; readonly ending: string }> {
	const messages: string[] = [];
	try {
		for await (const event of client.streamChat(requestOf(question))) {
			if (event.type === "message-start") {
				messages.push("");
			} else if (event.type === "text-delta") {
				messages.push((messages.pop() ?? "") + event.text);
			}
		}
		return { messages, ending: "complete" };
	} catch (error) {
		const ending = error instanceof ServiceError ? error.kind : String(error);
		return { messages, ending };
	}
}

describe("the client and the local service understand each other", () => {
	test("in one message and in several", async () => {
		const client = await connectClient(await startTestService());
		const said = { messages: ["Zażółć 👍"], ending: "complete" };
		expect(await watch(client, "Zażółć 👍")).toEqual(said);
		const several = await connectTo(playing([...say("One"), ...say("two"), ...say("three")]));
		expect((await watch(several, "?")).messages).toEqual(["One", "two", "three"]);
	});

	test("over a megabyte", async () => {
		const client = await connectTo(playing(say(...Array<string>(16_000).fill("x".repeat(64)))));
		const { messages, ending } = await watch(client, "?");
		expect([messages[0]?.length, ending]).toEqual([1_024_000, "complete"]);
	});

	test("about files", async () => {
		const client = await connectTo({
			async *answer({ files }) {
				yield* await Promise.resolve(say(JSON.stringify(files)));
			},
		});
		const name = 'Zażółć "1".csv';
		const open = async function* (): AsyncGenerator<Uint8Array> {
			yield Buffer.from("a,b");
		};
		const file = await client.uploadFile({ name, type: "text/csv", size: 3, open });
		expect(file).toEqual({ file_id: expect.any(String), name, type: "text/csv" });
		const asked = { ...requestOf("?"), files: [file] };
		const { messages } = await client.chat(asked);
		expect(messages[0]?.content).toContain("Zażółć");
	});

	test.each([
		["an empty prompt", "", true],
		["a prompt of spaces", "  ", true],
		["4000 characters", "👍".repeat(4000), true],
		["4001 characters", "👍".repeat(4001), false],
		["4000 characters of the second part of a later scene", later("👍".repeat(4000)), true],
		["4001 characters of the second part of a later scene", later("👍".repeat(4001)), false],
	])("about %s", async (_what, prompt, isTaken) => {
		const service = await startTestService({
			videos: {
				folder: await makeTestFolder(),
				workerFile: "",
				assets: packageAssets,
				render: async () => ({ type: "clip", bytes: Uint8Array.of(1) }),
			},
		});
		const asking = (await connectClient(service)).createTextToVideo({ prompt });
		const id = await asking.catch((error: unknown) => error);
		expect(id instanceof ServiceError ? id.kind : "taken").toBe(
			isTaken ? "taken" : "invalidRequest",
		);
		const { status } = await service.post("/v1/videos/text-to-video", { prompt });
		expect(status).toBe(isTaken ? 200 : 400);
	});

	test("about what is not there", async () => {
		const client = await connectClient(await startTestService());
		await expect(client.getGeneration("none")).rejects.toMatchObject({ kind: "notFound" });
		const video = client.createTextToVideo({ prompt: "A cat" });
		await expect(video).rejects.toMatchObject({ status: 501 });
	});
});

describe("a failure of an engine is seen as what it is", () => {
	const opening = say("It begins well, ").slice(0, 2);

	test.each<[string, readonly EngineEvent[], Error | undefined, string]>([
		["an end in mid-answer", opening, new HttpFailure(502, "model_failed", "Gone."), "interrupted"],
		[
			"a part that cannot be read",
			[...opening, { type: "unreadable" }, { type: "message-end" }],
			undefined,
			"complete",
		],
		["no message", [], undefined, "empty"],
	])("%s", async (_what, events, failure, ending) => {
		expect((await watch(await connectTo(playing(events, failure)), "?")).ending).toBe(ending);
	});

	test.each([
		[400, "badRequest"],
		[401, "unauthorized"],
		[403, "forbidden"],
		[404, "notFound"],
		[408, "conflict"],
		[409, "conflict"],
		[413, "tooLarge"],
		[422, "badRequest"],
		[429, "rateLimited"],
		[500, "serverFailed"],
		[502, "serverFailed"],
		[503, "busy"],
		[504, "serverFailed"],
	])("status %i → %s", async (status, ending) => {
		const failure = new HttpFailure(status, "no", "No.", { "Retry-After": "3600" });
		expect((await watch(await connectTo(playing([], failure)), "?")).ending).toBe(ending);
	});

	test("S28: asking again without streaming says why", async () => {
		const client = await connectTo(playing(opening, new HttpFailure(502, "no", "It ran dry.")));
		await expect(client.chat(requestOf("?"))).rejects.toMatchObject({
			kind: "serverFailed",
			serviceMessage: expect.stringContaining("It ran dry."),
		});
	});
});
