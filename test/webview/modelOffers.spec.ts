import { demoSentence } from "../../src/localService/demo/demoEngine.ts";
import { expect, inEveryTheme, test } from "./fixtures.ts";
import { emptyChat, messageOf, modelComposer, turnOf } from "./states.ts";

const found = [
	{
		id: "lm-studio/qwen3-coder-30b",
		name: "qwen3-coder-30b",
		detail: "LM Studio · 18.6 GB, loaded",
	},
	{ id: "lm-studio/gpt-oss-20b", name: "gpt-oss-20b", detail: "LM Studio · 12.1 GB" },
];
const search = { isLooking: false, heading: "Found on this machine", found };

test("an empty chat offers the best model that was found in one box of its own, and the way to all (ux 9) @core", async ({
	chat,
}) => {
	await chat.open({ ...emptyChat, composer: { ...emptyChat.composer, search } });
	const box = chat.page.getByRole("region", { name: "Model" });
	await expect(box).toContainText("Found on this machine");
	await expect(box).toContainText("LM Studio · 18.6 GB, loaded");
	await box.getByRole("button", { name: "Use qwen3-coder-30b" }).click();
	await chat.page.getByRole("button", { name: "More ways to connect…" }).click();
	expect(await chat.requests("chooseModel")).toEqual([{ id: "lm-studio/qwen3-coder-30b" }, {}]);
	await expect(chat.page.getByRole("button", { name: "Connect to a Service…" })).toHaveCount(0);
	await chat.push({
		type: "composer",
		composer: { ...modelComposer, model: "lm-studio/qwen3-coder-30b" },
	});
	await expect(box).toHaveCount(0);
	await expect(chat.page.locator(".model-chosen")).toHaveText("qwen3-coder-30b");
	const list = chat.page.getByRole("combobox", { name: "Model", exact: true });
	await expect(list).toHaveAttribute("title", "Model: qwen3-coder-30b · lm-studio");
});

test("the box for the model is as high while models are looked for as with one, or the way to one (ux 18)", async ({
	chat,
}) => {
	const searches = [
		{ isLooking: true, heading: "", found: [] },
		search,
		{
			isLooking: false,
			heading: "",
			found: [],
			way: { id: "server", label: "Use a Key…", detail: "" },
		},
	];
	await chat.page.setViewportSize({ width: 600, height: 700 });
	const heights: (number | undefined)[] = [];
	for (const next of searches) {
		const composer = { ...emptyChat.composer, search: next };
		await (heights.length === 0
			? chat.open({ ...emptyChat, composer })
			: chat.push({ type: "composer", composer }));
		heights.push((await chat.page.locator(".empty").first().boundingBox())?.height);
		heights.push((await chat.page.locator(".model-box").boundingBox())?.height);
	}
	expect(heights.slice(2)).toEqual([...heights.slice(0, 2), ...heights.slice(0, 2)]);
	await chat.page.getByRole("button", { name: "Use a Key…" }).click();
	expect(await chat.requests("chooseModel")).toEqual([{ id: "server" }]);
});

test("the button of the box is one line in a narrow view, in every theme", async ({ chat }) => {
	const way = {
		id: "here",
		label: "Get a Model (530 MB)…",
		detail: "One runs here, without an account",
	};
	const composer = {
		...emptyChat.composer,
		search: {
			isLooking: false,
			heading: "",
			found: [],
			way,
			key: {
				id: "server",
				label: "I Have a Key…",
			},
		},
	};
	await chat.page.setViewportSize({ width: 300, height: 700 });
	await chat.open({ ...emptyChat, composer });
	const box = chat.page.getByRole("region", { name: "Model" });
	await expect(box).toContainText(way.detail);
	const button = box.getByRole("button", { name: way.label });
	await inEveryTheme(chat.page, async () => {
		expect((await button.boundingBox())?.height).toBeLessThan(30);
		expect((await box.boundingBox())?.height).toBe(120);
	});
	await box.getByRole("button", { name: "I Have a Key…" }).click();
	expect(await chat.requests("chooseModel")).toEqual([{ id: "server" }]);
});

