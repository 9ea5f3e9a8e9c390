import { expect, test } from "./fixtures.ts";
import { emptyChat } from "./states.ts";

const offers = [{ id: "ollama/qwen3:8b", label: "qwen3:8b · ollama · 5.2 GB, loaded" }];

test("an empty chat offers the models that were found, one click each, and the list of all", async ({
	chat,
}) => {
	await chat.open({ ...emptyChat, composer: { ...emptyChat.composer, offers } });
	const offer = chat.page.getByRole("button", { name: "qwen3:8b · ollama · 5.2 GB, loaded" });
	const colorOf = (button: typeof offer): Promise<string> =>
		button.evaluate(element => getComputedStyle(element).color);
	expect(await colorOf(offer)).toBe(
		await colorOf(chat.page.getByRole("button", { name: "What can you do?" })),
	);
	await offer.click();
	await chat.page.getByRole("button", { name: "Choose Model…" }).click();
	expect(await chat.requests("chooseModel")).toEqual([{ id: "ollama/qwen3:8b" }, {}]);
	const composer = { ...emptyChat.composer, model: "ollama/qwen3:8b" };
	await chat.push({ type: "composer", composer });
	await expect(
		chat.page.getByRole("button", { name: /^Answers come from ollama\/qwen3:8b/ }),
	).toBeVisible();
	await expect(chat.page.getByRole("list", { name: "Models", exact: true })).toHaveCount(0);
});

test("the list of models leads to all of them and keeps its choice", async ({ chat }) => {
	await chat.open(emptyChat);
	const list = chat.page.getByRole("combobox", { name: "Model", exact: true });
	await list.selectOption({ label: "Choose Model…" });
	expect(await chat.requests("chooseModel")).toEqual([{}]);
	expect(await chat.requests("setModel")).toEqual([]);
	await expect(list).toHaveValue("llm-4-turbo-tools");
});
