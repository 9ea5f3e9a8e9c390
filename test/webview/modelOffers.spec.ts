import { expect, test } from "./fixtures.ts";
import { emptyChat, messageOf, turnOf } from "./states.ts";

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

test("an empty chat says which model answers, and offers what a model can do, not what the demo can", async ({
	chat,
}) => {
	await chat.open(emptyChat);
	const demo = chat.page.getByText("The built-in Demo answers on this machine.");
	const demoExample = chat.page.getByRole("button", { name: "Make a video of the selection" });
	await expect(demo).toBeVisible();
	await expect(demoExample).toBeVisible();
	const composer = { ...emptyChat.composer, model: "ollama/qwen3:8b" };
	await chat.push({ type: "composer", composer });
	await expect(
		chat.page.getByText("Answers come from ollama/qwen3:8b.", { exact: true }),
	).toBeVisible();
	await expect(chat.page.getByRole("button", { name: /groups an array by a key/ })).toBeVisible();
	await expect(demo).toHaveCount(0);
	await expect(demoExample).toHaveCount(0);
});

test("the list of models leads to all of them and keeps its choice", async ({ chat }) => {
	await chat.open(emptyChat);
	const list = chat.page.getByRole("combobox", { name: "Model", exact: true });
	await list.selectOption({ label: "Choose Model…" });
	expect(await chat.requests("chooseModel")).toEqual([{}]);
	expect(await chat.requests("setModel")).toEqual([]);
	await expect(list).toHaveValue("llm-4-turbo-tools");
});

test("an empty chat that does not fit begins at its top, and has no latest message to jump to", async ({
	chat,
}) => {
	const { page } = chat;
	await page.setViewportSize({ width: 300, height: 420 });
	const empty = { ...emptyChat, composer: { ...emptyChat.composer, offers } };
	const turns = Array.from({ length: 20 }, (_, index) =>
		turnOf(`${index}`, [messageOf("Yes.")], { id: `${index}` }),
	);
	await chat.open({ ...empty, turns });
	await expect(page.getByText("Yes.").last()).toBeInViewport();
	await chat.push({ type: "reset", state: { ...empty, chatId: "new" } });
	const heading = page.getByRole("heading", { name: "Ask Cutaway" });
	await expect(heading).toBeInViewport({ ratio: 1 });
	await heading.hover();
	await page.mouse.wheel(0, 2000);
	await expect(heading).not.toBeInViewport();
	await page.mouse.wheel(0, -2000);
	await expect(heading).toBeInViewport({ ratio: 1 });
	await expect(page.getByRole("button", { name: "Jump to latest" })).toBeHidden();
});
