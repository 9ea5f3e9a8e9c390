import assert from "node:assert/strict";
import * as vscode from "vscode";
import { ask, chat, configure, cutaway, turnEnded, until } from "./cutaway.ts";

const model = "vscode/cutaway-test/tiny";

interface Heard {
	readonly heard: readonly {
		readonly messages: readonly { readonly role: number; readonly parts: readonly object[] }[];
		readonly tools: readonly string[];
	}[];
	readonly canceled: number;
}

/** Gives the test model what it answers, request by request. */
const script = (...answers: readonly object[]) =>
	vscode.commands.executeCommand("cutawayTest.scriptModel", answers);
const modelHeard = () => vscode.commands.executeCommand<Heard>("cutawayTest.modelHeard");

describe("models that the editor has", () => {
	before(async () => {
		await configure({ endpoint: undefined, "chat.model": model });
		await (await chat()).newChat();
	});
	after(async () => {
		await configure({ "chat.model": undefined });
		(await cutaway().activate()).allowedProviders.set([]);
		await (await chat()).newChat();
	});

	it("are listed by provider, and nothing is asked of them", async () => {
		await script();
		const { models } = await (await cutaway().activate()).runtime();
		const listed = await models.editorModels();
		const tiny = listed.find(({ id }) => id === model);
		assert.equal(tiny?.label, "Tiny");
		assert.equal(tiny?.server, "cutaway-test");
		assert.equal(tiny?.maxContextLength, 4096);
		assert.deepEqual((await modelHeard()).heard, []);
	});

	it("get nothing until the user allows their provider @core", async () => {
		await script({ parts: [{ text: "Never" }] });
		// Under test the editor shows no question, so nobody says yes.
		const turn = await ask("Hello");
		assert.equal(turn.status.state, "refused");
		assert.match(JSON.stringify(turn.status), /haven't allowed messages to cutaway-test/);
		assert.deepEqual((await modelHeard()).heard, []);
	});

	it("answer once their provider is allowed @core", async () => {
		(await cutaway().activate()).allowedProviders.set(["cutaway-test"]);
		await script(
			{ parts: [{ text: "Good " }, { text: "day" }] },
			{ parts: [{ text: "Once more" }] },
		);
		const first = await ask("Hello");
		const second = await ask("And again");
		assert.equal(first.status.state, "complete", JSON.stringify(first.status));
		assert.equal(first.messages[0]?.text, "Good day");
		assert.equal(second.messages[0]?.text, "Once more");
		const { heard } = await modelHeard();
		const last = heard[1]?.messages.at(-1);
		assert.deepEqual(last?.parts, [{ text: "And again" }]);
		assert.equal(last?.role, vscode.LanguageModelChatMessageRole.User);
	});

	it("show what they think apart from what they answer", async () => {
		await script({ parts: [{ thinking: "Let me see." }, { text: "Good day" }] });
		const turn = await ask("Hello");
		assert.equal(turn.status.state, "complete", JSON.stringify(turn.status));
		assert.equal(turn.messages[0]?.text, "Good day");
		assert.match(JSON.stringify(turn), /Let me see\./);
	});

	it("run the service's tools and hear their results", async () => {
		await configure({ "chat.serverTools": ["code_interpreter"] });
		await script(
			{
				parts: [{ call: "c1", name: "code_interpreter", input: { code: "print(6 * 7)" } }],
			},
			{ parts: [{ text: "It is 42." }] },
		);
		const turn = await ask("Six times seven?");
		await configure({ "chat.serverTools": undefined });
		assert.equal(turn.status.state, "complete", JSON.stringify(turn.status));
		assert.equal(turn.messages.at(-1)?.text, "It is 42.");
		const { heard } = await modelHeard();
		assert.match(JSON.stringify(heard[1]?.messages), /"call":"c1","result":"[^"]*42/);
	});

	it("hear of Stop", async () => {
		await script({ parts: [{ text: "Well" }], hangs: true });
		const controller = await chat();
		const id = await controller.send("Take your time");
		await until(
			() => controller.picture().turns.at(-1)?.messages[0]?.text === "Well",
			"the first word",
		);
		controller.stop();
		const turn = await turnEnded(controller, id);
		assert.equal(turn.status.state, "stopped");
		// VS Code 1.106 tells a provider of a cancellation only until its answer has started.
		if (vscode.version.startsWith("1.106.")) {
			return;
		}
		const end = Date.now() + 30_000;
		while ((await modelHeard()).canceled === 0 && Date.now() < end) {
			await new Promise(resolve => setTimeout(resolve, 50));
		}
		assert.equal((await modelHeard()).canceled, 1);
	});

	it("fail in their provider's words, and are not asked again by themselves", async () => {
		await script({ error: { name: "ChatQuotaExceeded", message: "You have used your month." } });
		const turn = await ask("Hello?");
		assert.equal(turn.status.state, "refused");
		assert.match(JSON.stringify(turn.status), /You have used your month/);
		assert.equal((await modelHeard()).heard.length, 1);
	});

	it("are missed in a sentence once their provider is gone", async () => {
		await vscode.commands.executeCommand("cutawayTest.removeModel");
		const turn = await ask("Still there?");
		assert.equal(turn.status.state, "refused");
		assert.match(JSON.stringify(turn.status), /no longer has the model/);
		await script();
	});
});
