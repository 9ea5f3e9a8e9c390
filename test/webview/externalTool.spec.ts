import { violations } from "./axe.ts";
import { expect, inEveryTheme, test } from "./fixtures.ts";
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

test("T43: Allow is off until the end of long arguments was in sight, and stays on when the user scrolls back", async ({
	chat,
}) => {
	const { page } = chat;
	await page.setViewportSize({ width: 420, height: 600 });
	const { approval } = externalCard;
	const argumentsText = `{\n${Array.from({ length: 400 }, (_, index) => `  "a${index}": ${index}`).join(",\n")}\n}`;
	const card = {
		...externalCard,
		approval: approval && { ...approval, external: { argumentsText } },
	};
	await chat.open({
		...waiting,
		turns: [turnOf("Go", [messageOf("")], { status: streaming, tools: [card] })],
	});
	const scrollTo = (block: ScrollLogicalPosition): Promise<void> =>
		page.locator(".tool-asking").evaluate((each, at) => each.scrollIntoView({ block: at }), block);
	const allow = page.getByRole("button", { name: "Allow", exact: true });
	await scrollTo("start");
	// The list may have come to its end before, where other arguments were.
	await page
		.locator(".tool-arguments")
		.evaluate((each, text) => (each.textContent = text), argumentsText.replace("a399", "b399"));
	await expect(allow).toBeDisabled();
	await scrollTo("end");
	await expect(allow).toBeEnabled();
	await scrollTo("start");
	await expect(allow).toBeEnabled();
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
