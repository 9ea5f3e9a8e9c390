import type { Locator, Page } from "@playwright/test";
import { violations } from "./axe.ts";
import { type ChatPage, expect, inEveryTheme, test } from "./fixtures.ts";
import { emptyChat, externalCard, messageOf, streaming, turnOf } from "./states.ts";

const waiting = {
	...emptyChat,
	composer: {
		...emptyChat.composer,
		externalTools: { isAny: true, label: "Tools of servers and extensions: 2 of 5 chosen" },
	},
	turns: [
		turnOf("Go", [messageOf("", { toolNames: ["mcp_github_create_issue"] })], {
			status: streaming,
			tools: [externalCard],
		}),
	],
};

test("T43: a tool of others is asked about with its server, its name and all it is called with, at any width @core", async ({
	chat,
}) => {
	const { page } = chat;
	await chat.open(waiting);
	const card = page.getByRole("group", { name: "Tool: github: create_issue" });
	await expect(card.getByText("github: create_issue")).toBeVisible();
	await expect(card.getByText("create_issue")).toHaveCount(1);
	await expect(card.getByText("octo")).toHaveCount(1);
	await expect(card.getByText("This tool is not Cutaway's.")).toBeVisible();
	await expect(card.locator("pre").last()).toHaveText(
		externalCard.approval?.external?.argumentsText ?? "",
	);
	await expect(page.getByRole("button", { name: "Allow in this chat" })).toHaveCount(0);
	await inEveryTheme(page, async () => {
		for (const width of [600, 300, 150]) {
			await page.setViewportSize({ width, height: 900 });
			const text = card.locator("pre").last();
			expect(await text.evaluate(each => each.scrollWidth <= each.clientWidth)).toBe(true);
			await expect(page.getByRole("button", { name: "Allow", exact: true })).toBeEnabled();
		}
		expect(await violations(page)).toEqual([]);
	});
});

/** Opens the chat with its list at the end, then a request of many lines comes. */
async function openLong(chat: ChatPage, size: { width: number; height: number }): Promise<void> {
	await chat.page.setViewportSize(size);
	const { approval } = externalCard;
	const argumentsText = `{\n${Array.from({ length: 120 }, (_, index) => `  "a${index}": ${index}`).join(",\n")}\n}`;
	const card = {
		...externalCard,
		approval: approval && { ...approval, external: { argumentsText } },
	};
	const message = messageOf("Long words. ".repeat(300));
	await chat.open({ ...waiting, turns: [turnOf("Go", [message], { status: streaming })] });
	await chat.push({ type: "tool-card", turnId: "turn", card });
	await expect(chat.page.locator(".tool-arguments")).toBeVisible();
}

const unseen = "The buttons are off until you have seen all of this request. Scroll through it.";
const allowOf = (page: Page): Locator => page.getByRole("button", { name: "Allow", exact: true });

/** Turns the wheel over the request until the condition holds, by less than the list shows. */
async function scroll(page: Page, by: number, isOver: () => Promise<boolean>): Promise<void> {
	await page.locator(".scroller").hover({ position: { x: 100, y: 60 } });
	await expect(async () => {
		await page.mouse.wheel(0, by);
		await page.evaluate(() => new Promise(requestAnimationFrame));
		expect(await isOver()).toBe(true);
	}).toPass({ intervals: [20] });
}

const scrollToStart = (page: Page): Promise<void> =>
	scroll(
		page,
		-150,
		async () => ((await page.locator(".tool-asking .tool-title").boundingBox())?.y ?? 0) > 80,
	);
const scrollToEnd = (page: Page): Promise<void> =>
	scroll(page, 150, () =>
		page
			.locator(".scroller")
			.evaluate(each => each.scrollTop + each.clientHeight > each.scrollHeight - 5),
	);

for (const [name, size] of [
	["at its usual width", { width: 420, height: 600 }],
	["at 200 % zoom of a small view", { width: 210, height: 300 }],
] as const) {
	test(`T43: Allow is off until a request that came at the list's end was in sight from its start to its end, ${name}`, async ({
		chat,
	}) => {
		const { page } = chat;
		await openLong(chat, size);
		await expect(allowOf(page)).toHaveAttribute("title", unseen);
		await scrollToStart(page);
		await expect(allowOf(page)).toBeEnabled();
		await scrollToEnd(page);
		await expect(allowOf(page)).toBeEnabled();
		await allowOf(page).click();
		await expect.poll(() => chat.requests("answerTool")).toHaveLength(1);
	});
}

test("T43: Allow is off while the middle of long arguments was skipped, or other arguments are there than were seen", async ({
	chat,
}) => {
	const { page } = chat;
	await openLong(chat, { width: 420, height: 600 });
	await page.locator(".tool-asking").evaluate(each => each.scrollIntoView({ block: "start" }));
	// The next look gives it again.
	await allowOf(page).evaluate(each => each.removeAttribute("title"));
	await expect(allowOf(page)).toHaveAttribute("title", unseen);
	await scrollToEnd(page);
	await expect(allowOf(page)).toBeEnabled();
	await page.locator(".tool-arguments").evaluate(each => {
		each.textContent = each.textContent.replace("a119", "b119");
	});
	await expect(allowOf(page)).toBeDisabled();
	await scrollToStart(page);
	await expect(allowOf(page)).toBeEnabled();
});

test("T43: the keyboard alone scrolls through a long request and allows it", async ({ chat }) => {
	const { page } = chat;
	await openLong(chat, { width: 420, height: 600 });
	await page.locator(".tool-approval").focus();
	await page.keyboard.press("ControlOrMeta+Enter");
	await expect(async () => {
		await page.keyboard.press("PageUp");
		await expect(allowOf(page)).toBeEnabled({ timeout: 700 });
	}).toPass();
	expect(await chat.requests("answerTool")).toEqual([]);
	await page.keyboard.press("ControlOrMeta+Enter");
	await expect.poll(() => chat.requests("answerTool")).toHaveLength(1);
});

test("T43: the list of tools opens from the message box, where there are any", async ({ chat }) => {
	await chat.open(emptyChat);
	const button = chat.page.getByRole("button", { name: /^Tools of servers/ });
	await expect(button).toHaveCount(0);
	await chat.push({ type: "composer", composer: waiting.composer });
	await button.focus();
	await chat.page.keyboard.press("Enter");
	expect(await chat.requests("chooseTools")).toEqual([{}]);
});
