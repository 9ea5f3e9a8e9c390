import type { Locator } from "@playwright/test";
import { type ChatPage, expect, test } from "./fixtures.ts";
import { emptyChat, messageOf, streaming, turnOf } from "./states.ts";

const first = turnOf("What is a cutaway?", [messageOf("A shot you cut to.")], { id: "a" });
const second = turnOf("And a match cut?", [messageOf("Two shots that rhyme.")], { id: "b" });
const two = { ...emptyChat, title: "Cuts", turns: [first, second] };

function question(chat: ChatPage, index: number): Locator {
	return chat.page.getByRole("article", { name: "You" }).nth(index);
}

function editor(chat: ChatPage): Locator {
	return chat.page.getByRole("textbox", { name: "Edit message", exact: true });
}

test.describe("Editing an earlier question", () => {
	test("by keyboard replaces it, and adds no question at the end @core", async ({ chat }) => {
		await chat.open(two);
		await question(chat, 0).getByRole("button", { name: "Edit", exact: true }).focus();
		await chat.page.keyboard.press("Enter");
		await expect(editor(chat)).toBeFocused();
		await expect(editor(chat)).toHaveValue("What is a cutaway?");
		await chat.page.keyboard.type(" In film.");
		await chat.page.keyboard.press("Enter");
		await expect(editor(chat)).toHaveCount(0);
		expect(await chat.requests("editQuestion")).toEqual([
			{ turnId: "a", text: "What is a cutaway? In film.", without: [] },
		]);
		expect(await chat.requests("sendPrompt")).toEqual([]);
		await expect(chat.page.getByRole("textbox", { name: "Message" })).toBeFocused();
	});

	test("leaves the draft alone, and Escape leaves the question alone", async ({ chat }) => {
		await chat.open({ ...two, turns: [first, { ...second, status: streaming }] });
		const message = chat.page.getByRole("textbox", { name: "Message" });
		await message.fill("A draft");
		const edit = question(chat, 0).getByRole("button", { name: "Edit", exact: true });
		await edit.focus();
		await edit.press("Enter");
		await editor(chat).fill("Changed");
		await editor(chat).press("Escape");
		await expect(editor(chat)).toHaveCount(0);
		await expect(edit).toBeFocused();
		await expect(question(chat, 0)).toContainText("What is a cutaway?");
		await expect(message).toHaveValue("A draft");
		expect(await chat.requests("stop")).toEqual([]);
		expect(await chat.requests("editQuestion")).toEqual([]);
	});

	test("keeps the words, with the reason, when the host does not take them @core", async ({
		chat,
	}) => {
		await chat.open(two);
		await chat.fail("editQuestion", "An answer is still running.");
		await question(chat, 1).hover();
		await question(chat, 1).getByRole("button", { name: "Edit", exact: true }).click();
		await editor(chat).fill("Line one");
		await editor(chat).press("Shift+Enter");
		await editor(chat).pressSequentially("line two");
		await chat.page.getByRole("button", { name: "Resend", exact: true }).click();
		await expect(chat.page.getByText("An answer is still running.")).toBeVisible();
		await expect(editor(chat)).toHaveValue("Line one\nline two");
	});

	test("survives a reload of the page in the middle of it", async ({ chat }) => {
		await chat.open(two);
		await question(chat, 0).hover();
		await question(chat, 0).getByRole("button", { name: "Edit", exact: true }).click();
		await editor(chat).fill("Half changed");
		await chat.open(two);
		await expect(editor(chat)).toHaveValue("Half changed");
	});

	test("takes attachments off", async ({ chat }) => {
		const attached = (name: string) =>
			({ name, path: name, size: 10, kind: "data", use: "read", isLost: false }) as const;
		const turn = { ...first, attachments: [attached("a.csv"), attached("b.csv")] };
		await chat.open({ ...two, turns: [turn] });
		await question(chat, 0).hover();
		await question(chat, 0).getByRole("button", { name: "Edit", exact: true }).click();
		await chat.page.getByRole("button", { name: "Remove a.csv", exact: true }).click();
		await expect(question(chat, 0)).not.toContainText("a.csv");
		await editor(chat).press("Enter");
		await expect(editor(chat)).toHaveCount(0);
		expect(await chat.requests("editQuestion")).toEqual([
			{ turnId: "a", text: first.prompt, without: [0] },
		]);
	});
});

