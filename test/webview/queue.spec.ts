import type { Locator } from "@playwright/test";
import type { QueuedMessageView, QueueView } from "../../src/shared/queue.ts";
import { type ChatPage, expect, test } from "./fixtures.ts";
import { attachmentOf, emptyChat, messageOf, noAttachments, streaming, turnOf } from "./states.ts";

function waiting(id: string, text: string, change: Partial<QueuedMessageView> = {}) {
	return { id, text, model: "llm-4-turbo-tools", files: [], isSending: false, ...change };
}

const items = [
	waiting("a", "Write the tests for it too."),
	waiting("b", "And update the README so that it says what changed and why, with one example.", {
		files: ["README.md", "notes.md"],
	}),
	waiting("c", "עכשיו תרגם את זה לעברית"),
];

function queueOf(change: Partial<QueueView> = {}): QueueView {
	return { items, paused: null, held: null, removed: null, ...change };
}

const answering = {
	...emptyChat,
	title: "Grouping",
	turns: [
		turnOf("Group an array.", [messageOf("Let me see", { isFinished: false })], {
			id: "running",
			status: streaming,
		}),
	],
};
const busy = { ...answering, queue: queueOf() };
const pausedQueue = queueOf({ paused: "Paused: the answer was stopped." });
const idle = {
	...emptyChat,
	title: "Grouping",
	turns: [turnOf("Group an array.", [messageOf("Like so.")])],
	queue: pausedQueue,
};

const message = ({ page }: ChatPage): Locator =>
	page.getByRole("textbox", { name: "Message", exact: true });
const rows = ({ page }: ChatPage): Locator =>
	page.getByRole("list", { name: "Queued messages", exact: true }).getByRole("listitem");
const editor = ({ page }: ChatPage): Locator =>
	page.getByRole("textbox", { name: "Edit queued message", exact: true });

test("in the panel at its usual height, the composer is in view with a queue, a file and two lines", async ({
	chat,
}) => {
	const { page } = chat;
	await page.setViewportSize({ width: 730, height: 256 });
	const queue = queueOf({ items: items.slice(1, 2) });
	const attachments = { ...noAttachments, items: [attachmentOf("orders.csv")] };
	await chat.open({ ...answering, queue, attachments });
	await message(chat).fill("One line of a draft,\nand another one");
	await expect(message(chat)).toBeInViewport({ ratio: 1 });
	await expect(page.getByRole("button", { name: "Stop", exact: true })).toBeInViewport({
		ratio: 1,
	});
});

test.describe("While an answer runs", () => {
	test("Enter puts the words into the queue and empties the composer @core", async ({ chat }) => {
		await chat.open(answering);
		await message(chat).fill("Next");
		await message(chat).press("Enter");
		await expect(message(chat)).toHaveValue("");
		expect(await chat.requests("queueMessage")).toEqual([{ text: "Next" }]);
		expect(await chat.requests("sendPrompt")).toEqual([]);
		await chat.push({ type: "queue", queue: queueOf({ items: [waiting("n", "Next")] }) });
		await expect(rows(chat)).toHaveCount(1);
		await expect(chat.page.locator(".announced")).toHaveText("Queued messages: 1");
		await expect(message(chat)).toBeFocused();
	});

	test("the button beside Stop does the same, and is off without words @core", async ({ chat }) => {
		await chat.open(answering);
		const button = chat.page.getByRole("button", { name: "Queue message", exact: true });
		await expect(button).toBeDisabled();
		await message(chat).fill("Next");
		await button.click();
		expect(await chat.requests("queueMessage")).toEqual([{ text: "Next" }]);
		await expect(chat.page.getByRole("button", { name: "Stop", exact: true })).toBeVisible();
	});

	test("words that the host does not take come back with the reason", async ({ chat }) => {
		await chat.open(answering);
		await chat.fail("queueMessage", "The disk is full.");
		await message(chat).fill("Next");
		await message(chat).press("Enter");
		await expect(message(chat)).toHaveValue("Next");
		await expect(chat.page.getByText("The disk is full.")).toBeVisible();
	});

	test("a page that went away before the host had the words puts them back", async ({ chat }) => {
		await chat.open(answering);
		await chat.page.evaluate(() => {
			window.harness.results["queueMessage"] = new Promise(() => undefined);
		});
		await message(chat).fill("Next");
		await chat.page.evaluate(() => {
			const kept = JSON.parse(sessionStorage.getItem("state") ?? "{}");
			sessionStorage.setItem("state", JSON.stringify({ ...kept, draft: "", queueing: "Next" }));
		});
		await chat.open(answering);
		await expect(message(chat)).toHaveValue("Next");
		await chat.page.evaluate(() => {
			const kept = JSON.parse(sessionStorage.getItem("state") ?? "{}");
			sessionStorage.setItem("state", JSON.stringify({ ...kept, draft: "", queueing: "Next" }));
		});
		await chat.open({ ...answering, queue: queueOf({ items: [waiting("n", "Next")] }) });
		await expect(rows(chat)).toHaveCount(1);
		await expect(message(chat)).toHaveValue("");
	});

	test("a message on its way keeps Enter queueing, and cannot be changed", async ({ chat }) => {
		const [first, ...others] = items;
		await chat.open({
			...idle,
			queue: queueOf({ items: [...(first ? [{ ...first, isSending: true }] : []), ...others] }),
		});
		await expect(rows(chat).first()).toContainText("Sending…");
		await expect(rows(chat).first().getByRole("button")).toHaveCount(0);
		await message(chat).fill("Next");
		await message(chat).press("Enter");
		expect(await chat.requests("queueMessage")).toEqual([{ text: "Next" }]);
	});
});