test("a download shows how far it is, with Cancel that is not the next step", async ({ chat }) => {
	const way = { id: "cancel", label: "Cancel Download", detail: "130 MB of 530 MB · 12 MB/s" };
	const heading = "Downloading Qwen3.5 0.8B… 24%";
	const search = { isLooking: false, heading, found: [], way };
	const composer = { ...emptyChat.composer, search };
	await chat.open({ ...emptyChat, composer });
	const box = chat.page.getByRole("region", { name: "Model" });
	await expect(box).toContainText(heading);
	await expect(box).toContainText(way.detail);
	await expect(box.locator(".primary")).toHaveCount(0);
	await box.getByRole("button", { name: way.label }).click();
	expect(await chat.requests("chooseModel")).toEqual([{ id: "cancel" }]);
	await chat.push({ type: "turn-added", turn: turnOf("Hi", [messageOf(demoSentence)]) });
	const ending = chat.page.locator(".ending-actions");
	await expect(ending).toContainText(heading);
	await expect(ending.locator(".primary")).toHaveCount(0);
	await ending.getByRole("button", { name: way.label }).click();
	expect(await chat.requests("chooseModel")).toEqual([{ id: "cancel" }, { id: "cancel" }]);
});

test("a suggestion acts with one click, and asks for nothing else first (ux 11)", async ({
	chat,
}) => {
	await chat.open(emptyChat);
	const suggestions = chat.page.getByRole("list", { name: "Suggestions" }).getByRole("button");
	await expect(suggestions).toHaveText([
		"Make a clip of cart.ts",
		"Run Python on orders.csv",
		"What can you do?",
	]);
	await suggestions.nth(1).click();
	expect(await chat.requests("runSuggestion")).toEqual([{ id: "python" }]);
	await expect(chat.page.getByRole("textbox", { name: "Message" })).toHaveValue("");
	await expect(chat.page.getByText("Select text in an editor first.")).toHaveCount(0);
});

test("a service without a key says so, and leads to its address and key, which it may not need", async ({
	chat,
}) => {
	const connection = { kind: "remote", label: "api.example.com", hasKey: false } as const;
	await chat.open({ ...emptyChat, connection, composer: modelComposer });
	await expect(chat.page.getByText("Connected to api.example.com. No API key set.")).toBeVisible();
	await expect(chat.page.locator(".model-box .primary")).toHaveCount(0);
	await chat.page.getByRole("button", { name: "Set Address and Key…" }).click();
	expect(await chat.requests("connect")).toEqual([{}]);
});

test("a service whose address is not valid leads to another address, and is not called connected", async ({
	chat,
}) => {
	const connection = {
		kind: "invalid",
		label: "The service's address isn't valid",
		hasKey: false,
	} as const;
	await chat.open({ ...emptyChat, connection, composer: modelComposer });
	await expect(chat.page.getByText("Connected to")).toHaveCount(0);
	await expect(chat.page.getByRole("region", { name: "Model" })).toContainText(connection.label);
	await chat.page.locator(".model-box .primary", { hasText: "Change Address…" }).click();
	expect(await chat.requests("connect")).toEqual([{}]);
});

test("without a model the list reads Demo, offers what was found, and leads to all models (ux 5)", async ({
	chat,
}) => {
	const models = ["other/own"];
	await chat.open({ ...emptyChat, composer: { ...emptyChat.composer, models, search } });
	await expect(chat.page.locator(".model-chosen")).toHaveText("Demo (no model)");
	const list = chat.page.getByRole("combobox", { name: "Model", exact: true });
	await expect(list.locator("option")).toHaveText([
		"Demo (no model)",
		"own · other",
		"qwen3-coder-30b · lm-studio",
		"gpt-oss-20b · lm-studio",
		"More models…",
	]);
	await list.selectOption({ label: "More models…" });
	await expect(list).toHaveValue("llm-4-turbo-tools");
	await list.selectOption("lm-studio/gpt-oss-20b");
	expect(await chat.requests("chooseModel")).toEqual([{}, { id: "lm-studio/gpt-oss-20b" }]);
	expect(await chat.requests("setModel")).toEqual([]);
});

test("an empty chat that does not fit begins at its top, and has no latest message to jump to", async ({
	chat,
}) => {
	const { page } = chat;
	await page.setViewportSize({ width: 300, height: 300 });
	const empty = { ...emptyChat, composer: { ...emptyChat.composer, search } };
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
