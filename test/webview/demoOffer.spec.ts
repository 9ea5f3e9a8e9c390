import { answerQuestion } from "../../src/localService/demo/demoEngine.ts";
import { expect, test } from "./fixtures.ts";
import { emptyChat, messageOf, modelComposer, turnOf } from "./states.ts";

/** What the local service's demo says to a question. */
function demoSays(content: string): string {
	const messages = [{ role: "user" as const, content }];
	const { events } = answerQuestion({ model: "llm-4-turbo", messages });
	return events.map(event => (event.type === "text-delta" ? event.text : "")).join("");
}

test("below an answer the demo could not give are a model that was found and what the demo can do (ux 8)", async ({
	chat,
}) => {
	const question = "Explain the selected code.";
	const turns = [turnOf(question, [messageOf(demoSays(question))])];
	await chat.open({ ...emptyChat, turns });
	const buttons = chat.page.locator(".ending-actions").getByRole("button");
	await expect(buttons).toHaveText([
		"Choose Model…",
		"Make a clip of this change",
		"Run Python on a Table",
	]);
	await buttons.first().click();
	expect(await chat.requests("chooseModel")).toEqual([{}]);
	const found = [{ id: "lm-studio/qwen3", name: "qwen3", detail: "LM Studio · 5 GB" }];
	const search = { isLooking: false, heading: "Found on this machine", found };
	const composer = { ...emptyChat.composer, search };
	await chat.push({ type: "composer", composer });
	await expect(buttons.first()).toHaveText("Use qwen3 (LM Studio)");
	await buttons.first().click();
	expect(await chat.requests("chooseModel")).toEqual([{}, { id: "lm-studio/qwen3" }]);
	await buttons.nth(1).click();
	expect(await chat.requests("runSuggestion")).toEqual([{ id: "clip" }]);
	await chat.push({ type: "composer", composer: { ...modelComposer, model: "lm-studio/qwen3" } });
	await expect(buttons).toHaveCount(0);
});

test("an answer the demo could give has no such buttons", async ({ chat }) => {
	await chat.open({
		...emptyChat,
		turns: [turnOf("/echo 2+2", [messageOf(demoSays("/echo 2+2"))])],
	});
	await expect(chat.page.getByText("2+2").last()).toBeVisible();
	await expect(chat.page.getByRole("button", { name: "Choose Model…" })).toHaveCount(0);
});