test.describe("Versions of a question", () => {
	const older = { ...second, version: { number: 1, count: 2 } };
	const newer = turnOf("And a jump cut?", [messageOf("A skip in time.")], {
		id: "c",
		version: { number: 2, count: 2 },
	});

	test("are stepped through with the focus staying on the button", async ({ chat }) => {
		await chat.open({ ...two, turns: [first, newer] });
		await expect(question(chat, 1).getByRole("group", { name: "Versions" })).toHaveText(/2\/2/);
		const back = question(chat, 1).getByRole("button", { name: "Previous version", exact: true });
		await back.focus();
		await back.press("Enter");
		expect(await chat.requests("showVersion")).toEqual([{ turnId: "c", step: -1 }]);
		await chat.push({ type: "branch-shown", after: "a", turns: [older] });
		await expect(question(chat, 1)).toContainText("And a match cut?");
		await expect(chat.page.getByText("A skip in time.")).toHaveCount(0);
		const atEnd = question(chat, 1).getByRole("button", { name: "Previous version", exact: true });
		await expect(atEnd).toBeFocused();
		await expect(atEnd).toHaveAttribute("aria-disabled", "true");
		await atEnd.press("Enter");
		expect(await chat.requests("showVersion")).toHaveLength(1);
	});

	test("are not offered where there is one", async ({ chat }) => {
		await chat.open(two);
		await expect(chat.page.getByRole("group", { name: "Versions" })).toHaveCount(0);
	});

	test("come in the same place on the screen", async ({ chat }) => {
		const long = messageOf("A long answer. ".repeat(400));
		const many = Array.from({ length: 6 }, (_, index) =>
			turnOf(`Question ${index}`, [long], { id: `t${index}` }),
		);
		await chat.open({ ...two, turns: [...many, newer] });
		await question(chat, 6).scrollIntoViewIfNeeded();
		const before = await question(chat, 6).boundingBox();
		await question(chat, 6).getByRole("button", { name: "Previous version", exact: true }).click();
		await chat.push({
			type: "branch-shown",
			after: "t5",
			turns: [{ ...older, messages: [long, { ...long, index: 1 }] }],
		});
		const after = await question(chat, 6).boundingBox();
		expect(Math.abs((after?.y ?? 0) - (before?.y ?? 99))).toBeLessThan(2);
	});
});

test("An earlier answer can be asked for again @core", async ({ chat }) => {
	await chat.open(two);
	const answer = chat.page.getByRole("article", { name: "Assistant" }).first();
	await answer.hover();
	await answer.getByRole("button", { name: "Retry", exact: true }).click();
	expect(await chat.requests("retryTurn")).toEqual([{ turnId: "a" }]);
});

test("Another model is chosen from a menu, by keyboard", async ({ chat }) => {
	const models = ["llm-4-turbo", "llm-3.5-turbo"];
	await chat.open({ ...two, composer: { ...two.composer, models } });
	const button = chat.page
		.getByRole("article", { name: "Assistant" })
		.last()
		.getByRole("button", { name: "Retry with another model", exact: true });
	await button.focus();
	await button.press("Enter");
	const menu = chat.page.getByRole("menu", { name: "Models", exact: true });
	await expect(menu.getByRole("menuitem").first()).toBeFocused();
	await chat.page.keyboard.press("Escape");
	await expect(menu).toHaveCount(0);
	await expect(button).toBeFocused();
	await button.press("Enter");
	// The last entry leads to more models.
	await chat.page.keyboard.press("ArrowUp");
	await chat.page.keyboard.press("ArrowUp");
	await chat.page.keyboard.press("Enter");
	await expect(menu).toHaveCount(0);
	expect(await chat.requests("retryTurn")).toEqual([{ turnId: "b", model: "llm-3.5-turbo" }]);
	await button.click();
	await chat.page.getByRole("textbox", { name: "Message" }).click();
	await expect(menu).toHaveCount(0);
	await expect(chat.page.getByRole("textbox", { name: "Message" })).toBeFocused();
});

test("Continue is offered below the last answer only", async ({ chat }) => {
	const stopped = {
		state: "stopped",
		sentence: "Stopped. The text so far is kept.",
		actions: ["continue"],
	} as const;
	const status = { ...stopped, actions: [...stopped.actions] };
	await chat.open({
		...two,
		turns: [
			{ ...first, status },
			{ ...second, status },
		],
	});
	const button = chat.page.getByRole("button", { name: "Continue", exact: true });
	await expect(button).toHaveCount(1);
	await button.click();
	expect(await chat.requests("runAction")).toEqual([{ turnId: "b", action: "continue" }]);
});

test.describe("The composer", () => {
	test("brings earlier questions back with the arrow up, and the draft with the arrow down @core", async ({
		chat,
	}) => {
		await chat.open(two);
		const message = chat.page.getByRole("textbox", { name: "Message" });
		await message.fill("My draft");
		await message.press("ArrowUp");
		await expect(message).toHaveValue("My draft");
		await message.press("Home");
		await message.press("ArrowUp");
		await expect(message).toHaveValue("And a match cut?");
		await message.press("ArrowUp");
		await expect(message).toHaveValue("What is a cutaway?");
		await message.press("ArrowDown");
		await message.press("ArrowDown");
		await expect(message).toHaveValue("My draft");
		expect(await chat.requests("sendPrompt")).toEqual([]);
	});

	test("has a draft for every chat", async ({ chat }) => {
		await chat.open(two);
		const message = chat.page.getByRole("textbox", { name: "Message" });
		await message.fill("For the first");
		const other = { ...two, chatId: "other", title: "Other", turns: [first] };
		await chat.push({ type: "reset", state: other });
		await expect(message).toHaveValue("");
		await message.fill("For the other");
		await chat.push({ type: "reset", state: two });
		await expect(message).toHaveValue("For the first");
		await chat.open(other);
		await expect(message).toHaveValue("For the other");
	});
});
