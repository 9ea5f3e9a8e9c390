import { afterEach, describe, expect, test } from "vitest";
import type { FileUpload, ServiceClient } from "../../../src/client/contract/serviceClient.ts";
import { chatRequestSchema } from "../../../src/client/contract/schemas.ts";
import { eventually } from "../../helpers/eventually.ts";
import { clientOf, failureOf, question } from "../../helpers/clientHarness.ts";
import { jsonReply } from "../../helpers/httpScripts.ts";
import { reset, type ScriptedServer, startScriptedServer } from "../../helpers/scriptedServer.ts";

const servers: ScriptedServer[] = [];
afterEach(async () => {
	await Promise.all(servers.splice(0).map(server => server.close()));
});

async function serve(...args: Parameters<typeof startScriptedServer>): Promise<ScriptedServer> {
	const server = await startScriptedServer(...args);
	servers.push(server);
	return server;
}

async function* bytesOf(...parts: readonly (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
	for (const part of parts) {
		yield Buffer.from(part);
	}
}

function upload(
	over: Partial<FileUpload> & { readonly parts?: readonly string[] } = {},
): FileUpload {
	const parts = over.parts ?? ["a,b\n1,2\n"];
	return {
		name: "data.csv",
		type: "text/csv",
		size: Buffer.byteLength(parts.join("")),
		open: () => bytesOf(...parts),
		...over,
	};
}

describe("starting a video", () => {
	test("from text sends the interface's fields and returns the id", async () => {
		const server = await serve([jsonReply(200, { success: true, generation_id: "g1" })]);
		const id = await clientOf(server.url).createTextToVideo({
			prompt: "a cut",
			duration: 4,
			motion_strength: 1,
		});
		const [request] = server.requests;
		expect([id, request?.method, request?.target]).toEqual([
			"g1",
			"POST",
			"/v1/videos/text-to-video",
		]);
		expect(JSON.parse(request?.body.toString() ?? "")).toEqual({
			prompt: "a cut",
			duration: 4,
			motion_strength: 1,
		});
	});

	test.each([{}, { success: "true" }, { success: 1 }])(
		"H14: an id that came counts, whatever is beside it: %j",
		async beside => {
			const server = await serve([jsonReply(200, { generation_id: "g1", ...beside })]);
			expect(await clientOf(server.url).createTextToVideo({ prompt: "a cut" })).toBe("g1");
			expect(server.posts).toBe(1);
		},
	);

	test.each([{}, { success: "true" }, { success: 1 }])(
		"H14: a generation that came counts, whatever is beside it: %j",
		async beside => {
			const generation = { status: "complete", output: { video_url: "/a.webm" } };
			const server = await serve([jsonReply(200, { generation, ...beside })]);
			const found = await clientOf(server.url).getGeneration("g1");
			expect(found).toMatchObject(generation);
		},
	);

	test("from an image does too", async () => {
		const server = await serve([jsonReply(200, { success: true, generation_id: "g2" })]);
		const request = { image_url: "https://example.com/a.png", motion_strength: 5 };
		expect(await clientOf(server.url).createImageToVideo(request)).toBe("g2");
		expect(server.requests[0]?.target).toBe("/v1/videos/image-to-video");
		expect(JSON.parse(server.requests[0]?.body.toString() ?? "")).toEqual(request);
	});
});

describe("what breaks a bound is refused here, naming the bound", () => {
	const refusals: readonly (readonly [string, (client: ServiceClient) => Promise<unknown>])[] = [
		[
			"duration must be a whole number from 1 to 4",
			client => client.createTextToVideo({ prompt: "", duration: 5 }),
		],
		[
			"duration must be a whole number from 1 to 4",
			client => client.createTextToVideo({ prompt: "", duration: 1.5 }),
		],
		[
			"duration must be a whole number from 1 to 4",
			client => client.createImageToVideo({ image_url: "https://a.b", duration: 0 }),
		],
		[
			"motion_strength must be a whole number from 1 to 5",
			client => client.createTextToVideo({ prompt: "", motion_strength: 6 }),
		],
		[
			"motion_strength must be a whole number from 1 to 5",
			client => client.createTextToVideo({ prompt: "", motion_strength: Number.NaN }),
		],
		[
			"prompt must have at most 4000 characters",
			client => client.createTextToVideo({ prompt: "🐎".repeat(4001) }),
		],
		[
			"image_url must be an http or https address",
			client => client.createImageToVideo({ image_url: "file:///etc/passwd" }),
		],
		[
			"messages must hold at least one message",
			client => client.chat({ model: "m", messages: [] }),
		],
		["model must be the id of a model", client => client.chat({ ...question, model: "" })],
		[
			"temperature must be a number",
			client => client.chat({ ...question, temperature: Number.NaN }),
		],
		[
			'tools need a model whose id contains "tools"',
			client => client.chat({ ...question, model: "llm-4-turbo", tools: ["browsing"] }),
		],
		["the generation id is not one that an address can hold", client => client.getGeneration("..")],
		["the generation id is not one that an address can hold", client => client.getGeneration("")],
		["size must be a whole number of bytes", client => client.uploadFile(upload({ size: -1 }))],
		[
			"the request holds a value that JSON cannot hold",
			client => client.chat({ ...question, seed: 1n }),
		],
	];
	test.each(refusals)("%s", async (detail, run) => {
		const server = await serve([jsonReply(200, {})]);
		const error = await failureOf(run(clientOf(server.url)));
		expect(error).toMatchObject({ kind: "invalidRequest", charge: "notSent", detail });
		expect(server.requests).toHaveLength(0);
	});

	test("4000 characters are counted in code points", async () => {
		const server = await serve([jsonReply(200, { success: true, generation_id: "g" })]);
		expect(await clientOf(server.url).createTextToVideo({ prompt: "🐎".repeat(4000) })).toBe("g");
	});

	test("standard parameters and the fields of a returned message pass through unread", () => {
		const request = {
			...question,
			seed: 1,
			stop: ["x"],
			messages: [{ role: "assistant", content: "", calls: [{ id: "c" }] }],
		};
		expect(chatRequestSchema.parse(request)).toEqual(request);
	});
});

describe("looking a generation up", () => {
	test("escapes its id as one segment of the path", async () => {
		const server = await serve([
			jsonReply(200, { success: true, generation: { status: "complete" } }),
		]);
		await clientOf(server.url).getGeneration("a/../b?c#d é%");
		expect(server.requests[0]?.target).toBe("/v1/generations/a%2F..%2Fb%3Fc%23d%20%C3%A9%25");
		expect(server.requests[0]?.body.length).toBe(0);
	});

	test("J7, J8: keeps any status as it came, and does without what nothing depends on", async () => {
		const generation = {
			status: "on hold",
			org_id: 5,
			created_at: 17,
			params: "x",
			output: { video_url: 5 },
		};
		const server = await serve([jsonReply(200, { success: true, generation })]);
		expect(await clientOf(server.url).getGeneration("g")).toMatchObject({
			status: "on hold",
			output: { video_url: 5 },
		});
	});

	test("gives the whole of it", async () => {
		const generation = {
			org_id: "o",
			created_at: "today",
			type: "text",
			params: { prompt: "p" },
			status: "complete",
			output: { video_url: "https://example.com/v.mp4" },
		};
		const server = await serve([jsonReply(200, { success: true, generation })]);
		expect(await clientOf(server.url).getGeneration("g")).toEqual(generation);
	});
});

describe("uploading a file", () => {
	/** The one part of a multipart body, its header lines and its bytes. */
	function partOf(server: ScriptedServer): { header: string; body: string; isWhole: boolean } {
		const [request] = server.requests;
		const boundary = /boundary=(.+)$/.exec(request?.headers["content-type"] ?? "")?.[1] ?? "none";
		const text = request?.body.toString() ?? "";
		const [header = "", ...rest] = text.slice(`--${boundary}\r\n`.length).split("\r\n\r\n");
		const body = rest.join("\r\n\r\n").replace(`\r\n--${boundary}--\r\n`, "");
		return { header, body, isWhole: text.endsWith(`\r\n--${boundary}--\r\n`) };
	}

	test("streams it as one part, its length told exactly", async () => {
		const server = await serve([jsonReply(200, { file_id: "f1" })]);
		const reference = await clientOf(server.url).uploadFile(
			upload({ parts: ["a,b\n", "1,", "2\n"] }),
		);
		expect(reference).toEqual({ file_id: "f1", name: "data.csv", type: "text/csv" });
		expect(partOf(server)).toEqual({
			header:
				'Content-Disposition: form-data; name="file"; filename="data.csv"\r\nContent-Type: text/csv',
			body: "a,b\n1,2\n",
			isWhole: true,
		});
		const [request] = server.requests;
		expect([request?.target, Number(request?.headers["content-length"])]).toEqual([
			"/v1/files",
			request?.body.length,
		]);
	});

	test("goes to the path and field of the connection", async () => {
		const server = await serve([jsonReply(200, { file_id: "f1" })]);
		const connect = { files: { path: "/v1/uploads?x=y", field: "upload" } };
		await clientOf(server.url, { connect }).uploadFile(upload());
		expect(server.requests[0]?.target).toBe("/v1/uploads%3Fx=y");
		expect(partOf(server).header).toContain('name="upload"');
	});

	test.each([
		['a "quoted".csv', "a %22quoted%22.csv"],
		["a\r\nX-Evil: 1\r\n\r\n.csv", "a%0D%0AX-Evil: 1%0D%0A%0D%0A.csv"],
		["a\u0000\u001b\u007f.csv", "a%00%1B%7F.csv"],
		["日本語 naïve 🐎.csv", "日本語 naïve 🐎.csv"],
		["back\\slash;semi.csv", "back\\slash;semi.csv"],
		["\ud83d.csv", "\uFFFD.csv"],
	])("J26: the name %j is written so that it stays a name", async (name, written) => {
		const server = await serve([jsonReply(200, { file_id: "f1" })]);
		const reference = await clientOf(server.url).uploadFile(upload({ name }));
		expect(partOf(server).header.split("\r\n")).toEqual([
			`Content-Disposition: form-data; name="file"; filename="${written}"`,
			"Content-Type: text/csv",
		]);
		expect(reference.name).toBe(name);
	});

	test.each(["", "text/csv\r\nX-Evil: 1", "text", "te xt/plain"])(
		"the type %j becomes a plain one",
		async type => {
			const server = await serve([jsonReply(200, { file_id: "f1" })]);
			await clientOf(server.url).uploadFile(upload({ type }));
			expect(partOf(server).header).toContain("Content-Type: application/octet-stream");
		},
	);

	test.each([
		{ file_id: "f1" },
		{ id: "f1" },
		{ file: { id: "f1" } },
		{ success: true, data: { file_id: "f1", id: "other" } },
		{ id: "other", data: { file_id: "f1" } },
		{ user: { id: "u1" }, file: { id: "f1" } },
		{ user: { id: "u1" }, id: "f1" },
		{ id: "request", data: { id: "f1" } },
		{ id: 5, file: { file_id: "f1" } },
		{ id: "request", result: { file: { file_id: "f1" } } },
		{ id: "request", files: [{ id: "other", file_id: "f1" }] },
		{ id: "request", data: { id: "envelope", file: { id: "f1" }, user: { id: "u1" } } },
		{ owner: { file: { id: "u1" } }, organization: { id: "o1" }, file: { id: "f1" } },
	])("the id is found in %j", async reply => {
		const server = await serve([jsonReply(201, reply)]);
		expect((await clientOf(server.url).uploadFile(upload())).file_id).toBe("f1");
	});

	test("a reply without an id is not what was settled, its charge unknown", async () => {
		const server = await serve([jsonReply(200, { ok: true })]);
		expect(await failureOf(clientOf(server.url).uploadFile(upload()))).toMatchObject({
			kind: "unreadable",
			charge: "unknown",
		});
	});

	test("tells how many bytes the network took, to the last", async () => {
		const server = await serve([jsonReply(200, { file_id: "f1" })]);
		const size = 1_000_000;
		const progress: number[] = [];
		const onProgress = (sentBytes: number): void => {
			progress.push(sentBytes);
		};
		await clientOf(server.url).uploadFile(
			upload({ size, open: () => bytesOf(Buffer.alloc(size, 1)), onProgress }),
		);
		expect(progress.length).toBeGreaterThan(10);
		expect(progress).toEqual(progress.toSorted((a, b) => a - b));
		expect(progress.at(-1)).toBe(size);
		expect(partOf(server).body.length).toBe(size);
	});

	test("an empty file is a file", async () => {
		const server = await serve([jsonReply(200, { file_id: "f1" })]);
		await clientOf(server.url).uploadFile(upload({ parts: [] }));
		expect(partOf(server)).toMatchObject({ body: "", isWhole: true });
	});

	test.each([
		["shorter", 9, "it has 8 of the announced 9 bytes"],
		["longer", 7, "it is longer than the announced 7 bytes"],
	])("J26: a file that turns out %s is not half submitted", async (_how, size, words) => {
		const server = await serve([jsonReply(200, { file_id: "f1" })]);
		const error = await failureOf(clientOf(server.url).uploadFile(upload({ size })));
		expect(error).toMatchObject({ kind: "invalidRequest", charge: "notSent" });
		expect(error.detail).toContain(words);
		await eventually(() => server.openConnections).toBe(0);
		expect(server.requests.every(request => !request.isWhole)).toBe(true);
	});

	test("J26: a file that cannot be read is not half submitted, and says why", async () => {
		const server = await serve([jsonReply(200, { file_id: "f1" })]);
		async function* locked(): AsyncGenerator<Uint8Array> {
			yield Buffer.from("a");
			throw new Error("EBUSY: resource busy or locked");
		}
		const error = await failureOf(clientOf(server.url).uploadFile(upload({ open: locked })));
		expect(error).toMatchObject({ kind: "invalidRequest", charge: "notSent" });
		expect(error.detail).toContain("EBUSY");
		expect(server.requests.every(request => !request.isWhole)).toBe(true);
	});

	test("H6, J26: a refusal before the file was sent is the service's answer", async () => {
		const server = await serve({
			steps: [jsonReply(413, { message: "At most 1 MB" })],
			isEarly: true,
		});
		const size = 32 * 1024 * 1024;
		const error = await failureOf(
			clientOf(server.url).uploadFile(upload({ size, open: () => bytesOf(Buffer.alloc(size)) })),
		);
		expect(error).toMatchObject({ kind: "tooLarge", serviceMessage: "At most 1 MB" });
	});

	test("J26: a reset in the middle is not tried again", async () => {
		const server = await serve({ steps: [reset], isEarly: true });
		const size = 8 * 1024 * 1024;
		const error = await failureOf(
			clientOf(server.url).uploadFile(upload({ size, open: () => bytesOf(Buffer.alloc(size)) })),
		);
		expect(error).toMatchObject({ kind: "connectionLost", charge: "unknown" });
		expect(server.posts).toBe(1);
	});

	test("H8: after 429 it is read again from its beginning", async () => {
		const server = await serve([
			{ steps: [jsonReply(429, {}, { "retry-after": "0" })] },
			{ steps: [jsonReply(200, { file_id: "f1" })] },
		]);
		await clientOf(server.url).uploadFile(upload());
		expect(server.requests.map(request => request.body.toString().includes("a,b\n1,2\n"))).toEqual([
			true,
			true,
		]);
	});

	test("stopping it closes the connection", async () => {
		const server = await serve([]);
		const abort = new AbortController();
		const size = 64 * 1024 * 1024;
		const uploading = clientOf(server.url).uploadFile(
			upload({ size, open: () => bytesOf(Buffer.alloc(size)), onProgress: () => abort.abort() }),
			{ signal: abort.signal },
		);
		await expect(uploading).rejects.toMatchObject({ name: "AbortError" });
		await eventually(() => server.openConnections).toBe(0);
	});
});
