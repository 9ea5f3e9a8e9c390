import type { Locator, Page } from "@playwright/test";
import type { ChatChange, ChatViewState } from "../../src/shared/chat.ts";
import { splitForFirstPaint } from "../../src/ui/chatView/changeQueue.ts";
import { type ChatPage, expect, test } from "./fixtures.ts";
import { emptyChat, messageOf, streaming, turnOf } from "./states.ts";

const answerOf = (index: number): string =>
	[
		`Answer ${index}.`,
		"Some more words, and then a few others. ".repeat(3 + (index % 7) * 6),
		`\`\`\`ts\n${`const value${index} = await compute(${index});\n`.repeat(2 + (index % 5) * 4)}\`\`\``,
	].join("\n\n");

/** A chat of this many turns, which differ in height. */
const longChat = (count: number, chatId = "long"): ChatViewState => ({
	...emptyChat,
	chatId,
	turns: Array.from({ length: count }, (_, index) =>
		turnOf(`Question ${index}`, [messageOf(answerOf(index))], { id: `turn-${index}` }),
	),
});

const scrollerOf = (page: Page): Locator => page.locator(".scroller");
const question = (page: Page, index: number): Locator =>
	page.getByText(`Question ${index}`, { exact: true });
const fromEnd = (page: Page): Promise<number> =>
	scrollerOf(page).evaluate(
		element => element.scrollHeight - element.scrollTop - element.clientHeight,
	);

/** Two frames: one to hear of a change, one to show it. */
const settle = (page: Page): Promise<void> =>
	page.evaluate(
		() =>
			new Promise(resolve => {
				requestAnimationFrame(() => requestAnimationFrame(() => resolve()));
			}),
	);

/** Goes to a share of the list's height, as a reader does who drags the scroll bar. */
async function dragTo(page: Page, share: number): Promise<void> {
	await scrollerOf(page).evaluate((element, part) => {
		element.dispatchEvent(new WheelEvent("wheel", { deltaY: -1 }));
		element.scrollTop = element.scrollHeight * part;
	}, share);
	await settle(page);
}

async function openAtEnd(chat: ChatPage, state: ChatViewState): Promise<void> {
	await chat.open(state);
	await expect(
		chat.page.getByText(state.turns.at(-1)?.prompt ?? "", { exact: true }),
	).toBeVisible();
	await expect.poll(() => fromEnd(chat.page)).toBeLessThan(4);
	await scrollerOf(chat.page).hover();
}

test("Of 1,000 turns the page holds those near the screen, at the end, in the middle and at the beginning", async ({
	chat,
}) => {
	const { page } = chat;
	await openAtEnd(chat, longChat(1000));
	const articles = page.getByRole("article");
	expect(await articles.count()).toBeLessThan(60);
	for (const share of [0.5, 0.1, 0]) {
		await dragTo(page, share);
		expect(await articles.count()).toBeLessThan(60);
		const blank = await page.evaluate(() => {
			const box = document.querySelector(".scroller")?.getBoundingClientRect();
			const middle = box && document.elementFromPoint(box.x + 60, box.y + box.height / 2);
			return middle?.closest(".turn") === null;
		});
		expect(blank).toBe(false);
	}
	await expect(question(page, 0)).toBeInViewport();
	// The last turn stays, whatever is read.
	await expect(question(page, 999)).toBeAttached();
});

test("What is read moves by what is scrolled and by nothing else, turn for turn up through the chat", async ({
	chat,
}) => {
	const { page } = chat;
	await openAtEnd(chat, longChat(60));
	await page.mouse.wheel(0, -10);
	await settle(page);
	const jumps = await page.evaluate(async () => {
		const scroller = document.querySelector<HTMLElement>(".scroller");
		const found: string[] = [];
		const places = (): Map<string, number> =>
			new Map(
				[...document.querySelectorAll<HTMLElement>(".turn")]
					.map(turn => [turn.dataset["turn"] ?? "", turn.getBoundingClientRect().bottom] as const)
					.filter(([, bottom]) => bottom > 200 && bottom < 700),
			);
		for (let step = 0; step < 400 && scroller && scroller.scrollTop > 0; step++) {
			const before = places();
			scroller.scrollTop -= 150;
			for (let frame = 0; frame < 2; frame++) {
				await new Promise(requestAnimationFrame);
			}
			const after = places();
			for (const [id, bottom] of before) {
				const moved = (after.get(id) ?? bottom + 150) - bottom;
				if (Math.abs(moved - 150) > 1.5 && scroller.scrollTop > 0) {
					found.push(`step ${step}: ${id} moved by ${moved}`);
				}
			}
		}
		return found;
	});
	expect(jumps).toEqual([]);
	await expect(question(page, 0)).toBeInViewport();
});

