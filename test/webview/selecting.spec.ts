import { type ChatPage, expect, test } from "./fixtures.ts";
import { complete, emptyChat, messageOf, streaming, turnOf } from "./states.ts";

const place = { turnId: "turn", index: 0 };
const begun = `${"A line of the answer.\n\n".repeat(60)}The *last* paragraph begins here`;

/** Opens an answer that arrives, and holds the pointer down after a drag over words of its last paragraph. */
async function drag(chat: ChatPage): Promise<void> {
	const { page } = chat;
	const turn = turnOf("Go", [messageOf(begun, { isFinished: false })], { status: streaming });
	await chat.open({ ...emptyChat, turns: [turn] });
	const box = await page.getByText("paragraph begins here").boundingBox();
	const y = (box?.y ?? 0) + (box?.height ?? 0) / 2;
	await page.mouse.move((box?.x ?? 0) + 2, y);
	await page.mouse.down();
	await page.mouse.move((box?.x ?? 0) + 60, y, { steps: 4 });
	await page.mouse.move((box?.x ?? 0) + 160, y, { steps: 4 });
}

const selected = ({ page }: ChatPage): Promise<string> =>
	page.evaluate(() => document.getSelection()?.toString() ?? "");
const distance = ({ page }: ChatPage): Promise<number> =>
	page.locator(".scroller").evaluate(({ scrollTop }) => scrollTop);
const grow = async (chat: ChatPage): Promise<void> => {
	for (let count = 0; count < 12; count++) {
		await chat.push({ type: "text", ...place, text: ` and grows\n\nAnother paragraph ${count}` });
	}
};

test("the list stays where it is while something is being selected, and the selection lives", async ({
	chat,
}) => {
	await drag(chat);
	const [words, top] = [await selected(chat), await distance(chat)];
	expect(words).not.toBe("");
	await grow(chat);
	expect([await selected(chat), await distance(chat)]).toEqual([words, top]);
	await chat.page.mouse.up();
	await grow(chat);
	await chat.push(
		{ type: "message-finished", ...place, toolNames: [] },
		{ type: "status", turnId: "turn", status: complete },
	);
	expect([await selected(chat), await distance(chat)]).toEqual([words, top]);
	// Whoever has read it goes on.
	await chat.page.getByRole("button", { name: "Jump to latest" }).click();
	await expect.poll(() => distance(chat)).toBeGreaterThan(top);
});

test("a click that selects nothing lets the list follow the answer on", async ({ chat }) => {
	await drag(chat);
	await chat.page.mouse.up();
	await chat.page.getByText("paragraph begins here").click();
	await chat.page
		.getByRole("button", { name: "Jump to latest" })
		.click({ timeout: 1000 })
		.catch(() => undefined);
	await chat.page.mouse.down();
	const top = await distance(chat);
	await grow(chat);
	await chat.page.mouse.up();
	await expect.poll(() => distance(chat)).toBeGreaterThan(top);
});

test("what is selected in code stays selected when its block ends and is colored", async ({
	chat,
}) => {
	const { page } = chat;
	const begun = "Code:\n\n```ts\nconst one = 1;\nconst two = 2;\n";
	const turn = turnOf("Go", [messageOf(begun, { isFinished: false })], { status: streaming });
	await chat.open({ ...emptyChat, turns: [turn] });
	await page.locator("pre code").evaluate(code => {
		const chunk = code.querySelector(".code-chunk");
		const texts = document.createTreeWalker(chunk ?? code, NodeFilter.SHOW_TEXT);
		const ends: [Node, number][] = [];
		// Code is colored as it arrives, so its text is in several nodes.
		for (let from = 0, node = texts.nextNode(); node; node = texts.nextNode()) {
			const length = node.textContent?.length ?? 0;
			for (const at of [6, 21]) {
				if (at >= from && at < from + length) {
					ends.push([node, at - from]);
				}
			}
			from += length;
		}
		const [start, end] = ends;
		if (start && end) {
			document.getSelection()?.setBaseAndExtent(...start, ...end);
		}
	});
	expect(await selected(chat)).toBe("one = 1;\nconst ");
	await chat.push(
		{ type: "text", ...place, text: "```\n\nAnd **more**" },
		{ type: "message-finished", ...place, toolNames: [] },
		{ type: "status", turnId: "turn", status: complete },
	);
	await expect(page.locator(".hljs-keyword").first()).toBeVisible();
	expect(await selected(chat)).toBe("one = 1;\nconst ");
});
