import { demoSentence } from "../../src/localService/demo/demoEngine.ts";
import { expect, test } from "./fixtures.ts";
import { emptyChat, messageOf, modelComposer, turnOf } from "./states.ts";

test("below an answer the demo could not give are a model that was found and what the demo can do (ux 8)", async ({
	chat,
}) => {
	const question = "Explain the selected code.";
	const turns = [turnOf(question, [messageOf(demoSentence)])];
	await chat.open({ ...emptyChat, turns });
	const buttons = chat.page.locator(".ending-actions").getByRole("button");
	await expect(buttons).toHaveText([
		"Choose Model…",
		"Make a clip of cart.ts",
		"Run Python on orders.csv",
	]);
	await buttons.first().click();
	expect(await chat.requests("chooseModel")).toEqual([{}]);
	const found = [{ id: "lm-studio/qwen3", name: "qwen3", detail: "LM Studio · 5 GB" }];
	const search = { isLooking: false, heading: "Found on this machine", found };
	const composer = { ...emptyChat.composer, search };
	await chat.push({ type: "composer", composer });
	await expect(buttons.first()).toHaveText("Use qwen3 (LM Studio)");
	await buttons.first().click();
	const way = { id: "here", label: "Get a Model (0.5 GB)…", detail: "Runs here" };
	await chat.push({
		type: "composer",
		composer: { ...composer, search: { ...search, found: [], way } },
	});
	await expect(buttons.first()).toHaveText(way.label);
	await buttons.first().click();
	expect(await chat.requests("chooseModel")).toEqual([
		{},
		{ id: "lm-studio/qwen3" },
		{ id: way.id },
	]);
	await buttons.nth(1).click();
	expect(await chat.requests("runSuggestion")).toEqual([{ id: "clip" }]);
	await chat.push({ type: "composer", composer: { ...modelComposer, model: "lm-studio/qwen3" } });
	await expect(buttons).toHaveCount(0);
});

test("an answer the demo could give has no such buttons", async ({ chat }) => {
	await chat.open({
		...emptyChat,
		turns: [turnOf("What is in this table?", [messageOf("`orders.csv`: 4 rows, 3 columns")])],
	});
	await expect(chat.page.getByText("4 rows, 3 columns")).toBeVisible();
	await expect(chat.page.getByRole("button", { name: "Choose Model…" })).toHaveCount(0);
});