test.describe("A message that waits", () => {
	test("is edited in place by Enter, kept by Enter, and its row has the focus again @core", async ({
		chat,
	}) => {
		await chat.open(busy);
		await rows(chat).first().focus();
		await chat.page.keyboard.press("Enter");
		await expect(editor(chat)).toBeFocused();
		expect(await chat.requests("holdQueued")).toEqual([{ id: "a" }]);
		await chat.page.keyboard.type(" All of them.");
		await chat.page.keyboard.press("Shift+Enter");
		await chat.page.keyboard.type("Please.");
		await chat.push({ type: "queue", queue: queueOf({ held: "a" }) });
		await expect(editor(chat)).toBeFocused();
		await chat.page.keyboard.press("Enter");
		await expect(editor(chat)).toHaveCount(0);
		expect(await chat.requests("editQueued")).toEqual([
			{ id: "a", text: "Write the tests for it too. All of them.\nPlease." },
		]);
		await expect(rows(chat).first()).toBeFocused();
		expect(await chat.requests("stop")).toEqual([]);
	});

	test("is left as it was by Escape, which does not stop the answer", async ({ chat }) => {
		await chat.open(busy);
		await rows(chat).nth(1).getByRole("button", { name: "Edit", exact: true }).click();
		await editor(chat).fill("Something else");
		await editor(chat).press("Escape");
		await expect(editor(chat)).toHaveCount(0);
		await expect(rows(chat).nth(1)).toBeFocused();
		expect(await chat.requests("editQueued")).toEqual([]);
		expect(await chat.requests("stop")).toEqual([]);
		expect((await chat.requests("holdQueued")).at(-1)).toEqual({ id: null });
	});

	test("keeps its editor, with the reason, when the host does not take the words", async ({
		chat,
	}) => {
		await chat.open(busy);
		await chat.fail("editQueued", "This message is being sent and can't be changed.");
		await rows(chat).first().focus();
		await chat.page.keyboard.press("Enter");
		await editor(chat).fill("Other words");
		await editor(chat).press("Enter");
		await expect(chat.page.getByText("is being sent")).toBeVisible();
		await expect(editor(chat)).toHaveValue("Other words");
		await chat.push({ type: "queue", queue: queueOf({ items: items.slice(1) }) });
		await expect(message(chat)).toHaveValue("Other words");
		await expect(editor(chat)).toHaveCount(0);
	});

	test("is edited on after a reload of the page, and held again", async ({ chat }) => {
		await chat.open(busy);
		await rows(chat).first().focus();
		await chat.page.keyboard.press("Enter");
		await editor(chat).fill("Half changed");
		await chat.open(busy);
		await expect(editor(chat)).toHaveValue("Half changed");
		await expect.poll(() => chat.requests("holdQueued")).toEqual([{ id: "a" }]);
	});

	test("moves with Alt and the arrows, and the focus stays on it", async ({ chat }) => {
		await chat.open(busy);
		await rows(chat).nth(1).focus();
		await chat.page.keyboard.press("Alt+ArrowUp");
		expect(await chat.requests("moveQueued")).toEqual([{ id: "b", step: -1 }]);
		const [a, b, c] = items;
		const moved = [b, a, c].filter(item => item !== undefined);
		await chat.push({ type: "queue", queue: queueOf({ items: moved }) });
		await expect(rows(chat).first()).toContainText("README");
		await expect(rows(chat).first()).toBeFocused();
		await chat.page.keyboard.press("ArrowDown");
		await expect(rows(chat).nth(1)).toBeFocused();
	});

	test("moves by its menu, which offers what the place allows", async ({ chat }) => {
		await chat.open(busy);
		await rows(chat).first().getByRole("button", { name: "More actions" }).click();
		await expect(chat.page.getByRole("menuitem")).toHaveText(["Move down Alt+↓", "Remove Delete"]);
		await chat.page.getByRole("menuitem", { name: "Move down" }).click();
		expect(await chat.requests("moveQueued")).toEqual([{ id: "a", step: 1 }]);
	});

	test("is sent now in place of the rest of the answer, by the button of the first row alone @core", async ({
		chat,
	}) => {
		await chat.open(busy);
		const now = chat.page.getByRole("button", { name: "Stop and send now" });
		await expect(now).toHaveCount(1);
		await rows(chat).first().getByRole("button", { name: "Stop and send now" }).click();
		expect(await chat.requests("sendQueuedNow")).toEqual([{}]);
	});

	test("is removed by Delete; the next one has the focus, and Undo brings it back @core", async ({
		chat,
	}) => {
		await chat.open(busy);
		await rows(chat).first().focus();
		await chat.page.keyboard.press("Delete");
		expect(await chat.requests("removeQueued")).toEqual([{ id: "a" }]);
		const removed = items[0]?.text ?? "";
		await chat.push({ type: "queue", queue: queueOf({ items: items.slice(1), removed }) });
		await expect(rows(chat).first()).toBeFocused();
		await expect(rows(chat)).toHaveCount(2);
		await chat.page.getByRole("button", { name: "Undo", exact: true }).click();
		expect(await chat.requests("restoreQueued")).toEqual([{}]);
	});
});

