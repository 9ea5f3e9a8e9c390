import { writeFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { systemClock } from "../../../../src/common/async.ts";
import { maxShownImageBytes } from "../../../../src/common/modelSetup.ts";
import type { Engine } from "../../../../src/localService/engine.ts";
import { Models } from "../../../../src/localService/models/models.ts";
import { refuses } from "../../../../src/localService/openai/modelLimits.ts";
import type { Interpreter } from "../../../../src/localService/python/codeInterpreter.ts";
import {
	errorReply,
	type ModelReply,
	ollamaReply,
	startModelServer,
	textReply,
} from "../../../helpers/modelServer.ts";
import { makeTempFolder } from "../../../helpers/tempFolder.ts";

const demo: Engine = {
	answer: () => {
		throw new Error("not asked");
	},
};

const heads = {
	"a.png": "89504e470d0a1a0a",
	"b.jpg": "ffd8ffe0",
	"c.gif": "474946383961",
	"d.webp": "524946460000000057454250",
};

/** Files of a question, as the service holds them. */
async function filesOf(
	contents: Readonly<Record<string, Buffer>>,
	size?: number,
): Promise<Interpreter> {
	const folder = await makeTempFolder();
	const files = Object.entries(contents).map(([name, bytes]) => ({
		id: name,
		name,
		mountedAs: name,
		path: `${folder}/${name}`,
		type: name.endsWith(".csv") ? "text/csv" : `image/${name.split(".")[1]}`,
		size: size ?? bytes.length,
	}));
	for (const [name, bytes] of Object.entries(contents)) {
		await writeFile(`${folder}/${name}`, bytes);
	}
	const run = (): Promise<never> => Promise.reject(new Error("not run"));
	return { files, run };
}

const png = Buffer.from(`${heads["a.png"]}0000`, "hex");

async function openBench(
	replies: readonly ModelReply[],
	pages: Readonly<Record<string, unknown>> = {},
) {
	const server = await startModelServer(replies, pages);
	const servers = [{ name: "lm", baseUrl: `${server.url}/v1`, headers: {} }];
	const models = new Models(() => ({ servers, contextLength: 0 }), demo, systemClock);
	return {
		server,
		ask: async (python?: Interpreter): Promise<string> => {
			const messages = [{ role: "user", content: "What is this?" }];
			const request = { model: "lm/tiny", stream: true, messages };
			let text = "";
			for await (const event of models.answer(request, new AbortController().signal, python)) {
				text += event.type === "text-delta" ? event.text : "";
				text += event.type === "message-end" ? "\n" : "";
				text += event.type === "note" ? `(${event.kind})\n` : "";
			}
			return text;
		},
	};
}

const contentOf = (request: Record<string, unknown> | undefined): unknown =>
	(request?.["messages"] as { readonly content: unknown }[] | undefined)?.at(-1)?.content;

test("images go with the question, by what their bytes are", async () => {
	const { server, ask } = await openBench([textReply("A cat.")]);
	const contents = Object.fromEntries(
		Object.entries(heads).map(([name, head]) => [name, Buffer.from(head, "hex")]),
	);
	const tools = await filesOf({ ...contents, "table.csv": png, "e.png": Buffer.from("<html>") });
	expect(await ask(tools)).toBe("A cat.\n");
	const url = (type: string, bytes: Buffer) =>
		`data:image/${type};base64,${bytes.toString("base64")}`;
	expect(contentOf(server.requests[0])).toEqual([
		{ type: "text", text: expect.stringMatching(/^What is this\?\n\n/) },
		...["png", "jpeg", "gif", "webp"].map((type, index) => ({
			type: "image_url",
			image_url: { url: url(type, Object.values(contents)[index] ?? png) },
		})),
	]);
});

test("eight images at most go, the last ones, and none over 4 MB", async () => {
	const { server, ask } = await openBench([textReply("ok")]);
	const names = Array.from({ length: 9 }, (_, index) => `${index}.png`);
	const numbered = names.map(name => [name, Buffer.concat([png, Buffer.from(name)])] as const);
	await ask(await filesOf(Object.fromEntries(numbered)));
	const sent = JSON.stringify(contentOf(server.requests[0]));
	const isSent = numbered.map(([, bytes]) => sent.includes(bytes.toString("base64")));
	expect(isSent).toEqual([false, ...Array.from({ length: 8 }, () => true)]);
	await ask(await filesOf({ "large.png": png }, maxShownImageBytes + 1));
	expect(contentOf(server.requests[1])).toMatch(/^What is this\?\n\n/);
});

test("a model that sees no images answers without them, and a note says so", async () => {
	const { server, ask } = await openBench([
		errorReply(500, { error: { message: "image input is not supported - hint: mmproj" } }),
		textReply("ok"),
	]);
	const tools = await filesOf({ "a.png": png });
	expect(await ask(tools)).toBe("(noImages)\nok\n");
	expect(await ask(tools)).toBe("(noImages)\nok\n");
	expect(server.requests.map(request => typeof contentOf(request))).toEqual([
		"object",
		"string",
		"string",
	]);
});

test.each([
	"Failed to deserialize the JSON body: messages[1]: unknown variant image_url, expected text",
	"messages[1]: unknown variant `image_url`, expected `text` at line 1 column 679289",
	"Model do not support image input.",
	"No endpoints found that support image input",
	"messages[1].content must be a string",
])("an image is left out for a model whose server says: %s", async message => {
	const { ask } = await openBench([errorReply(400, { error: { message } }), textReply("ok")]);
	expect(await ask(await filesOf({ "a.png": png }))).toContain("(noImages)\nok\n");
});

test("a model that refuses tools and images answers without both", async () => {
	const { ask } = await openBench([
		errorReply(400, { error: { message: "tiny does not support tools" } }),
		errorReply(400, { error: { message: "tiny is not a multimodal model" } }),
		textReply("ok"),
	]);
	const said = await ask(await filesOf({ "a.png": png }));
	expect([...new Set(said.split("\n"))]).toEqual(["(noTools)", "(noImages)", "ok", ""]);
});

test("an image that a server cannot read is told in its words, and nothing is remembered of the model", async () => {
	const { server, ask } = await openBench([
		errorReply(400, { error: "Failed to load image: could not decode image bytes" }),
		textReply("ok"),
	]);
	const tools = await filesOf({ "a.png": png });
	await expect(ask(tools)).rejects.toThrow("could not decode image bytes");
	expect(await ask(tools)).toBe("ok\n");
	expect(typeof contentOf(server.requests[1])).toBe("object");
});

test.each([
	[["completion", "vision"], { images: [png.toString("base64")] }],
	[["completion"], {}],
])("Ollama takes images beside the text, with the abilities %j", async (capabilities, message) => {
	const { server, ask } = await openBench([ollamaReply("ok")], {
		"/api/version": { version: "0.9.0" },
		"/api/tags": { models: [{ name: "tiny:latest", digest: capabilities.join("") }] },
		"/api/ps": { models: [] },
		"/api/show tiny:latest": { capabilities },
	});
	expect(await ask(await filesOf({ "a.png": png }))).toContain("ok\n");
	const asked = server.requests.filter(request => "messages" in request);
	expect(asked).toHaveLength(1);
	const content = expect.stringMatching(/^What is this\?\n\n/);
	expect(asked[0]?.["messages"]).toEqual([{ role: "user", content, ...message }]);
});

test.each([
	[
		500,
		"image input is not supported - hint: if this is unexpected, you may need to provide the mmproj",
	],
	[500, "Failed to create new sequence: this model is missing data required for image input"],
	[400, "this model does not support images"],
	[400, "/models/tiny is not a multimodal model"],
	[400, "Invalid content type. image_url is only supported by certain models."],
	[422, "messages[0]: unknown variant `image_url`, expected `text` at line 1 column 90"],
	[404, "No endpoints found that support image input"],
	[
		400,
		"'messages.0' : for 'role:user' the following must be satisfied[('messages.0.content' : value must be a string)]",
	],
	[400, "Image input is not enabled for this model"],
	[400, "images are not supported"],
	[404, "No endpoints found that support image input"],
	[400, "At most 0 image(s) may be provided in one request."],
	[400, "Unsupported content part type: image_url"],
	[400, "This is a text-only model"],
	[400, "模型不支持图片"],
])("a refusal with %i «%s» is about eyes", (status, words) => {
	expect(refuses("images", { status, words, body: words })).toBe(true);
});

test.each([
	[400, "Failed to load image: cannot decode the image"],
	[400, "Unsupported image format: only PNG and JPEG are supported"],
	[400, "illegal base64 data: image not read"],
	[400, "Image is too large: it must not exceed 5 MB"],
	[400, "tiny does not support tools"],
	[502, "images are not supported"],
	[400, "Unsupported parameter: 'seed' is not supported with this model."],
])("a refusal with %i «%s» is not", (status, words) => {
	expect(refuses("images", { status, words, body: words })).toBe(false);
});
