import type { Page } from "@playwright/test";
import { type ChatPage, expect, test } from "./fixtures.ts";
import { emptyChat, messageOf, turnOf } from "./states.ts";

const count = 300;

/** Opens a chat of which most is not on the page. */
async function open(chat: ChatPage): Promise<void> {
	await chat.open({
		...emptyChat,
		turns: Array.from({ length: count }, (_, index) =>
			turnOf(
				`Question ${index}`,
				[messageOf(`Answer **${index}**.\n\n${"And more words. ".repeat(40)}\n\nEnd ${index}.`)],
				{ id: `turn-${index}` },
			),
		),
	});
	await expect(chat.page.getByText(`Question ${count - 1}`, { exact: true })).toBeVisible();
}

/** What a copy puts into the clipboard, as plain text; nothing where the page leaves it to the browser. */
function copied(page: Page): Promise<string | undefined> {
	return page.evaluate(() => {
		const event = new ClipboardEvent("copy", {
			clipboardData: new DataTransfer(),
			bubbles: true,
			cancelable: true,
		});
		(document.activeElement ?? document.body).dispatchEvent(event);
		return event.defaultPrevented ? event.clipboardData?.getData("text/plain") : undefined;
	});
}

test("All that is selected is copied, the messages that are not on the page as well, in their order", async ({
	chat,
}) => {
	await open(chat);
	const { page } = chat;
	await page.getByText(`End ${count - 1}.`, { exact: true }).click();
	await page.keyboard.press("ControlOrMeta+a");
	const text = (await copied(page)) ?? "";
	const numbers = [...text.matchAll(/^Question (\d+)$/gm)].map(([, number]) => Number(number));
	expect(numbers).toEqual(Array.from({ length: count }, (_, index) => index));
	expect(text.match(/^## You$/gm)).toHaveLength(count);
	expect(text).toContain("## Assistant\n\nAnswer **7**.\n\nAnd more words.");
	expect(text).toContain(`End ${count - 1}.`);
	// Nothing of the page around the conversation.
	expect(text.startsWith("## You\n\nQuestion 0\n")).toBe(true);
	expect(text).not.toContain("Demo");
});

test("A selection that begins amid a message and ends far away holds that part and all between", async ({
	chat,
}) => {
	await open(chat);
	const { page } = chat;
	const scroller = page.locator(".scroller");
	await scroller.evaluate(element => {
		element.dispatchEvent(new WheelEvent("wheel", { deltaY: -1 }));
		element.scrollTop = 0;
	});
	const first = page.getByText("Question 0", { exact: true });
	await expect(first).toBeInViewport();
	await page.evaluate(
		last => {
			const wordsOf = (turnId: string): Text => {
				const prompt = document.querySelector(`[data-turn="${turnId}"] .prompt`);
				const words = [...(prompt?.childNodes ?? [])].find(node => node instanceof Text);
				return words ?? new Text();
			};
			document.getSelection()?.collapse(wordsOf("turn-0"), "Quest".length);
			document.getSelection()?.extend(wordsOf(last), "Question".length);
		},
		`turn-${count - 1}`,
	);
	const text = (await copied(page)) ?? "";
	expect(text.startsWith("ion 0\n")).toBe(true);
	expect(text).toContain("Answer 0.");
	expect(text).toContain(`## You\n\nQuestion ${count - 2}\n`);
	expect(text.endsWith("\n\nQuestion")).toBe(true);
});

test("What is within the messages on the page is left to the browser, as is a text box", async ({
	chat,
}) => {
	await open(chat);
	const { page } = chat;
	await page.getByText(`Question ${count - 1}`, { exact: true }).selectText();
	expect(await copied(page)).toBeUndefined();
	const message = page.getByRole("textbox", { name: "Message" });
	await message.fill("a draft");
	await message.press("ControlOrMeta+a");
	expect(await copied(page)).toBeUndefined();
});