test("A paused queue says why, and goes on by its button @core", async ({ chat }) => {
	await chat.open({ ...idle, queue: queueOf() });
	await chat.push({ type: "queue", queue: pausedQueue });
	await expect(chat.page.getByText("Paused: the answer was stopped.").first()).toBeVisible();
	await expect(chat.page.locator(".announced")).toHaveText(
		"Queued messages: Paused: the answer was stopped.",
	);
	await chat.page.getByRole("button", { name: "Send next", exact: true }).click();
	expect(await chat.requests("resumeQueue")).toEqual([{}]);
	await chat.open({ ...busy, queue: pausedQueue });
	await expect(chat.page.getByRole("button", { name: "Resume", exact: true })).toBeVisible();
});

const twenty = Array.from({ length: 20 }, (_, index) =>
	waiting(
		`m${index}`,
		`${index + 1}. ${"A rather long message that waits for its turn. ".repeat(8)}`,
	),
);

for (const [width, height] of [
	[300, 700],
	[150, 480],
] as const) {
	test(`Twenty long messages leave the composer in view, ${width} by ${height}`, async ({
		chat,
	}) => {
		await chat.page.setViewportSize({ width, height });
		await chat.open({ ...busy, queue: queueOf({ items: twenty, paused: pausedQueue.paused }) });
		await expect(rows(chat)).toHaveCount(20);
		await expect(message(chat)).toBeInViewport();
		const wide = await chat.page.evaluate(() => document.documentElement.scrollWidth);
		expect(wide).toBeLessThanOrEqual(width);
		await rows(chat).last().focus();
		await expect(rows(chat).last()).toBeInViewport();
	});
}
