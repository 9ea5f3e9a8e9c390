import { expect, test } from "./fixtures.ts";
import { complete, emptyChat, messageOf, streaming, turnOf } from "./states.ts";

const longText = Array.from({ length: 90 }, (_, index) => `Paragraph ${index} of it.`).join("\n\n");
const state = {
	...emptyChat,
	turns: [
		turnOf("Short", [messageOf("Only this.")], { id: "short" }),
		turnOf("Long", [messageOf(longText)], { id: "long" }),
	],
};

test("a long answer collapses by its button alone, which stays under the pointer", async ({
	chat,
}) => {
	const { page } = chat;
	await chat.open(state);
	const collapse = page.getByRole("button", { name: "Collapse", exact: true });
	await expect(collapse).toHaveCount(1);
	await expect(collapse).toBeInViewport();
	await expect(collapse).toHaveAttribute("aria-expanded", "true");
	await collapse.click();
	const more = page.getByRole("button", { name: "Show more", exact: true });
	await expect(more).toBeFocused();
	await expect(more).toBeInViewport();
	await expect(more).toHaveAttribute("aria-expanded", "false");
	await expect(page.getByText("Paragraph 0 of it.")).toBeInViewport();
	const height = await page
		.locator(".long-answer.collapsed")
		.evaluate(answer => answer.clientHeight);
	expect(height).toBeLessThan(300);
	const top = (): Promise<number | undefined> =>
		page.getByText("Paragraph 0 of it.").evaluate(text => text.getBoundingClientRect().top);
	const before = await top();
	await more.click();
	await expect(collapse).toBeAttached();
	expect(await top()).toBe(before);
});

test("what is collapsed is so after a reload, and not in another chat's turn", async ({ chat }) => {
	const { page } = chat;
	await chat.open(state);
	await page.getByRole("button", { name: "Collapse", exact: true }).click();
	await chat.open(state);
	await expect(page.getByRole("button", { name: "Show more", exact: true })).toBeVisible();
	await chat.open({
		...state,
		turns: state.turns.map(turn => ({ ...turn, id: `other-${turn.id}` })),
	});
	await expect(page.getByRole("button", { name: "Collapse", exact: true })).toBeAttached();
});

test("an answer that streams has no such button, and stays as it is when it ends", async ({
	chat,
}) => {
	const { page } = chat;
	const running = turnOf("Long", [messageOf(longText, { isFinished: false })], {
		id: "long",
		status: streaming,
	});
	await chat.open({ ...emptyChat, turns: [running] });
	const collapse = page.getByRole("button", { name: "Collapse", exact: true });
	await expect(page.getByText("Paragraph 89 of it.")).toBeInViewport();
	await expect(collapse).toHaveCount(0);
	await chat.push(
		{ type: "message-finished", turnId: "long", index: 0, toolNames: [] },
		{ type: "status", turnId: "long", status: complete },
	);
	await expect(collapse).toBeVisible();
	await expect(page.getByText("Paragraph 89 of it.")).toBeInViewport();
});

test("what is looked for, or gone to by keyboard, opens the answer it is in", async ({ chat }) => {
	const { page } = chat;
	const withLink = `${longText}\n\n[A link](https://example.com/) at the end, and a needle.`;
	await chat.open({ ...emptyChat, turns: [turnOf("Long", [messageOf(withLink)], { id: "long" })] });
	const collapse = page.getByRole("button", { name: "Collapse", exact: true });
	await collapse.click();
	await page.keyboard.press("ControlOrMeta+f");
	await expect(page.getByRole("textbox", { name: "Find in chat", exact: true })).toBeFocused();
	await page.keyboard.type("Paragraph 0 of");
	await expect(page.locator(".find-count")).toHaveText("1 of 1");
	await expect(collapse).toHaveCount(0);
	await page.getByRole("textbox", { name: "Find in chat", exact: true }).fill("needle");
	await expect(collapse).toBeAttached();
	await expect(page.getByText("and a needle.")).toBeInViewport();
	await page.keyboard.press("Escape");
	await collapse.click();
	await page.getByRole("link", { name: "A link" }).focus();
	await expect(collapse).toBeAttached();
});
