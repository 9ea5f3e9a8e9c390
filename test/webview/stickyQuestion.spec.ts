import type { ChatViewState } from "../../src/shared/chat.ts";
import { violations } from "./axe.ts";
import { type ChatPage, expect, inEveryTheme, test } from "./fixtures.ts";
import { askingCard, emptyChat, messageOf, streaming, turnOf } from "./states.ts";

const long = Array.from({ length: 60 }, (_, index) => `Paragraph ${index + 1}.`).join("\n\n");
const question =
	"Why is the total of\nthe cart wrong when two discounts apply to one line of it at once?";
const asked =
	"Why is the total of the cart wrong when two discounts apply to one line of it at once?";
const chatOf = (change: Parameters<typeof turnOf>[2] = {}): ChatViewState => ({
	...emptyChat,
	turns: [
		{ ...turnOf(question, [messageOf(long)]), id: "first" },
		{ ...turnOf("And the tax?", [messageOf(long)], change), id: "second" },
	],
});

const bar = ({ page }: ChatPage) => page.locator(".sticky-question > button");

/** Scrolls to a paragraph of an answer, as a reader does who then stays there. */
async function readAt({ page }: ChatPage, answer: number, paragraph: number): Promise<void> {
	await page.mouse.move(100, 200);
	await page.mouse.wheel(0, -10);
	await page
		.locator(".answer")
		.nth(answer)
		.getByText(`Paragraph ${paragraph}.`, { exact: true })
		.evaluate(element => element.scrollIntoView({ block: "center" }));
}

test("the question of the answer that is read is at the top in one line, and a click leads to it", async ({
	chat,
}) => {
	const { page } = chat;
	await page.setViewportSize({ width: 300, height: 600 });
	await chat.open(chatOf());
	await expect(bar(chat)).toHaveAttribute("title", "And the tax?");
	await readAt(chat, 0, 30);
	await expect(bar(chat)).toHaveAttribute("title", asked);
	await expect(page.getByRole("button", { name: `Go to your message: ${asked}` })).toBeVisible();
	expect((await bar(chat).boundingBox())?.height).toBe(28);
	await inEveryTheme(page, async () => expect(await violations(page)).toEqual([]));
	await bar(chat).click();
	const article = page.locator(".question").first();
	await expect(article).toBeFocused();
	await expect(article).toBeInViewport({ ratio: 1 });
	await expect(bar(chat)).toBeHidden();
});

test("it is pressed by the keyboard, and what the keys go to is never behind it", async ({
	chat,
}) => {
	const { page } = chat;
	await chat.open(chatOf());
	await readAt(chat, 1, 30);
	await bar(chat).focus();
	await page.keyboard.press("Enter");
	await expect(page.locator(".question").nth(1)).toBeFocused();
	await expect(bar(chat)).toBeHidden();
});

test("a reader stays where they are while the answer grows, and so does one at its end", async ({
	chat,
}) => {
	const { page } = chat;
	await chat.open(
		chatOf({ status: streaming, messages: [messageOf(long, { isFinished: false })] }),
	);
	const text = "\n\nMore of it, and more.".repeat(20);
	const grow = () => chat.push({ type: "text", turnId: "second", index: 0, text });
	const place = () => page.locator(".scroller").evaluate(({ scrollTop }) => scrollTop);
	const left = () =>
		page
			.locator(".scroller")
			.evaluate(({ scrollTop, scrollHeight, clientHeight }) =>
				Math.round(scrollHeight - scrollTop - clientHeight),
			);
	await expect(bar(chat)).toHaveAttribute("title", "And the tax?");
	await grow();
	await expect(page.getByText("More of it, and more.").last()).toBeInViewport();
	expect(await left()).toBe(0);
	await readAt(chat, 0, 30);
	await expect(bar(chat)).toHaveAttribute("title", asked);
	const before = await place();
	await grow();
	await expect(page.getByText("More of it, and more.")).toHaveCount(40);
	expect(await place()).toBe(before);
	await readAt(chat, 1, 30);
	await expect(bar(chat)).toHaveAttribute("title", "And the tax?");
	const later = await place();
	await grow();
	await expect(page.getByText("More of it, and more.")).toHaveCount(60);
	expect(await place()).toBe(later);
});

test("nothing is there at 200 % zoom, in a low view, and while a request waits", async ({
	chat,
}) => {
	const { page } = chat;
	await chat.open(chatOf());
	await expect(bar(chat)).toBeVisible();
	for (const size of [
		{ width: 150, height: 450 },
		{ width: 600, height: 299 },
	]) {
		await page.setViewportSize(size);
		await expect(bar(chat)).toBeHidden();
	}
	await page.setViewportSize({ width: 300, height: 600 });
	await expect(bar(chat)).toBeVisible();
	await chat.push({ type: "tool-card", turnId: "second", card: { ...askingCard, after: 1 } });
	await expect(page.getByRole("button", { name: "Deny" })).toBeVisible();
	await expect(bar(chat)).toBeHidden();
});
