import { type ScriptedService, startScriptedService, writeJson } from "../integration/service.ts";
import { violations } from "./axe.ts";
import { answered, answers, ask, conversation } from "./chatView.ts";
import { expect, test as base } from "./fixtures.ts";
import { hostTimeout } from "./patience.ts";
import { takePictures } from "./pictures.ts";

interface ThinkingModel extends ScriptedService {
	/** Lets the model stop thinking and answer. */
	answer(): void;
}

const frame = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`;
const chunk = (delta: object, finish: string | null = null): string =>
	frame({ choices: [{ index: 0, delta, finish_reason: finish }] });

/** A server of models as OpenAI's: its model thinks until it is told to answer, reaches its limit, goes on, and summarizes. */
async function startThinkingModel(): Promise<ThinkingModel> {
	let rounds = 0;
	const { promise, resolve } = Promise.withResolvers<void>();
	const service = await startScriptedService(({ path, method }, response) => {
		if (path === "/v1/models") {
			writeJson(response, 200, { data: [{ id: "thinker", max_model_len: 4096 }] });
			return;
		}
		if (method !== "POST") {
			writeJson(response, 404, { error: "not found" });
			return;
		}
		rounds += 1;
		response.writeHead(200, { "content-type": "text/event-stream" });
		if (rounds > 1) {
			const text = rounds === 2 ? " and is a square." : "361 is below 397.";
			const usage = { prompt_tokens: 2900, completion_tokens: 380 };
			response.write(chunk({ content: text }, "stop"));
			response.end(`${frame({ choices: [], usage })}data: [DONE]\n\n`);
			return;
		}
		response.write(chunk({ reasoning_content: "19 × 19 is 361,\nso it is below 397." }));
		void promise.then(() => {
			response.write(chunk({ content: "361 is below 397" }, "length"));
			const usage = { prompt_tokens: 1204, completion_tokens: 356 };
			response.end(`${frame({ choices: [], usage })}data: [DONE]\n\n`);
		});
	});
	return { ...service, answer: resolve };
}

const test = base.extend<{ thinker: ThinkingModel }>({
	// oxlint-disable-next-line no-empty-pattern -- Playwright reads the pattern to learn what a fixture needs.
	thinker: async ({}, use) => {
		const thinker = await startThinkingModel();
		await use(thinker);
		await thinker.stop();
	},
	settings: async ({ thinker }, use) => {
		await use({
			"cutaway.localService.servers": [{ name: "lm", baseUrl: thinker.baseUrl }],
			"cutaway.chat.model": "lm/thinker",
		});
	},
});

test("a model thinks, answers, is cut at its limit and goes on with one click", async ({
	workbench,
	editorServer,
	settings,
	thinker,
}) => {
	const chat = await workbench.openChat();
	await ask(chat, "Is 361 below 397?");
	const thought = chat.locator("details.thought");
	await expect(thought.getByText("Thinking…")).toBeVisible({ timeout: hostTimeout });
	await expect(thought.getByText("so it is below 397.")).toBeVisible();
	await takePictures(workbench, editorServer, "thinking", settings);
	thinker.answer();
	const cut = conversation(chat).getByText("Cut at the model's limit.");
	await expect(cut).toBeVisible({ timeout: hostTimeout });
	await expect(thought.getByText(/^Thought for/)).toBeVisible();
	await expect(thought.getByText("so it is below 397.")).toBeHidden();
	await expect(
		chat.getByRole("img", { name: / · 1,204 tokens in · 356 tokens out$/ }),
	).toBeVisible();
	expect(await violations(chat)).toEqual([]);
	await takePictures(workbench, editorServer, "cut-at-limit", settings);
	await chat.getByRole("button", { name: "Continue", exact: true }).click();
	await expect(answers(chat).last()).toContainText("and is a square.", { timeout: hostTimeout });
	await answered(chat);
	await expect(cut).toHaveCount(0);

	await workbench.reload();
	const again = await workbench.chatFrame();
	await again.getByText(/^Thought for/).click();
	await expect(again.getByText("so it is below 397.")).toBeVisible();
	const asked = thinker.heard.filter(({ path }) => path === "/v1/chat/completions");
	expect(asked).toHaveLength(2);
	expect(asked[1]?.body).toContain("361 is below 397");
	expect(asked[1]?.body).not.toContain("19 × 19");

	const ring = again.getByRole("button", { name: "Context: 80% of 4,096 tokens used" });
	await expect(ring).toBeVisible();
	await takePictures(workbench, editorServer, "context-use", settings);
	await ring.click();
	await workbench.page.getByRole("option", { name: "Summarize and Go On" }).click();
	const message = again.getByRole("textbox", { name: "Message" });
	await expect(message).toHaveValue(/^Summary of an earlier chat:\s+361 is below 397\./, {
		timeout: hostTimeout,
	});
	await expect(answers(again)).toHaveCount(0);
	await expect(ring).toHaveCount(0);
});
