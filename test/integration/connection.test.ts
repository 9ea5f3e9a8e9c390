import assert from "node:assert/strict";
import * as vscode from "vscode";
import { ask, chat, configure, cutaway } from "./cutaway.ts";
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

	it("goes with every request to the service it was given for", async () => {
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

	it("T1: does not go to another service", async () => {
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

	it("T1: an endpoint in a workspace's settings is not taken", async () => {
		const section = vscode.workspace.getConfiguration("cutaway");
		await assert.rejects(
			Promise.resolve(
				section.update(
					"endpoint",
					"https://evil.example.com",
					vscode.ConfigurationTarget.Workspace,
				),
			),
		);
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
	it("is replaced by its default, and a chat goes on", async () => {
		await configure({ "chat.temperature": 9, "localService.charactersPerSecond": 0 });
		const turn = await ask("Hello");
		await configure({
			"chat.temperature": undefined,
			"localService.charactersPerSecond": undefined,
		});
		assert.equal(turn.status.state, "complete");
	});
});
