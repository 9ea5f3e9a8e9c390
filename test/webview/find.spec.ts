import type { Locator, Page } from "@playwright/test";
import type { ChatViewState } from "../../src/shared/chat.ts";
import { type ChatPage, expect, test } from "./fixtures.ts";
import { emptyChat, messageOf, streaming, turnOf } from "./states.ts";

/** A chat of which every tenth turn has one «needle», in text, code, bold print and a table by turns. */
const hidden = [
	"Here is a Needle in words.",
	`\`\`\`ts\n${"const hay = 1;\n".repeat(30)}const needle = 2;\n\`\`\``,
	"A **nee**dle in bold print, and [a link](https://example.com/needle).",
	"| a | b |\n|---|---|\n| hay | needle |",
] as const;

const chatWithNeedles = (count: number): ChatViewState => ({
	...emptyChat,
	chatId: "find",
	turns: Array.from({ length: count }, (_, index) => {
		const found = index % 10 === 3 ? (hidden[Math.floor(index / 10) % 4] ?? "") : "Hay, hay.";
		return turnOf(
			`Question ${index}`,
			[messageOf(`${"Some more words. ".repeat(index % 50)}\n\n${found}`)],
			{ id: `turn-${index}` },
		);
	}),
});

const field = (page: Page): Locator =>
	page.getByRole("textbox", { name: "Find in chat", exact: true });
const count = (page: Page): Locator => page.locator(".find-count");

/** The text that is marked as the current match, and whether it is in sight. */
const current = (page: Page): Promise<{ text: string; isInSight: boolean }> =>
	page.evaluate(() => {
		const [mark] = [...(CSS.highlights.get("cutaway-find-current") ?? [])];
		const view = document.querySelector(".scroller")?.getBoundingClientRect();
		if (!mark || !view) {
			return { text: "", isInSight: false };
		}
		const range = document.createRange();
		range.setStart(mark.startContainer, mark.startOffset);
		range.setEnd(mark.endContainer, mark.endOffset);
		const box = range.getBoundingClientRect();
		return {
			text: range.toString(),
			isInSight: box.top >= view.top && box.bottom <= view.bottom && box.width > 0,
		};
	});

async function openFind(chat: ChatPage, state: ChatViewState, words: string): Promise<void> {
	await chat.open(state);
	await chat.page.getByRole("textbox", { name: "Message", exact: true }).focus();
	await chat.page.keyboard.press("ControlOrMeta+f");
	await expect(field(chat.page)).toBeFocused();
	await chat.page.keyboard.type(words);
}

test("finds across the whole chat, on the page or not, and goes from match to match @core", async ({
	chat,
}) => {
	const { page } = chat;
	await openFind(chat, chatWithNeedles(200), "needle");
	await expect(count(page)).toHaveText(/^\d+ of 20$/);
	const seen = new Set<string>();
	for (let step = 0; step < 20; step++) {
		await expect.poll(async () => (await current(page)).isInSight).toBe(true);
		expect((await current(page)).text.toLowerCase()).toBe("needle");
		const shown = (await count(page).textContent()) ?? "";
		seen.add(shown);
		await page.keyboard.press(step % 2 === 0 ? "Enter" : "F3");
		await expect(count(page)).not.toHaveText(shown);
	}
	expect(seen.size).toBe(20);
	expect(await page.getByRole("article").count()).toBeLessThan(90);
	const before = await count(page).textContent();
	await page.keyboard.press("Enter");
	await page.keyboard.press("Shift+Enter");
	await expect(count(page)).toHaveText(before ?? "");
});

test("opened while its code is still on its way, it is one search, which F3 goes on with", async ({
	chat,
}) => {
	const { page } = chat;
	await page.route(/\/find-?[^/]*\.js/, async route => {
		await new Promise(resolve => setTimeout(resolve, 500));
		await route.continue();
	});
	await openFind(chat, chatWithNeedles(30), "needle");
	await expect(count(page)).toHaveText("1 of 3");
	await page.keyboard.press("F3");
	await expect(count(page)).toHaveText("2 of 3");
	await page.keyboard.press("ControlOrMeta+f");
	await expect(page.getByRole("search")).toHaveCount(1);
});

test("tells case and whole words apart when asked to", async ({ chat }) => {
	const { page } = chat;
	const texts = ["Needle needles needle", "a needle_1"];
	await openFind(
		chat,
		{
			...emptyChat,
			turns: [
				turnOf(
					"Go",
					texts.map((text, index) => messageOf(text, { index })),
				),
			],
		},
		"needle",
	);
	await expect(count(page)).toHaveText("1 of 4");
	await page.getByRole("button", { name: "Match case", exact: true }).click();
	await expect(count(page)).toHaveText("1 of 3");
	await page.getByRole("button", { name: "Match whole word", exact: true }).click();
	await expect(count(page)).toHaveText("1 of 1");
	await field(page).fill("no such words");
	await expect(count(page)).toHaveText("No results");
});

