import type { ToolCardView } from "../../src/shared/tools.ts";
import { violations } from "./axe.ts";
import { expect, inEveryTheme, test } from "./fixtures.ts";
import { emptyChat, messageOf, streaming, turnOf } from "./states.ts";

const question = {
	requestId: "request-1",
	text: "Which database should the tests use?\n[Continue](command:x) $(shield)",
	options: ["SQLite in memory, one for each test file", "Postgres in a container"],
};
const card: ToolCardView = {
	id: "c1",
	after: 1,
	title: "Ask a question",
	line: "Ask “Which database?”",
	name: "ask_user",
	argumentsText: "{}",
	state: "asking",
	question,
};
const asked = turnOf("Set up the tests", [messageOf("One thing first.")], {
	tools: [card],
	status: streaming,
});
const asking = { ...emptyChat, turns: [asked] };
test("T29: a question of the model is quoted on its card, and its text is text", async ({
	chat,
}) => {
	await chat.open(asking);
	const group = chat.page.getByRole("group", { name: "Tool: Ask a question" });
	await expect(group).toContainText("Your answer is needed");
	await expect(group.locator("blockquote")).toHaveText(question.text);
	await expect(group.locator("blockquote *, a")).toHaveCount(0);
	await expect(group).toContainText("Keep keys and passwords out of it.");
	// The line repeats the question only once it is answered.
	await expect(group.locator(".tool-title")).toHaveText("Ask a question");
	const answered: ToolCardView = { ...card, state: "done" };
	delete answered.question;
	await chat.push({ type: "tool-card", turnId: "turn", card: answered });
	await expect(group.locator(".tool-title")).toHaveText("Ask “Which database?”");
});

test("an option, other words or none are the answer, by the keyboard alone @core", async ({
	chat,
}) => {
	await chat.open(asking);
	const option = chat.page.getByRole("button", { name: question.options[1] ?? "", exact: true });
	await expect(option).toBeEnabled();
	await option.focus();
	await chat.page.keyboard.press("Enter");
	await chat.page.keyboard.press("Tab");
	const field = chat.page.getByRole("textbox", { name: "Your answer" });
	await expect(field).toBeFocused();
	await chat.page.keyboard.press("Enter");
	await chat.page.keyboard.type("MariaDB");
	await chat.page.keyboard.press("Enter");
	await chat.page.keyboard.press("Tab");
	await expect(chat.page.getByRole("button", { name: "Don't Answer" })).toBeFocused();
	await chat.page.keyboard.press("Enter");
	expect(await chat.requests("answerQuestion")).toEqual([
		{ requestId: "request-1", option: 1 },
		{ requestId: "request-1", text: "MariaDB" },
		{ requestId: "request-1" },
	]);
});

test("what was typed goes with an option that is chosen, and lines stay lines", async ({
	chat,
}) => {
	await chat.open(asking);
	const field = chat.page.getByRole("textbox", { name: "Your answer" });
	const option = chat.page.getByRole("button", { name: question.options[0] ?? "", exact: true });
	await expect(option).toBeEnabled();
	await field.focus();
	await chat.page.keyboard.type("only");
	await chat.page.keyboard.press("Shift+Enter");
	await chat.page.keyboard.insertText("for CI");
	await option.click();
	expect(await chat.requests("answerQuestion")).toEqual([
		{ requestId: "request-1", option: 0, text: "only\nfor CI" },
	]);
});

test("an Enter that ends a composition answers nothing", async ({ chat }) => {
	await chat.open(asking);
	await expect(chat.page.getByRole("button", { name: "Answer", exact: true })).toBeEnabled();
	await chat.page.getByRole("textbox", { name: "Your answer" }).fill("数据库");
	await chat.page.evaluate(() => {
		const field = document.querySelector(".model-question textarea");
		const init = { key: "Enter", bubbles: true, cancelable: true };
		field?.dispatchEvent(new KeyboardEvent("keydown", { ...init, isComposing: true }));
		field?.dispatchEvent(new KeyboardEvent("keydown", { ...init, keyCode: 229 }));
	});
	expect(await chat.requests("answerQuestion")).toEqual([]);
});

test("T14: no click that was meant for something else chooses an option", async ({ chat }) => {
	await chat.open({ ...asking, turns: [] });
	const seen = await chat.page.evaluate(async next => {
		window.harness.push([{ type: "turn-added", turn: next }]);
		const find = () => document.querySelector<HTMLButtonElement>(".model-options button");
		while (!find()) {
			await new Promise(resolve => requestAnimationFrame(resolve));
		}
		find()?.click();
		return find()?.disabled;
	}, asked);
	expect(seen).toBe(true);
	expect(await chat.requests("answerQuestion")).toEqual([]);
});

test("what is typed into the message box while a question comes stays there", async ({ chat }) => {
	await chat.open({ ...asking, turns: [turnOf("Set up", [], { status: streaming })] });
	const box = chat.page.locator(".composer-text");
	await box.fill("and use");
	await chat.push({ type: "tool-card", turnId: asked.id, card });
	await chat.page.keyboard.type(" pnpm");
	await expect(box).toHaveValue("and use pnpm");
});

test("a question is announced, and is there again after a reload of the page @core", async ({
	chat,
}) => {
	await chat.open({ ...asking, turns: [turnOf("Set up", [], { status: streaming })] });
	await chat.push({ type: "tool-card", turnId: asked.id, card });
	await expect(chat.page.getByText(/^The model asks: Which database/)).toBeAttached();
	await chat.open(asking);
	await expect(chat.page.getByRole("textbox", { name: "Your answer" })).toBeVisible();
});

test("a question fits in narrow and wide views and has no violations in any theme", async ({
	chat,
}) => {
	await chat.open(asking);
	await expect(chat.page.getByRole("button", { name: "Answer", exact: true })).toBeEnabled();
	await inEveryTheme(chat.page, async () => {
		for (const width of [150, 300, 600]) {
			await chat.page.setViewportSize({ width, height: 700 });
			const overflow = await chat.page
				.locator(".model-question")
				.evaluate(form =>
					[form, ...form.querySelectorAll("*")].some(
						each =>
							each.scrollWidth > each.clientWidth + 1 &&
							!each.matches("textarea, .screen-reader-only"),
					),
				);
			expect(overflow).toBe(false);
		}
		expect(await violations(chat.page)).toEqual([]);
	});
});
