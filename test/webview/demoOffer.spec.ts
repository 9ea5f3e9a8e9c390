import { answerQuestion } from "../../src/localService/demo/demoEngine.ts";
import { expect, test } from "./fixtures.ts";
import { emptyChat, messageOf, turnOf } from "./states.ts";

/** What the local service's demo says to a question. */
function demoSays(content: string): string {
	const messages = [{ role: "user" as const, content }];
	const { events } = answerQuestion({ model: "llm-4-turbo", messages });
	return events.map(event => (event.type === "text-delta" ? event.text : "")).join("");
}

test("below an answer the demo could not give are the ways to a model and to another service", async ({
	chat,
}) => {
	const question = "Why is the sky blue?";
	const turns = [turnOf(question, [messageOf(demoSays(question))])];
	await chat.open({ ...emptyChat, turns });
	const button = chat.page.getByRole("button", { name: "Connect to a Service…", exact: true });
	await expect(button).toHaveCount(1);
	await button.click();
	expect(await chat.requests("connect")).toEqual([{}]);
	const models = chat.page
		.locator(".ending-actions")
		.getByRole("button", { name: "Choose Model…" });
	await models.click();
	expect(await chat.requests("chooseModel")).toEqual([{}]);
	const connection = { kind: "remote", label: "api.example.com", hasKey: true } as const;
	await chat.push({ type: "connection", connection });
	await expect(button).toHaveCount(0);
	await expect(models).toHaveCount(0);
});

test("an answer the demo could give, and one of another service, have no such buttons", async ({
	chat,
}) => {
	const button = chat.page.getByRole("button", { name: "Connect to a Service…", exact: true });
	await chat.open({
		...emptyChat,
		turns: [turnOf("/echo 2+2", [messageOf(demoSays("/echo 2+2"))])],
	});
	await expect(chat.page.getByText("2+2").last()).toBeVisible();
	await expect(button).toHaveCount(0);
});

test("the example that needs a selection says so before it is pressed", async ({ chat }) => {
	await chat.open(emptyChat);
	const example = chat.page.getByRole("button", { name: "Make a video of the selection" });
	await expect(example).toContainText("Select text in an editor first.");
});
