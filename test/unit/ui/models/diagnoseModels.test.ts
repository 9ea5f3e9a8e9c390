import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { systemClock } from "../../../../src/common/async.ts";
import { silentLog } from "../../../../src/common/log.ts";
import type { ModelInfo, ModelSetup } from "../../../../src/common/modelSetup.ts";
import { listServer } from "../../../../src/localService/models/findServers.ts";
import { Models } from "../../../../src/localService/models/models.ts";
import { ServiceConnection } from "../../../../src/ui/connection/connection.ts";
import { ApiKeys } from "../../../../src/ui/connection/secrets.ts";
import { diagnoseModels } from "../../../../src/ui/models/diagnoseModels.ts";
import { readModelSetup } from "../../../../src/ui/models/serverSettings.ts";
import { clientOf } from "../../../helpers/clientHarness.ts";
import { createFakeSecretStorage } from "../../../helpers/fakeSecretStorage.ts";
import { createFakeSettings } from "../../../helpers/fakeSettings.ts";
import {
	errorReply,
	type ModelReply,
	type ModelServer,
	startModelServer,
	textReply,
} from "../../../helpers/modelServer.ts";
import { startTestService, testToken } from "../../localService/testService.ts";

interface Provider {
	readonly provideTextDocumentContent: () => string;
}

const vscode = vi.hoisted(() => ({
	/** Provider of the report that is shown. */
	provider: undefined as Provider | undefined,
	shown: [] as string[],
	disposed: 0,
	showInformationMessage:
		vi.fn<(question: string, options: object, yes: string) => Promise<string | undefined>>(),
}));
vi.mock("vscode", () => ({
	Uri: { from: (parts: object) => parts },
	workspace: {
		registerTextDocumentContentProvider: (_scheme: string, provider: Provider) => {
			vscode.provider = provider;
			return { dispose: () => (vscode.disposed += 1) };
		},
		openTextDocument: () => Promise.resolve(vscode.provider?.provideTextDocumentContent()),
	},
	window: {
		showTextDocument: (text: string) => Promise.resolve(void vscode.shown.push(text)),
		showInformationMessage: vscode.showInformationMessage,
	},
}));

beforeEach(() => {
	vscode.shown.length = 0;
	vscode.disposed = 0;
	vscode.showInformationMessage.mockReset();
});

const demo = {
	answer: () => {
		throw new Error("not asked");
	},
};

interface Setup {
	readonly servers?: { name: string; baseUrl: string }[];
	readonly model?: string;
	readonly engine?: "auto" | "vscode";
	readonly endpoint?: string;
	readonly key?: readonly [origin: string, key: string];
	readonly found?: readonly ModelServer[];
	readonly editorModels?: readonly ModelInfo[];
}

/** Writes a report by way of the local service and what asks servers for their models; returns its lines. */
async function report(setup: Setup): Promise<string[]> {
	const settings = createFakeSettings({ endpoint: setup.endpoint ?? "" });
	await settings.set("localService.servers", setup.servers ?? []);
	await settings.set("localService.engine", setup.engine ?? "auto");
	await settings.set("chat.model", setup.model ?? "llm-4-turbo-tools");
	const keys = new ApiKeys(createFakeSecretStorage());
	if (setup.key) {
		await keys.set(...setup.key);
	}
	const models: ModelSetup = await readModelSetup(settings, keys, silentLog);
	const engine = new Models(() => models, demo, systemClock);
	const service = await startTestService({ engine });
	const signal = new AbortController().signal;
	// The look of the window waits one second, which a busy machine may take.
	const look = ({ url }: ModelServer) =>
		listServer({ name: "ollama", baseUrl: url, headers: {} }, signal, 10_000);
	const unused = {
		connect: () => Promise.reject(new Error("nothing is asked")),
		restart: () => Promise.reject(new Error("nothing is asked")),
		state: { state: "stopped" as const },
	};
	await diagnoseModels({
		settings,
		keys,
		clock: systemClock,
		client: clientOf(service.baseUrl, { connect: { apiKey: testToken } }),
		connection: new ServiceConnection(settings, keys, unused, silentLog),
		listModels: where =>
			where === "found" ? Promise.all((setup.found ?? []).map(look)) : engine.list(signal),
		editorModels: () => Promise.resolve(setup.editorModels ?? []),
		allowedProviders: { get: () => [], set: () => undefined },
		agreedDownloads: { get: () => [], set: () => undefined },
		modelFiles: {
			modelsFolder: "/models",
			useModelFile: () => Promise.reject(new Error("no file is used")),
			removeModel: () => Promise.reject(new Error("nothing is deleted")),
		},
		pullModel: () => Promise.reject(new Error("nothing is downloaded")),
		setModel: () => Promise.reject(new Error("nothing is chosen")),
		log: silentLog,
	});
	expect(vscode.shown).toHaveLength(1);
	expect(vscode.disposed).toBe(1);
	const text = vscode.shown[0] ?? "";
	return text
		.replaceAll(/\(\d+ ms\)/g, "(… ms)")
		.split("\n")
		.filter(line => line !== "");
}

const startServer = (...replies: readonly ModelReply[]): Promise<ModelServer> =>
	startModelServer(replies, {
		"/v1/models": { data: [{ id: "tiny", max_model_len: 4096 }] },
	});

const testing = (model: string, ...outcome: readonly string[]): string[] => [
	`## Test prompt · ${model} (… ms)`,
	"> Answer with the one word: ready",
	...outcome,
];