test("leaves the conversation's elements as they are", async ({ chat }) => {
	const { page } = chat;
	await chat.open(chatWithNeedles(15));
	const markup = (): Promise<string> =>
		page.locator(".conversation").evaluate(list => list.innerHTML);
	await expect(page.locator(".hljs-keyword").first()).toBeAttached();
	const before = await markup();
	await page.keyboard.press("ControlOrMeta+f");
	await expect(field(page)).toBeFocused();
	await page.keyboard.type("hay");
	await expect(count(page)).toHaveText(/of \d\d/);
	expect(await markup()).toBe(before);
});

test("Escape closes it, gives the focus back, takes the marks away and stops no answer", async ({
	chat,
}) => {
	const { page } = chat;
	const state = chatWithNeedles(30);
	state.turns.push(
		turnOf("Go", [messageOf("needle", { isFinished: false })], {
			id: "running",
			status: streaming,
		}),
	);
	await openFind(chat, state, "needle");
	await expect(count(page)).toHaveText(/of 4/);
	await page.keyboard.press("Escape");
	await expect(field(page)).toHaveCount(0);
	await expect(page.getByRole("textbox", { name: "Message", exact: true })).toBeFocused();
	expect(await current(page)).toEqual({ text: "", isInSight: false });
	expect(await chat.requests("stop")).toEqual([]);
});

test("counts what an answer adds while it streams, without leaving the place", async ({ chat }) => {
	const { page } = chat;
	const state = chatWithNeedles(100);
	state.turns.push(
		turnOf("Go", [messageOf("It begins.", { isFinished: false })], {
			id: "running",
			status: streaming,
		}),
	);
	await openFind(chat, state, "needle");
	await expect(count(page)).toHaveText("1 of 10");
	await expect.poll(async () => (await current(page)).isInSight).toBe(true);
	await chat.push({ type: "text", turnId: "running", index: 0, text: "\n\nOne needle more. " });
	await expect(count(page)).toHaveText("1 of 11");
	await chat.push({ type: "text", turnId: "running", index: 0, text: "And a needle." });
	await expect(count(page)).toHaveText("1 of 12");
	expect((await current(page)).isInSight).toBe(true);
});

test("opens what a match is folded into", async ({ chat }) => {
	const { page } = chat;
	const tool = {
		id: "call",
		after: 1,
		name: "read_file",
		title: "Read a file",
		state: "done" as const,
		argumentsText: '{"path":"needle.txt"}',
	};
	await openFind(
		chat,
		{ ...emptyChat, turns: [turnOf("Go", [messageOf("Done.")], { tools: [tool] })] },
		"needle.txt",
	);
	await expect(count(page)).toHaveText("1 of 1");
	await expect.poll(async () => (await current(page)).isInSight).toBe(true);
});

test("shows the source of a diagram that a match is in", async ({ chat }) => {
	const { page } = chat;
	const diagram = "```mermaid\ngraph TD\n  A[Needle] --> B\n```";
	const lines = "Some more words.\n\n".repeat(80);
	await chat.open({
		...emptyChat,
		turns: [turnOf("Go", [messageOf(`${diagram}\n\n${lines}`)])],
	});
	await page.getByRole("button", { name: "Draw diagram", exact: true }).click();
	await expect(page.locator("iframe.diagram")).toBeVisible();
	await page.keyboard.press("ControlOrMeta+f");
	await expect(field(page)).toBeFocused();
	await page.keyboard.type("needle");
	await expect(count(page)).toHaveText("1 of 1");
	await expect.poll(() => current(page)).toEqual({ text: "Needle", isInSight: true });
	await expect(page.locator("iframe.diagram")).toHaveCount(0);
});

test("begins with what is selected, and Tab leads through its buttons", async ({ chat }) => {
	const { page } = chat;
	await chat.open(chatWithNeedles(12));
	await page.getByText("Question 11", { exact: true }).dblclick();
	await page.keyboard.press("ControlOrMeta+f");
	await expect(field(page)).toHaveValue("Question");
	await expect(count(page)).toHaveText(/of 12/);
	for (const name of ["Match case", "Match whole word", "Previous match", "Next match", "Close"]) {
		await page.keyboard.press("Tab");
		await expect(page.getByRole("button", { name, exact: true })).toBeFocused();
	}
	await page.keyboard.press("Escape");
	await expect(field(page)).toHaveCount(0);
});

for (const width of [300, 420]) {
	test(`has room at ${width} px`, async ({ chat }) => {
		const { page } = chat;
		await page.setViewportSize({ width, height: 560 });
		await chat.open(chatWithNeedles(34));
		await page.keyboard.press("ControlOrMeta+f");
		await expect(field(page)).toBeFocused();
		await page.keyboard.type("hay");
		await expect(count(page)).toHaveText(/of \d+$/);
		await page.keyboard.press("Enter");
		await expect.poll(async () => (await current(page)).isInSight).toBe(true);
		const sticksOut = await page.evaluate(
			() =>
				[...document.querySelectorAll(".find-bar, .find-bar *")].filter(
					element => element.getBoundingClientRect().right > window.innerWidth,
				).length,
		);
		expect(sticksOut).toBe(0);
	});
}