test("An answer that streams leaves a reader further up alone, and «Jump to latest» leads to it", async ({
	chat,
}) => {
	const { page } = chat;
	const state = longChat(200);
	state.turns.push(
		turnOf("The last one", [messageOf("It begins.", { isFinished: false })], {
			id: "running",
			status: streaming,
		}),
	);
	await chat.open(state);
	await expect(page.getByText("It begins.")).toBeInViewport();
	await dragTo(page, 1 / 2);
	const id = await page.locator(".turn").nth(3).getAttribute("data-turn");
	const seen = page.locator(`[data-turn="${id}"]`);
	const before = await seen.boundingBox();
	for (let count = 0; count < 10; count++) {
		await chat.push({ type: "text", turnId: "running", index: 0, text: "\n\nMore of it." });
	}
	expect(await seen.boundingBox()).toEqual(before);
	await page.getByRole("button", { name: "Jump to latest", exact: true }).click();
	await expect(page.getByText("More of it.").last()).toBeInViewport();
	await chat.push({ type: "text", turnId: "running", index: 0, text: "\n\nThe end." });
	await expect(page.getByText("The end.")).toBeInViewport();
	await expect.poll(() => fromEnd(page)).toBeLessThan(4);
});

test("Another width or theme keeps what is read in sight", async ({ chat }) => {
	const { page } = chat;
	await openAtEnd(chat, longChat(300));
	await dragTo(page, 1 / 3);
	const read = await page.evaluate(() => {
		const seen = document.elementFromPoint(60, 60)?.closest<HTMLElement>(".turn");
		return seen?.dataset["turn"] ?? "";
	});
	const turn = page.locator(`[data-turn="${read}"]`);
	await page.setViewportSize({ width: 300, height: 720 });
	await settle(page);
	await expect(turn).toBeInViewport();
	await page.evaluate(() => {
		document.body.className = "vscode-light";
		document.documentElement.style.setProperty("--vscode-foreground", "#123456");
	});
	await settle(page);
	await expect(turn).toBeInViewport();
});

test("The place of the reader outlives a reload, far from both ends @core", async ({ chat }) => {
	const { page } = chat;
	const state = longChat(300);
	await openAtEnd(chat, state);
	await dragTo(page, 1 / 2);
	const topTurn = (): Promise<{ id: string; y: number }> =>
		page.evaluate(() => {
			const turn = document.elementFromPoint(60, 60)?.closest<HTMLElement>(".turn");
			return { id: turn?.dataset["turn"] ?? "", y: turn?.getBoundingClientRect().y ?? 0 };
		});
	const before = await topTurn();
	await expect
		.poll(() => page.evaluate(() => sessionStorage.getItem("state")))
		.toContain(`"turnId":"${before.id}"`);
	await chat.open(state);
	expect(await chat.requests("ready")).toEqual([{ at: before.id }]);
	await expect.poll(async () => (await topTurn()).id).toBe(before.id);
	// The place is kept in whole pixels.
	await expect.poll(async () => Math.abs((await topTurn()).y - before.y)).toBeLessThan(1);
});

const lineAt = (page: Page): Promise<{ text: string; y: number }> =>
	page.evaluate(() => {
		const lines = [...document.querySelectorAll<HTMLElement>(".markdown p")];
		const line = lines.find(element => element.getBoundingClientRect().y > 200);
		return { text: line?.textContent ?? "", y: line?.getBoundingClientRect().y ?? 0 };
	});