test("says which servers were asked, what they and the editor have, and what the model answered to a test prompt that the user allowed", async () => {
	const server = await startServer(textReply("rea", "dy"));
	const ollama = await startModelServer([], {
		"/api/version": { version: "0.12.0" },
		"/v1/models": { data: [{ id: "qwen3:8b" }] },
		"/api/tags": { models: [{ name: "qwen3:8b", size: 5.2e9 }] },
		"/api/ps": { models: [{ name: "qwen3:8b", context_length: 4096 }] },
	});
	vscode.showInformationMessage.mockResolvedValue("Send Test Prompt");
	const lines = await report({
		servers: [{ name: "lm", baseUrl: server.url }],
		model: "lm/tiny",
		found: [ollama],
		editorModels: [{ id: "vscode/acme/a", label: "Claude", server: "acme", tools: true }],
	});
	expect(lines).toEqual([
		"# Models",
		"`cutaway.localService.engine`: auto",
		"## Servers in the settings (… ms)",
		`### lm · ${server.url} · openai`,
		"- tiny: 4k context",
		"## Found on this machine (… ms)",
		`### ollama · ${ollama.url} · ollama`,
		"- qwen3:8b: 5.2 GB, loaded · 4k context",
		"## Models of VS Code",
		"- acme · Claude: tools",
		...testing("lm/tiny", "ready"),
	]);
	expect(vscode.showInformationMessage.mock.calls[0]?.[0]).toBe(
		"Send a short test prompt to lm/tiny? Its provider may charge for it.",
	);
	expect(server.requests).toMatchObject([
		{ model: "tiny", messages: [{ role: "user", content: "Answer with the one word: ready" }] },
	]);
});

test("sends no prompt that the user did not allow, and asks for none where the chat's model is no server's", async () => {
	const server = await startServer(textReply("ready"));
	const servers = [{ name: "lm", baseUrl: server.url }];
	vscode.showInformationMessage.mockResolvedValue(undefined);
	expect((await report({ servers, model: "lm/tiny" })).at(-1)).toBe("None");
	expect(vscode.showInformationMessage).toHaveBeenCalledOnce();
	for (const setup of [
		{ model: "llm-4-turbo-tools" },
		{ model: "lm/tiny", endpoint: "https://service.example.com" },
	]) {
		vscode.shown.length = 0;
		vscode.disposed = 0;
		await report({ servers, ...setup });
	}
	expect(vscode.showInformationMessage).toHaveBeenCalledOnce();
	expect(server.requests).toEqual([]);
});

test("says in the server's words that the key is wrong, once for the list and once for the test prompt, and never shows the key", async () => {
	const wrong = {
		error: {
			message: "Incorrect API key provided: sk-not-the-right-one.",
			code: "invalid_api_key",
		},
	};
	const asked: (string | undefined)[] = [];
	const server = createServer((request, response) => {
		asked.push(`${request.url} ${request.headers.authorization}`);
		request.resume();
		response.writeHead(401, { "content-type": "application/json" });
		response.end(JSON.stringify(wrong));
	});
	await new Promise<void>(resolve => server.listen(0, "127.0.0.1", resolve));
	onTestFinished(() => void server.close());
	const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	vscode.showInformationMessage.mockResolvedValue("Send Test Prompt");
	const lines = await report({
		servers: [{ name: "lm", baseUrl: url }],
		model: "lm/tiny",
		key: [url, "sk-not-the-right-one"],
	});
	expect(asked).toContain("/v1/models Bearer sk-not-the-right-one");
	const list = lines.slice(
		lines.indexOf(`### lm · ${url}`) + 1,
		lines.indexOf("## Found on this machine (… ms)"),
	);
	expect(list).toEqual([
		"lm needs a valid key: it answered 401: Incorrect API key provided: [redacted].",
	]);
	expect(lines.slice(-2)[0]).toBe("> Answer with the one word: ready");
	expect(lines.at(-1)).toMatch(/Incorrect API key provided: \[redacted\]/);
	expect(lines.join("\n")).not.toContain("not-the-right-one");
});

test("says that nothing is there, where nothing listens and where something else does", async () => {
	const closed = createServer();
	await new Promise<void>(resolve => closed.listen(0, "127.0.0.1", resolve));
	const url = `http://127.0.0.1:${(closed.address() as AddressInfo).port}`;
	await new Promise(resolve => closed.close(resolve));
	const page = await startModelServer([errorReply(404, "<html>Not found</html>")]);
	vscode.showInformationMessage.mockResolvedValue("Send Test Prompt");
	const lines = await report({
		servers: [
			{ name: "lm", baseUrl: url },
			{ name: "web", baseUrl: page.url },
		],
		model: "lm/tiny",
	});
	expect(lines.slice(3, 7)).toEqual([
		`### lm · ${url}`,
		"lm is not running: nothing listens at its address.",
		`### web · ${page.url}`,
		expect.stringMatching(/^web cannot be asked for its models: /),
	]);
	expect(lines.at(-1)).toMatch(/lm/);
});

test("asks no server that the setting leaves out", async () => {
	const server = await startServer();
	const servers = [{ name: "lm", baseUrl: server.url }];
	expect(await report({ servers, engine: "vscode" })).toEqual([
		"# Models",
		"`cutaway.localService.engine`: vscode",
		"## Models of VS Code",
		"None",
	]);
});
