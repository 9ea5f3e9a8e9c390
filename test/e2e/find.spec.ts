import type { Frame, Locator } from "@playwright/test";
import { expect, test } from "./fixtures.ts";
import { importTurns } from "./importedChat.ts";
import { untilDone } from "./patience.ts";
import { takePictures } from "./pictures.ts";

/** Where something is to be found: in words, in code, in bold print and in a question. */
const hidden: Readonly<Record<number, string>> = {
	5: "The cormorant dives for half a minute.",
	90: `\`\`\`ts\n${"const hay = 1;\n".repeat(30)}const cormorant = 2;\n\`\`\``,
	150: "A **cormo**rant dries its wings.",
};

const turns = Array.from({ length: 200 }, (_, index) => ({
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
	const chat = await importTurns(workbench, "Birds", turns);
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
