import type { Locator, Page } from "@playwright/test";
import type { ChatViewState } from "../../src/shared/chat.ts";
import { expect, test } from "./fixtures.ts";
import {
	attachmentOf,
	emptyChat,
	messageOf,
	noAttachments,
	richAnswer,
	streaming,
	toolRun,
	turnOf,
} from "./states.ts";

const arabicAnswer = `هذه دالة تجمع العناصر حسب المفتاح، وتعيد \`Map\` جديدة.

\`groupBy\` اسم الدالة.

1. تمر على العناصر **مرة واحدة**.
2. ثم تعيد المجموعات.

- English inside the list, too.

> النص المقتبس يبدأ من اليمين.

\`\`\`ts
const answer = 42; // الجواب
\`\`\`

| الشهر | المبيعات |
|---|---:|
| نوفمبر | 1204 |

A paragraph in English, with full stop.
`;

/** A conversation in Arabic and Hebrew, in a page whose own words are English. */
const rightToLeft: ChatViewState = {
	...emptyChat,
	title: "تجميع مصفوفة",
	turns: [
		turnOf("اكتب دالة groupBy من فضلك.\nIn TypeScript, please.", [messageOf(arabicAnswer)], {
			id: "arabic",
		}),
		turnOf("מה השעה?", [messageOf("השעה **שתים עשרה**.")], { id: "hebrew" }),
	],
	attachments: {
		...noAttachments,
		items: [attachmentOf("تقرير المبيعات.csv"), attachmentOf("orders.csv")],
	},
};

/** The side of its box on which the first line of an element's words begins. */
function startOf(element: Locator): Promise<"left" | "right"> {
	return element.evaluate(node => {
		const range = document.createRange();
		range.selectNodeContents(node);
		const [line] = range.getClientRects();
		const box = node.getBoundingClientRect();
		return line && line.left - box.left > box.right - line.right ? "right" : "left";
	});
}

/** Which of two elements the eye meets first from the left. */
async function isLeftOf(one: Locator, other: Locator): Promise<boolean> {
	const [first, second] = [await one.boundingBox(), await other.boundingBox()];
	return (first?.x ?? 0) < (second?.x ?? 0);
}

async function turnPage(page: Page): Promise<void> {
	await page.evaluate(() => {
		document.documentElement.dir = "rtl";
	});
}

async function overflowing(page: Page): Promise<string[]> {
	return page.evaluate(() =>
		[...document.querySelectorAll("html, main, .scroller, .page-footer, .header, .composer")]
			.filter(element => element.scrollWidth > element.clientWidth + 1)
			.map(element => element.className),
	);
}

test.describe("Text from right to left in a page from left to right", () => {
	test.beforeEach(async ({ chat }) => {
		await chat.page.setViewportSize({ width: 420, height: 1100 });
		await chat.open(rightToLeft);
	});

	test("begins on the right, paragraph by paragraph", async ({ chat }) => {
		const answer = chat.page.locator("[data-turn=arabic] .markdown");
		const paragraph = (text: string): Locator => answer.locator("p", { hasText: text });
		expect(await startOf(paragraph("هذه دالة"))).toBe("right");
		expect(await startOf(paragraph("A paragraph in English"))).toBe("left");
		expect(await startOf(chat.page.locator("[data-turn=hebrew] .markdown p"))).toBe("right");
		expect(await startOf(chat.page.locator(".chat-title"))).toBe("left");
	});

	test("is not turned round by code at its beginning, and code stays as it is", async ({
		chat,
	}) => {
		const answer = chat.page.locator("[data-turn=arabic] .markdown");
		expect(await startOf(answer.locator("p", { hasText: "اسم الدالة" }))).toBe("right");
		await expect(answer.locator("pre")).toHaveCSS("direction", "ltr");
		await expect(answer.locator("pre")).toHaveCSS("text-align", "left");
	});

	test("has the marks of its lists, the line of its quotation and its first column on the right", async ({
		chat,
	}) => {
		const answer = chat.page.locator("[data-turn=arabic] .markdown");
		await expect(answer.locator("ol")).toHaveCSS("direction", "rtl");
		await expect(answer.locator("ol")).toHaveCSS("padding-right", "24px");
		await expect(answer.locator("ul")).toHaveCSS("direction", "ltr");
		await expect(answer.locator("blockquote")).toHaveCSS("border-right-width", "3px");
		const [month, sales] = [answer.locator("th").first(), answer.locator("th").last()];
		expect(await isLeftOf(sales, month)).toBe(true);
	});

	test("keeps its direction while it is streamed", async ({ chat }) => {
		await chat.push(
			{ type: "turn-added", turn: turnOf("?", [], { id: "live", status: streaming }) },
			{
				type: "message-started",
				turnId: "live",
				message: messageOf("", { isFinished: false }),
			},
			{ type: "text", turnId: "live", index: 0, text: "- בוקר" },
		);
		const answer = chat.page.locator("[data-turn=live] .markdown");
		await expect(answer.locator("ul")).toHaveCSS("direction", "rtl");
		await chat.push({ type: "text", turnId: "live", index: 0, text: " טוב\n\nזה הכול." });
		expect(await startOf(answer.locator("p", { hasText: "זה הכול" }))).toBe("right");
	});

	test("is written from the right, line by line", async ({ chat }) => {
		const message = chat.page.getByRole("textbox", { name: "Message" });
		await message.fill("سؤال\nEnglish");
		await expect(message).toHaveCSS("unicode-bidi", "plaintext");
		await expect(message).toHaveCSS("text-align", "start");
	});
});

test.describe("A page from right to left", () => {
	for (const width of [200, 300, 600]) {
		test(`${width} px: nothing sticks out, and what comes first is on the right`, async ({
			chat,
		}) => {
			const { page } = chat;
			await page.setViewportSize({ width, height: 900 });
			await chat.open({
				...rightToLeft,
				turns: [...rightToLeft.turns, toolRun, turnOf("Go", [messageOf(richAnswer)])],
			});
			await turnPage(page);
			expect(await overflowing(page)).toEqual([]);
			const button = (name: string): Locator => page.getByRole("button", { name, exact: true });
			expect(await isLeftOf(button("Send"), button("Attach files"))).toBe(true);
			const send = await button("Send").boundingBox();
			expect(send?.x ?? -1).toBeGreaterThanOrEqual(0);
		});
	}

	test("turns what points along the line, and leaves code alone", async ({ chat }) => {
		await chat.open({ ...emptyChat, turns: [toolRun, turnOf("Go", [messageOf(richAnswer)])] });
		const send = chat.page.locator(".codicon-send");
		await expect(send).toHaveCSS("transform", "none");
		await turnPage(chat.page);
		await expect(send).toHaveCSS("transform", "matrix(-1, 0, 0, 1, 0, 0)");
		const code = chat.page.locator(".code-block pre").filter({ visible: true }).first();
		await expect(code).toHaveCSS("direction", "ltr");
		expect(await startOf(code)).toBe("left");
		const chevron = chat.page.locator("summary > .codicon-chevron-right").first();
		await chat.page.locator("summary").first().click();
		await expect(chevron).toHaveCSS("transform", "matrix(0, 1, -1, 0, 0, 0)");
	});
});
