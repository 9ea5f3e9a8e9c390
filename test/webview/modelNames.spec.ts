import { expect, test } from "./fixtures.ts";
import { emptyChat, messageOf, modelComposer, turnOf } from "./states.ts";

const connection = { kind: "remote", label: "api.example.com", hasKey: true } as const;
/** A chat with a service, which has the models of the interface. */
const asked = {
	...emptyChat,
	connection,
	composer: modelComposer,
	turns: [turnOf("Go", [messageOf("Here.")])],
};

test("a model is shown by its name with a badge for its tools, and by its id in the tooltip", async ({
	chat,
}) => {
	await chat.open(asked);
	const picker = chat.page.locator(".model-picker");
	await expect(picker.locator(".model-chosen")).toHaveText("LLM 4 Turbo");
	await expect(picker.locator(".model-chosen .codicon-tools")).toBeVisible();
	const list = chat.page.getByRole("combobox", { name: "Model", exact: true });
	await expect(list).toHaveValue("llm-4-turbo-tools");
	await expect(list).toHaveAttribute("title", "Model: LLM 4 Turbo");
	// The composer names it; an answer does so only for who asks.
	await expect(chat.page.getByRole("article").getByText("LLM 4 Turbo")).toHaveCount(0);
	await expect(chat.page.getByRole("img", { name: "LLM 4 Turbo", exact: true })).toBeAttached();
	const composer = { ...modelComposer, model: "llm-3.5-turbo", canUseServerTools: false };
	await chat.push({ type: "composer", composer });
	await expect(picker.locator(".model-chosen")).toHaveText("LLM 3.5 Turbo");
	await expect(picker.locator(".model-chosen .codicon-tools")).toHaveCount(0);
});

test("an answer of the demo is named for it, whatever the model is called", async ({ chat }) => {
	const turn = { ...turnOf("Go", [messageOf("Here.")]), isDemo: true as const };
	await chat.open({ ...emptyChat, turns: [turn] });
	const answer = chat.page.getByRole("article", { name: "Assistant" });
	await expect(answer.locator(".answer-name")).toHaveText("Demo");
	await expect(answer.locator(".usage")).toHaveCount(0);
});

test("lists of models hold each id beside its name, and an id without a name as it is", async ({
	chat,
}) => {
	const models = ["llm-4-turbo-tools", "llm-4-turbo", "own-tools-model"];
	await chat.open({ ...asked, composer: { ...modelComposer, models } });
	const expected = [/^\s*LLM 4 Turbo\s+llm-4-turbo-tools\s*$/, /^\s*LLM 4 Turbo\s+llm-4-turbo\s*$/];
	const options = chat.page.locator(".model-picker option");
	await expect(options).toHaveText([...expected, /^\s*own-tools-model\s*$/, "More models…"]);
	await expect(options.locator(".codicon-tools")).toHaveCount(1);
	await chat.page.getByRole("button", { name: "Retry with another model", exact: true }).click();
	const items = chat.page.getByRole("menuitem");
	await expect(items).toHaveText([...expected, /^own-tools-model$/, "More models…"]);
	// The one that answered has a check.
	await expect(items.and(chat.page.locator("[aria-current]"))).toHaveText([/llm-4-turbo-tools/]);
	await items.last().click();
	expect(await chat.requests("chooseModel")).toEqual([{}]);
});

test("models of servers are listed by their names, with the server where there are several", async ({
	chat,
}) => {
	const models = ["127.0.0.1-18744/qwen3-coder-30b", "127.0.0.1-18744/gpt-oss-20b"];
	const local = { kind: "local", label: "Demo", hasKey: false } as const;
	const [model = ""] = models;
	const composer = { ...modelComposer, model, models };
	await chat.open({ ...asked, connection: local, composer });
	const options = chat.page.locator(".model-picker option");
	await expect(options).toHaveText([
		/^\s*qwen3-coder-30b\s*$/,
		/^\s*gpt-oss-20b\s*$/,
		"More models…",
	]);
	await expect(chat.page.locator(".header .connection")).toHaveText("qwen3-coder-30b");
	await chat.push({
		type: "composer",
		composer: { ...composer, models: [...models, "ollama/qwen3-coder-30b"] },
	});
	await expect(options).toHaveText([
		/^\s*qwen3-coder-30b · 127\.0\.0\.1:18744\s*$/,
		/^\s*gpt-oss-20b · 127\.0\.0\.1:18744\s*$/,
		/^\s*qwen3-coder-30b · ollama\s*$/,
		"More models…",
	]);
	await expect(chat.page.getByRole("combobox", { name: "Model", exact: true })).toHaveAttribute(
		"title",
		"Model: qwen3-coder-30b · 127.0.0.1:18744",
	);
});
