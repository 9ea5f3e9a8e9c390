import assert from "node:assert/strict";
import * as vscode from "vscode";
import { ask, chat, configure, cutaway, until } from "./cutaway.ts";
import { type ScriptedService, startScriptedService, writeStream } from "./service.ts";

const key = "sk-canary-4f1d9c7b";

describe("the key of a service", () => {
	const services: ScriptedService[] = [];

	async function startService(): Promise<ScriptedService> {
		const service = await startScriptedService((_request, response) =>
			writeStream(response, [["Yes"]]),
		);
		services.push(service);
		return service;
	}

	async function connecting() {
		return (await (await cutaway().activate()).runtime()).connecting;
	}

	afterEach(async () => {
		await configure({
			endpoint: undefined,
			"auth.header": undefined,
			"auth.scheme": undefined,
		});
		await Promise.all(services.splice(0).map(service => service.stop()));
	});

	it("goes with every request to the service it was given for @core", async () => {
		const service = await startService();
		const { keys } = await connecting();
		await keys.set(service.baseUrl, key);
		await configure({ endpoint: service.baseUrl });
		await ask("One");
		assert.equal(service.heard[0]?.headers.authorization, `Bearer ${key}`);
	});

	it("goes in the header and with the scheme that the settings name", async () => {
		const service = await startService();
		const { keys } = await connecting();
		await keys.set(service.baseUrl, key);
		await configure({ endpoint: service.baseUrl, "auth.header": "X-Api-Key", "auth.scheme": "" });
		await ask("One");
		assert.equal(service.heard[0]?.headers["x-api-key"], key);
		assert.equal(service.heard[0]?.headers.authorization, undefined);
	});

	it("T1: does not go to another service @core", async () => {
		const [mine, other] = [await startService(), await startService()];
		const { keys } = await connecting();
		await keys.set(mine.baseUrl, key);
		await configure({ endpoint: other.baseUrl });
		await ask("One");
		assert.equal(other.heard.length, 1);
		assert.ok(!JSON.stringify(other.heard).includes(key));
	});

	it("is gone after Remove API Key", async () => {
		const service = await startService();
		const { keys } = await connecting();
		await keys.set(service.baseUrl, key);
		await configure({ endpoint: service.baseUrl });
		await vscode.commands.executeCommand("cutaway.removeApiKey");
		await ask("One");
		assert.equal(service.heard[0]?.headers.authorization, undefined);
	});

	it("T5: is in nothing that the chat view is given", async () => {
		const service = await startService();
		const { keys } = await connecting();
		await keys.set(service.baseUrl, key);
		await configure({ endpoint: service.baseUrl });
		await ask("One");
		const picture = (await chat()).picture();
		assert.equal(picture.connection.hasKey, true);
		assert.ok(!JSON.stringify(picture).includes(key));
	});

	it("T1, T35: nothing under cutaway in a workspace's settings is taken @core", async () => {
		const file = vscode.workspace.workspaceFile;
		assert.ok(file, "a workspace file is open");
		const hostile = {
			endpoint: "https://evil.example.com",
			"chat.model": "another-server/model",
			"chat.models": ["another-server/model"],
			"chat.serverTools": ["browsing"],
			"chat.temperature": 2,
			"chat.topP": 0,
			"chat.maxTokens": 1_000_000,
			"chat.extraParameters": { tool_choice: "required", plugins: [{ id: "web" }] },
			"chat.projectInstructions": false,
			"video.duration": 4,
			"video.motionStrength": 5,
			"video.folder": "/tmp",
		};
		const read = (): unknown[] =>
			Object.keys(hostile).map(name => vscode.workspace.getConfiguration("cutaway").get(name));
		const editor = (): vscode.WorkspaceConfiguration => vscode.workspace.getConfiguration("editor");
		const before = read();
		const original = Buffer.from(await vscode.workspace.fs.readFile(file));
		const named = Object.entries(hostile).map(([name, value]) => [`cutaway.${name}`, value]);
		const settings = { ...Object.fromEntries(named), "editor.rulers": [61] };
		const changed = { ...(JSON.parse(original.toString()) as object), settings };
		await vscode.workspace.fs.writeFile(file, Buffer.from(JSON.stringify(changed)));
		try {
			await until(() => JSON.stringify(editor().get("rulers")) === "[61]", "the file to be read");
			assert.deepEqual(read(), before);
		} finally {
			await vscode.workspace.fs.writeFile(file, original);
		}
	});

	it("Use the Local Service goes back and keeps the key", async () => {
		const service = await startService();
		const { keys, connection } = await connecting();
		await keys.set(service.baseUrl, key);
		await configure({ endpoint: service.baseUrl });
		await vscode.commands.executeCommand("cutaway.useLocalService");
		assert.equal(connection.target().kind, "local");
		assert.equal(await keys.get(service.baseUrl), key);
	});
});

describe("a setting that is not valid", () => {
	it("is replaced by its default, and a chat goes on @core", async () => {
		await configure({ "chat.temperature": 9 });
		const turn = await ask("Hello");
		await configure({ "chat.temperature": undefined });
		assert.equal(turn.status.state, "complete");
	});
});