for (const [what, change] of [
	["still grows", { isFinished: false }],
	["is long and over", { isFinished: true }],
] as const) {
	test(`The place of the reader outlives a reload in an answer that ${what}, far behind what is written at once`, async ({
		chat,
	}) => {
		const { page } = chat;
		const text = Array.from({ length: 1200 }, (_, line) => `Line ${line} of the answer.`);
		const answer = messageOf(text.join("\n\n"), change);
		const turn = turnOf("Question", [answer], change.isFinished ? {} : { status: streaming });
		const state: ChatViewState = { ...emptyChat, chatId: "running", turns: [turn] };
		await openAtEnd(chat, state);
		await expect(page.getByText("Line 1199 of")).toBeInViewport();
		for (const share of [0.8, 0.5]) {
			await dragTo(page, share);
			const before = await lineAt(page);
			expect(before.text).toMatch(/^Line \d+/);
			await chat.open(state);
			await expect.poll(async () => (await lineAt(page)).text).toBe(before.text);
			await expect(page.getByText("Line 1199 of")).toBeAttached();
			await settle(page);
			const after = await lineAt(page);
			expect(after.text).toBe(before.text);
			expect(Math.abs(after.y - before.y)).toBeLessThan(1.5);
			await expect(page.locator(".turn")).not.toHaveAttribute("style", /min-block/);
		}
	});
}

/** A long chat as it arrives: with its last turns, and then those before. */
function arriving(): { first: ChatViewState; earlier: ChatChange } {
	const { first, earlier } = splitForFirstPaint(longChat(400));
	return { first, earlier: { type: "earlier-turns", turns: [...earlier] } };
}

test("Turns that come before those that are there move nothing, wherever the reader is", async ({
	chat,
}) => {
	const { page } = chat;
	const { first, earlier } = arriving();
	for (const share of [1, 0.5, 0]) {
		await openAtEnd(chat, first);
		if (share < 1) {
			await dragTo(page, share);
		}
		const seen = await page.evaluate(() => {
			const turn = document.elementFromPoint(60, 300)?.closest<HTMLElement>(".turn");
			return { id: turn?.dataset["turn"] ?? "", y: turn?.getBoundingClientRect().y ?? 0 };
		});
		await chat.push(earlier);
		const turn = page.locator(`[data-turn="${seen.id}"]`);
		await expect
			.poll(async () => Math.abs(((await turn.boundingBox())?.y ?? 1e6) - seen.y))
			.toBeLessThan(1.5);
		await expect(page.getByRole("article").last()).toHaveAttribute("aria-setsize", "800");
		await dragTo(page, 0);
		await expect(question(page, 0)).toBeInViewport();
		// The next round begins at the end.
		await page.evaluate(() => sessionStorage.clear());
	}
});

test("The reader's place in a chat that is shown again is found among the turns that come later, unless they went elsewhere", async ({
	chat,
}) => {
	const { page } = chat;
	const { first, earlier } = arriving();
	const away = turnOf("Elsewhere", [messageOf("Here.")], { id: "away" });
	const other: ChatViewState = { ...emptyChat, chatId: "other", turns: [away] };
	const leaveAndReturn = async (): Promise<void> => {
		await chat.push({ type: "reset", state: other });
		await expect(page.getByText("Here.")).toBeVisible();
		await chat.push({ type: "reset", state: first });
		await expect(question(page, 399)).toBeInViewport();
	};
	await openAtEnd(chat, first);
	await chat.push(earlier);
	await dragTo(page, 0);
	await expect(question(page, 0)).toBeInViewport();
	await expect
		.poll(() => page.evaluate(() => sessionStorage.getItem("state")))
		.toContain('"turnId":"turn-0"');
	await leaveAndReturn();
	await chat.push(earlier);
	await expect(question(page, 0)).toBeInViewport();
	await leaveAndReturn();
	await dragTo(page, 1 / 2);
	await chat.push(earlier);
	await settle(page);
	await expect(question(page, 0)).not.toBeInViewport();
});

