import { describe, expect, test } from "vitest";
import { systemClock } from "../../../src/common/async.ts";
import { createServiceClient } from "../../../src/client/createServiceClient.ts";
import type { ChatRequest } from "../../../src/client/contract/schemas.ts";
import type { ServiceClient } from "../../../src/client/contract/serviceClient.ts";
import { ServiceError } from "../../../src/client/contract/errors.ts";
import { makeTestFolder, startTestService, type TestService, testToken } from "./testService.ts";
import { packageAssets } from "./video/videoFixtures.ts";

/** The client that ships, connected to a local service. */
async function connectClient(service?: TestService): Promise<ServiceClient> {
	const { baseUrl } = service ?? (await startTestService());
	const connection = {
		baseUrl,
		apiKey: testToken,
		auth: { header: "Authorization", scheme: "Bearer" },
		files: { path: "/v1/files", field: "file" },
		network: "auto",
	} as const;
	return createServiceClient({ connection: async () => connection, clock: systemClock });
}

const requestOf = (content: string): ChatRequest => ({
	model: "llm-4-turbo-tools",
	messages: [{ role: "user", content }],
});

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
		const client = await connectClient();
		expect(await watch(client, "/echo Zażółć 👍")).toEqual({
			messages: ["Zażółć 👍"],
			ending: "complete",
		});
		expect((await watch(client, "/messages 3")).messages).toHaveLength(3);
	});

	test("over a megabyte", async () => {
		const { messages, ending } = await watch(await connectClient(), "/long 1000");
		expect([messages[0]?.length, ending]).toEqual([1_024_000, "complete"]);
	});

	test("about files", async () => {
		const client = await connectClient();
		const name = 'Zażółć "1".csv';
		const open = async function* (): AsyncGenerator<Uint8Array> {
			yield Buffer.from("a,b");
		};
		const file = await client.uploadFile({ name, type: "text/csv", size: 3, open });
		expect(file).toEqual({ file_id: expect.any(String), name, type: "text/csv" });
		const asked = { ...requestOf("/request"), files: [file] };
		const { messages } = await client.chat(asked);
		expect(messages[0]?.content).toContain("Zażółć");
	});

	test.each([
		["an empty prompt", "", true],
		["a prompt of spaces", "  ", true],
		["4000 characters", "👍".repeat(4000), true],
		["4001 characters", "👍".repeat(4001), false],
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
		const client = await connectClient();
		await expect(client.getGeneration("none")).rejects.toMatchObject({ kind: "notFound" });
		const video = client.createTextToVideo({ prompt: "A cat" });
		await expect(video).rejects.toMatchObject({ status: 501 });
	});
});

describe("every failure is seen as what it is", () => {
	test.each([
		["400", "badRequest"],
		["401", "unauthorized"],
		["403", "forbidden"],
		["404", "notFound"],
		["408", "conflict"],
		["409", "conflict"],
		["413", "tooLarge"],
		["422", "badRequest"],
		["429-long", "rateLimited"],
		["500", "serverFailed"],
		["502", "serverFailed"],
		["503", "busy"],
		["504", "serverFailed"],
		["cut", "interrupted"],
		["early", "endedEarly"],
		["nodone", "endedEarly"],
		["empty", "empty"],
		["badframe", "complete"],
		["garbage", "interrupted"],
		["html", "webPage"],
		["refused", "rejected"],
		["redirect", "redirected"],
		["reset", "connectionLost"],
	])("/fail %s → %s", async (kind, ending) => {
		expect((await watch(await connectClient(), `/fail ${kind}`)).ending).toBe(ending);
	});

	test("and asking again without streaming tells why", async () => {
		const client = await connectClient();
		await expect(client.chat(requestOf("/fail cut"))).rejects.toMatchObject({
			kind: "serverFailed",
			serviceMessage: expect.stringContaining("stopped in the middle"),
		});
		const { messages } = await client.chat(requestOf("/fail cut-once"));
		expect(messages[0]?.content).toContain("whole answer");
	});
});
