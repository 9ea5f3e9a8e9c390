import type { Frame, Locator } from "@playwright/test";
import { expect, test } from "./fixtures.ts";
import { importTurns } from "./importedChat.ts";
import { untilKept } from "./keptState.ts";
import { untilDone } from "./patience.ts";
import { takePictures, takeThemePictures } from "./pictures.ts";
import { quickInput } from "./workbench.ts";

const turns = Array.from({ length: 1000 }, (_, index) => ({
	prompt: `Question ${index}`,
	answer: [
		`## Answer ${index}`,
		"Some words of **it**, and `more`. ".repeat(14),
		`\`\`\`ts\n${`const value${index} = await compute(${index}); // words\n`.repeat(12)}\`\`\``,
		"And so on. ".repeat(40),
	].join("\n\n"),
}));

/** When the frame ends that shows a turn, in milliseconds since 1970. */
function firstFrameAt(chat: Frame): Promise<number> {
	return chat.evaluate(async () => {
		await new Promise<void>(resolve => {
			const observer = new MutationObserver(() => {
				if (document.querySelector(".turn")) {
					observer.disconnect();
					resolve();
				}
			});
			observer.observe(document.body, { childList: true, subtree: true });
		});
		await new Promise(requestAnimationFrame);
		return Date.now();
	});
}

const lastAnswer = (chat: Frame): Locator =>
	chat.getByRole("article", { name: "Assistant", exact: true }).last();

test("a chat of 2,000 messages with code opens at its end, is read from its beginning, and keeps the place over a reload", async ({
	workbench,
	editorServer,
	testFolder,
}) => {
	const chat = await importTurns(workbench, "A long one", turns);
	const you = chat.getByRole("article", { name: "You", exact: true });
	await workbench.titleButton("New chat").click();
	await expect(you).toHaveCount(0);
	const row = workbench.page
		.locator(".quick-input-list .monaco-list-row:visible")
		.filter({ hasText: "A long one" });
	const input = quickInput(workbench.page);
	const shownAt = firstFrameAt(chat);
	let pressedAt = 0;
	// The list closes again when the new chat receives the focus after it opened.
	await untilDone(async timeout => {
		if ((await you.count()) === 0) {
			if ((await row.count()) === 0) {
				await workbench.titleButton("History").click({ timeout });
			}
			await expect(row).toHaveCount(1, { timeout });
			pressedAt = Date.now();
			await input.press("Enter", { timeout });
		}
		await expect(you.last()).toBeVisible({ timeout });
	}, 10_000);
	console.log(`2,000 messages: first frame after ${(await shownAt) - pressedAt} ms, disk included`);

	await expect(lastAnswer(chat)).toBeInViewport();
	await expect(lastAnswer(chat)).toContainText("value999");
	await expect(you.last()).toHaveAttribute("aria-setsize", "2000");
	expect(await chat.getByRole("article").count()).toBeLessThan(60);
	await takePictures(workbench, editorServer, "long-chat");

	// A chat that was opened gives its box the focus, which may come between the scroller's and the key.
	await untilDone(async timeout => {
		await chat.locator(".scroller").press("Home", { timeout });
		await expect(chat.getByText("Question 0", { exact: true })).toBeInViewport({ timeout });
	});
	await expect(chat.getByRole("button", { name: "Jump to latest", exact: true })).toBeVisible();
	await takeThemePictures(workbench, editorServer, "long-chat-beginning", {}, 600);
	await untilKept(testFolder, '"scroll":{');
	await workbench.runCommand("Cutaway: Reload Chat View");
	await expect.poll(async () => (await workbench.chatFrame()) !== chat).toBe(true);
	const again = await workbench.chatFrame();
	await expect(again.getByText("Question 0", { exact: true })).toBeInViewport();
	await again.getByRole("button", { name: "Jump to latest", exact: true }).click();
	await expect(lastAnswer(again)).toBeInViewport();
});

/** Where something is to be found: in words, in code, in bold print and in a question. */
const hidden: Readonly<Record<number, string>> = {
	5: "The cormorant dives for half a minute.",
	90: `\`\`\`ts\n${"const hay = 1;\n".repeat(30)}const cormorant = 2;\n\`\`\``,
	150: "A **cormo**rant dries its wings.",
};

const birdTurns = Array.from({ length: 200 }, (_, index) => ({
	prompt: index === 180 ? "And the cormorant?" : `Question ${index}`,
	answer: hidden[index] ?? "Some words that are not looked for. ".repeat(1 + (index % 12)),
}));

const field = (chat: Frame): Locator =>
	chat.getByRole("textbox", { name: "Find in chat", exact: true });

/** The turn whose match is marked as the current one and in sight; empty for none. */
function foundIn(chat: Frame): Promise<string> {
	return chat.evaluate(() => {
		const [mark] = [...(CSS.highlights.get("cutaway-find-current") ?? [])];
		const view = document.querySelector(".scroller")?.getBoundingClientRect();
		if (!mark || !view) {
			return "";
		}
		const range = document.createRange();
		range.setStart(mark.startContainer, mark.startOffset);
		range.setEnd(mark.endContainer, mark.endOffset);
		const { top, bottom } = range.getBoundingClientRect();
		const turn = mark.startContainer.parentElement?.closest<HTMLElement>(".turn");
		return top >= view.top && bottom <= view.bottom ? (turn?.dataset["turn"] ?? "") : "";
	});
}

test("Ctrl+F finds an old message in a chat of 200 questions, goes from match to match, and Escape leads back", async ({
	workbench,
	editorServer,
}) => {
	const chat = await importTurns(workbench, "Birds", birdTurns);
	const message = chat.getByRole("textbox", { name: "Message", exact: true });
	const count = chat.locator(".find-count");
	// A chat that was imported gives its box the focus a moment after it shows, in the middle of the word perhaps.
	await untilDone(async timeout => {
		await message.fill("Not sent yet", { timeout });
		await message.press("ControlOrMeta+f", { timeout });
		await expect(field(chat)).toBeFocused({ timeout });
		await workbench.page.keyboard.type("cormorant");
		await expect(count).toHaveText(/^\d of 4$/, { timeout });
		await expect(field(chat)).toBeFocused({ timeout });
	});
	expect(await chat.getByRole("article").count()).toBeLessThan(100);

	const seen: string[] = [];
	for (let step = 0; step < 4; step++) {
		const before = seen.at(-1) ?? "";
		let found = before;
		await expect
			.poll(async () => {
				found = (await foundIn(chat)) || before;
				return found;
			})
			.not.toBe(before);
		seen.push(found);
		await workbench.page.keyboard.press(step % 2 === 0 ? "Enter" : "F3");
	}
	expect(new Set(seen).size).toBe(4);
	await expect.poll(() => foundIn(chat)).toBe(seen[0]);
	await workbench.page.keyboard.press("Shift+Enter");
	await expect.poll(() => foundIn(chat)).toBe(seen[3]);
	await takePictures(workbench, editorServer, "find");
	await field(chat).fill("no such bird");
	await expect(count).toHaveText("No results");
	await takePictures(workbench, editorServer, "find-nothing");

	await field(chat).press("Escape");
	await expect(field(chat)).toHaveCount(0);
	await expect(message).toBeFocused();
	await expect(message).toHaveValue("Not sent yet");
	await expect(workbench.page.locator(".find-widget.visible")).toHaveCount(0);
});
