import type { Frame, Locator } from "@playwright/test";
import { expect, test } from "./fixtures.ts";
import { importTurns } from "./importedChat.ts";
import { takePictures, takeThemePictures } from "./pictures.ts";

const turns = Array.from({ length: 1000 }, (_, index) => ({
	prompt: `Question ${index}`,
	answer: [
		`## Answer ${index}`,
		"Some words of **it**, and `more`. ".repeat(14),
		`\`\`\`ts\n${`const value${index} = await compute(${index}); // words\n`.repeat(12)}\`\`\``,
		"And so on. ".repeat(40),
	].join("\n\n"),
}));

/** Milliseconds until the end of the frame that shows a turn, counted from the call. */
function timeToFirstFrame(chat: Frame): Promise<number> {
	return chat.evaluate(async () => {
		const start = performance.now();
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
		return performance.now() - start;
	});
}

const lastAnswer = (chat: Frame): Locator =>
	chat.getByRole("article", { name: "Assistant", exact: true }).last();

test("a chat of 2,000 messages with code opens at its end, is read from its beginning, and keeps the place over a reload", async ({
	workbench,
	editorServer,
}) => {
	const chat = await importTurns(workbench, "A long one", turns);
	const you = chat.getByRole("article", { name: "You", exact: true });
	await workbench.titleButton("New chat").click();
	await expect(you).toHaveCount(0);
	await workbench.titleButton("History").click();
	const row = workbench.page.locator(".quick-input-list .monaco-list-row:visible");
	await expect(row.filter({ hasText: "A long one" })).toHaveCount(1);
	const time = timeToFirstFrame(chat);
	await workbench.page.keyboard.press("Enter");
	console.log(`2,000 messages: first frame after ${(await time).toFixed(0)} ms, disk included`);

	await expect(lastAnswer(chat)).toBeInViewport();
	await expect(lastAnswer(chat)).toContainText("value999");
	await expect(you.last()).toHaveAttribute("aria-setsize", "2000");
	expect(await chat.getByRole("article").count()).toBeLessThan(60);
	await takePictures(workbench, editorServer, "long-chat");

	await chat.locator(".scroller").press("Home");
	await expect(chat.getByText("Question 0", { exact: true })).toBeInViewport();
	await expect(chat.getByRole("button", { name: "Jump to latest", exact: true })).toBeVisible();
	await takeThemePictures(workbench, editorServer, "long-chat-beginning", {}, 600);
	await workbench.runCommand("Cutaway: Reload Chat View");
	await expect.poll(async () => (await workbench.chatFrame()) !== chat).toBe(true);
	const again = await workbench.chatFrame();
	await expect(again.getByText("Question 0", { exact: true })).toBeInViewport();
	await again.getByRole("button", { name: "Jump to latest", exact: true }).click();
	await expect(lastAnswer(again)).toBeInViewport();
});
