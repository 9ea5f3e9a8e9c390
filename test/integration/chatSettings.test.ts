import assert from "node:assert/strict";
import { ask, chat, configure } from "./cutaway.ts";
import { type ScriptedService, startScriptedService, writeStream } from "./service.ts";

describe("the settings of a chat", () => {
	let service: ScriptedService;

	before(async () => {
		service = await startScriptedService((_request, response) => writeStream(response, [["Yes."]]));
		await configure({ endpoint: service.baseUrl });
	});
	after(async () => {
		await configure({
			endpoint: undefined,
			"chat.model": undefined,
			"chat.models": undefined,
			"chat.systemPrompts": undefined,
			"chat.systemPrompt": undefined,
		});
		await (await chat()).newChat();
		await service.stop();
	});
	beforeEach(async () => (await chat()).newChat());

	const heard = () => {
		const body = JSON.parse(service.heard.at(-1)?.body ?? "{}");
		delete body.custom_tools;
		return body;
	};
	const options = async () => (await chat()).settings;

	it("go with every request of it, the system prompt first, and with no other chat's @core", async () => {
		const settings = await options();
		await settings.change({
			systemPrompt: "Answer in verse.",
			temperature: 0.3,
			extraParameters: { seed: 7 },
		});
		await ask("First?");
		await ask("Second?");
		assert.deepEqual(heard(), {
			messages: [
				{ role: "system", content: "Answer in verse." },
				{ role: "user", content: "First?" },
				{ role: "assistant", content: "Yes." },
				{ role: "user", content: "Second?" },
			],
			model: "llm-4-turbo-tools",
			stream: true,
			temperature: 0.3,
			seed: 7,
		});
		await (await chat()).newChat();
		await ask("Third?");
		assert.deepEqual(heard(), {
			messages: [{ role: "user", content: "Third?" }],
			model: "llm-4-turbo-tools",
			stream: true,
		});
	});

	it("a system prompt of the user's library goes with chats that choose none", async () => {
		await configure({
			"chat.systemPrompts": { Poet: "Rhyme." },
			"chat.systemPrompt": "Poet",
		});
		await ask("Why?");
		assert.deepEqual(heard().messages[0], { role: "system", content: "Rhyme." });
		assert.deepEqual((await chat()).picture().composer.choices, ["System prompt: Poet"]);
	});
});
