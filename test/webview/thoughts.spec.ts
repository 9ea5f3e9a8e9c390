import type { ThoughtView } from "../../src/shared/chat.ts";
import { violations } from "./axe.ts";
import { expect, test } from "./fixtures.ts";
import { emptyChat, messageOf, streaming, turnOf } from "./states.ts";

const running = { ...emptyChat, turns: [turnOf("Why?", [], { status: streaming })] };

function more(text: string, change: Partial<ThoughtView> = {}) {
	const thought = { after: 0, text, label: "Thinking…", isOver: false, ...change };
	return { type: "thought", turnId: "turn", thought } as const;
}
const over = more("", { label: "Thought for 12 s", isOver: true });
const started = {
	type: "message-started",
	turnId: "turn",
	message: messageOf("Therefore.", { isFinished: false }),
} as const;

test("a thought is open while it grows, and folds into its duration when the answer begins @core", async ({
	chat,
}) => {
	await chat.open(running);
	await chat.push(more("Hm,\nbec"));
	const thought = chat.page.getByRole("group").filter({ hasText: "Thinking…" });
	await expect(thought).toHaveAttribute("open");
	await chat.push(more("ause"));
	await expect(thought).toContainText("Hm,because");
	await chat.push(over, started);
	const folded = chat.page.getByRole("article", { name: "Assistant" }).locator("details");
	await expect(folded).not.toHaveAttribute("open");
	await expect(folded).toContainText("Thought for 12 s");
	await folded.getByText("Thought for 12 s").click();
	await expect(folded.getByText("because")).toBeVisible();
});

test("a thought that somebody closed or opened stays as it is", async ({ chat }) => {
	await chat.open(running);
	await chat.push(more("Hm"));
	const thought = chat.page.locator("details.thought");
	await thought.getByText("Thinking…").click();
	await expect(thought).not.toHaveAttribute("open");
	await chat.push(more(" more"));
	await expect(thought).not.toHaveAttribute("open");
	await thought.locator("summary").press("Enter");
	await chat.push(over, started);
	await expect(thought.getByText("Thought for 12 s")).toBeVisible();
	await expect(thought).toHaveAttribute("open");
});

test("more of a thought changes its own element and draws nothing again", async ({ chat }) => {
	await chat.open(running);
	await chat.push(more("Hm"));
	await expect(chat.page.locator("details.thought")).toBeVisible();
	const changed = await chat.page.evaluate(async () => {
		const outside: string[] = [];
		new MutationObserver(records => {
			for (const { target } of records) {
				const element = target instanceof Element ? target : target.parentElement;
				if (!element?.closest(".thought-text")) {
					outside.push(element?.className ?? "?");
				}
			}
		}).observe(document.body, { subtree: true, childList: true, characterData: true });
		for (let at = 0; at < 50; at += 1) {
			const thought = { after: 0, text: "word\n", label: "Thinking…", isOver: false };
			window.harness.push([{ type: "thought", turnId: "turn", thought }]);
			await new Promise(resolve => requestAnimationFrame(resolve));
		}
		return { outside, lines: document.querySelectorAll(".thought-text > div").length };
	});
	expect(changed).toEqual({ outside: [], lines: 51 });
});

test("a kept thought is folded, its tokens are in the hover of the answer's foot, and a search leaves both out", async ({
	chat,
}) => {
	const thoughts = [{ after: 0, text: "Secret hay", label: "Thought for 12 s", isOver: true }];
	const usage = "7 tokens in · 2 tokens out";
	const turn = turnOf("Why?", [messageOf("Hay.")], { thoughts, usage });
	await chat.open({ ...emptyChat, turns: [turn] });
	await expect(chat.page.locator("details.thought")).not.toHaveAttribute("open");
	await expect(chat.page.getByRole("img", { name: `LLM 4 Turbo · ${usage}` })).toBeVisible();
	expect(await violations(chat.page)).toEqual([]);
	await chat.page.getByRole("textbox", { name: "Message", exact: true }).focus();
	await chat.page.keyboard.press("ControlOrMeta+f");
	const find = chat.page.getByRole("textbox", { name: "Find in chat", exact: true });
	await find.fill("hay");
	await expect(chat.page.locator(".find-count")).toContainText("1");
	await find.fill("tokens");
	await expect(chat.page.locator(".find-count")).toContainText(/no/i);
});