test("Every message says which one of how many it is, also when most are not on the page", async ({
	chat,
}) => {
	const { page } = chat;
	await openAtEnd(chat, longChat(100));
	const last = page.getByRole("article").last();
	await expect(last).toHaveAttribute("aria-posinset", "200");
	await expect(last).toHaveAttribute("aria-setsize", "200");
	const earlier = page.getByRole("button", { name: "Show earlier messages", exact: true });
	await earlier.evaluate(button => (button as HTMLButtonElement).click());
	await expect(question(page, 0)).toBeInViewport();
	await expect(page.getByRole("article", { name: "You" }).first()).toBeFocused();
	await expect(page.getByRole("article").first()).toHaveAttribute("aria-posinset", "1");
});

test("A message with the focus stays while its reader scrolls away, and what was unfolded is open on return", async ({
	chat,
}) => {
	const { page } = chat;
	const state = longChat(200);
	const tool = {
		id: "call",
		after: 1,
		name: "read_file",
		title: "Read a file",
		state: "done" as const,
		argumentsText: '{"path":"a.txt"}',
	};
	state.turns[195] = turnOf("With a card", [messageOf("Done.")], { id: "carded", tools: [tool] });
	await openAtEnd(chat, state);
	const summary = page.locator("summary", { hasText: "Read a file" });
	const scrollToCard = (): Promise<void> =>
		expect(async () => {
			await scrollerOf(page).hover();
			await page.mouse.wheel(0, -400);
			await settle(page);
			await expect(summary).toBeInViewport({ timeout: 50 });
		}).toPass();
	await scrollToCard();
	await summary.click();
	const copy = page.locator('[data-turn="carded"] .copy-message').first();
	await copy.focus();
	await dragTo(page, 0);
	await expect(copy).toBeFocused();
	await page.getByRole("textbox", { name: "Message" }).focus();
	await dragTo(page, 1 / 10);
	await expect(summary).not.toBeAttached();
	await page.getByRole("button", { name: "Jump to latest", exact: true }).click();
	await settle(page);
	await scrollToCard();
	await expect(page.locator("details", { has: summary })).toHaveAttribute("open", "");
});

test("Code that was shown whole and wrapped is so again when its message is back on the page", async ({
	chat,
}) => {
	const { page } = chat;
	const state = longChat(200);
	const code = `\`\`\`ts\n${"const value = 1;\n".repeat(90)}\`\`\``;
	state.turns[199] = turnOf("With code", [messageOf(code)], { id: "coded" });
	state.turns.push(turnOf("The last one", [messageOf("Done.")], { id: "last" }));
	await openAtEnd(chat, state);
	const block = page.locator('[data-turn="coded"] .code-block');
	await page.getByRole("button", { name: "Show all 90 lines", exact: true }).click();
	await block.getByRole("button", { name: "Wrap lines" }).click();
	await dragTo(page, 0);
	await page.getByRole("textbox", { name: "Message" }).focus();
	await dragTo(page, 1 / 10);
	await expect(block).not.toBeAttached();
	await page.getByRole("button", { name: "Jump to latest", exact: true }).click();
	const fewer = page.getByRole("button", { name: "Show the first 20 lines", exact: true });
	await expect(fewer).toBeAttached();
	await expect(block).toHaveClass(/wrapped/);
	await expect(block.locator(".wrap-code")).toHaveAttribute("aria-pressed", "true");
});

test("the way back to the end covers nothing of the conversation", async ({ chat }) => {
	const { page } = chat;
	await openAtEnd(chat, longChat(20));
	await scrollerOf(page).hover();
	await page.mouse.wheel(0, -400);
	const jump = page.getByRole("button", { name: "Jump to latest", exact: true });
	await expect(jump).toBeVisible();
	const [button, scroller] = await Promise.all([
		jump.boundingBox(),
		scrollerOf(page).boundingBox(),
	]);
	expect(button?.y).toBeGreaterThanOrEqual((scroller?.y ?? 0) + (scroller?.height ?? Infinity));
	await jump.click();
	await expect(jump).toBeHidden();
});
