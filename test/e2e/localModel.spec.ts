import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type ScriptedService, startScriptedService, writeJson } from "../integration/service.ts";
import { answered, answers, ask, conversation } from "./chatView.ts";
import { expect, test as base } from "./fixtures.ts";
import { takePictures } from "./pictures.ts";
import { selectLines } from "./videoSteps.ts";

const pricing = "src/pricing.ts";
const edited = "// Prices of orders.\n";

interface SlowModel extends ScriptedService {
	/** Bodies of the requests for an answer, in order. */
	asked(): readonly string[];
	/** Lets the model begin to answer. */
	begin(): void;
}

const chunk = (delta: object, finish: string | null = null): string =>
	`data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;

/** A server of models as OpenAI's: its model reads until it is told to begin, edits the selection, is left in the middle of its words, and finishes when it is asked again. */
async function startSlowModel(): Promise<SlowModel> {
	let round = 0;
	const { promise, resolve } = Promise.withResolvers<void>();
	const service = await startScriptedService(({ path, method }, response) => {
		if (path === "/v1/models") {
			writeJson(response, 200, { data: [{ id: "slow" }] });
			return;
		}
		if (method !== "POST") {
			writeJson(response, 404, { error: "not found" });
			return;
		}
		round += 1;
		response.writeHead(200, { "content-type": "text/event-stream" });
		response.flushHeaders();
		if (round === 1) {
			const called = { name: "replace_selection", arguments: JSON.stringify({ text: edited }) };
			const call = { index: 0, id: "call_1", type: "function", function: called };
			void promise.then(() => {
				response.end(`${chunk({ tool_calls: [call] }, "tool_calls")}data: [DONE]\n\n`);
			});
		} else if (round === 2) {
			response.write(chunk({ content: "The first line is a comment" }));
		} else {
			response.end(`${chunk({ content: "The comment is there." }, "stop")}data: [DONE]\n\n`);
		}
	});
	const asked = (): readonly string[] =>
		service.heard.filter(({ method }) => method === "POST").map(({ body }) => body);
	return { ...service, asked, begin: resolve };
}

const test = base.extend<{ model: SlowModel }>({
	// oxlint-disable-next-line no-empty-pattern -- Playwright reads the pattern to learn what a fixture needs.
	model: async ({}, use) => {
		const model = await startSlowModel();
		await use(model);
		await model.stop();
	},
	settings: async ({ model }, use) => {
		await use({
			"cutaway.localService.servers": [{ name: "lm", baseUrl: model.baseUrl }],
			"cutaway.chat.model": "lm/slow",
		});
	},
});

test(
	"a local model reads for a while, edits through a tool, and a reload in the middle of its words loses nothing",
	{ tag: "@core" },
	async ({ workbench, editorServer, settings, model }) => {
		const text = (): Promise<string> => readFile(join(workbench.folder, pricing), "utf8");
		const before = await text();
		await workbench.openFile(pricing);
		const chat = await workbench.openChat();
		await selectLines(workbench, 2);
		await ask(chat, "Replace the selection with a comment");
		await expect(conversation(chat).getByText(/^Reading the prompt… \d+ s$/)).toBeVisible();
		await takePictures(workbench, editorServer, "model-reading", settings);
		model.begin();

		const change = chat.getByRole("group", { name: "Tool: Replace the selection" });
		const allow = change.getByRole("button", { name: "Allow", exact: true });
		await expect(allow).toBeEnabled();
		expect(await text()).toBe(before);
		await takePictures(workbench, editorServer, "model-edit", settings);
		await allow.click();
		await expect(answers(chat).last()).toContainText("The first line is a comment");
		await expect.poll(text).toMatch(/^\/\/ Prices of orders\.\n/);
		expect(model.asked()).toHaveLength(2);
		expect(model.asked()[1]).toContain('"role":"tool"');

		await workbench.reload();
		const again = await workbench.chatFrame();
		await expect(conversation(again).getByText(/^Interrupted/)).toBeVisible();
		await expect(answers(again).last()).toContainText("The first line is a comment");
		expect(model.asked()).toHaveLength(2);
		await takePictures(workbench, editorServer, "model-reloaded", settings);
		await again.getByRole("button", { name: "Try again" }).first().click();
		await answered(again);
		await expect(answers(again).last()).toContainText("The comment is there.");
		expect(await text()).toMatch(/^\/\/ Prices of orders\.\n/);
		expect(model.asked()).toHaveLength(3);
	},
);
