import type { MessageView } from "../../src/shared/chat.ts";
import type { ToolCardView } from "../../src/shared/tools.ts";
import { violations } from "./axe.ts";
import { expect, inEveryTheme, test } from "./fixtures.ts";
import { broughtFonts, useFont } from "./fonts.ts";
import { askingCard as asking, emptyChat, hunkOf, messageOf, streaming, turnOf } from "./states.ts";

const invalid: ToolCardView = {
	id: "invalid",
	after: 1,
	title: "Read a file",
	name: "read_file",
	argumentsText: "",
	state: "invalid",
};
const waiting = {
	...emptyChat,
	turns: [
		turnOf("Go", [messageOf("", { toolNames: ["apply_edit"] })], {
			status: streaming,
			tools: [invalid, asking],
		}),
	],
};

for (const [fontName, font] of Object.entries(broughtFonts)) {
	test(`what a call does and its state fit beside its icon, in a font that is ${fontName}`, async ({
		chat,
	}) => {
		await useFont(chat.page, font);
		await chat.open(waiting);
		for (const width of [600, 300, 210, 150]) {
			await chat.page.setViewportSize({ width, height: 600 });
			const lines = await chat.page.locator(".call-line").evaluateAll(all =>
				all.map(line => {
					const [icon, words] = [".codicon", ".tool-words"].map(part =>
						line.querySelector(part)?.getBoundingClientRect(),
					);
					const { right = 0 } = line.closest(".tool-card")?.getBoundingClientRect() ?? {};
					return icon && words
						? { gap: words.left - icon.right, isInside: words.right <= right }
						: undefined;
				}),
			);
			expect(lines, `${width} px`).toEqual([
				{ gap: 6, isInside: true },
				{ gap: 6, isInside: true },
			]);
		}
	});
}

test("Allow stands out once it can be pressed, and Enter on the focused request answers nothing @core", async ({
	chat,
}) => {
	await chat.open(waiting);
	await expect(chat.page.getByRole("button", { name: "Allow", exact: true })).toBeEnabled();
	await expect(chat.page.locator(".tool-approval .primary")).toHaveText([/Allow/]);
	await expect(chat.page.locator(".tool-approval")).toBeFocused();
	await chat.page.keyboard.press("Enter");
	await chat.page.getByLabel("Why not").press("Enter");
	expect(await chat.requests("answerTool")).toEqual([]);
	await inEveryTheme(chat.page, async () => expect(await violations(chat.page)).toEqual([]));
});

test("Ctrl+Enter in a request allows it once that can be pressed, and the message box has the focus then", async ({
	chat,
}) => {
	const { page } = chat;
	await chat.open({ ...waiting, turns: [turnOf("Go", [], { status: streaming })] });
	const message = page.getByRole("textbox", { name: "Message" });
	await message.focus();
	const approval = asking.approval && { ...asking.approval, requestId: "next" };
	const card = { ...asking, after: 0, ...(approval ? { approval } : {}) };
	const pressed = page.evaluate(async () => {
		const request = (): Element | null => document.querySelector(".tool-approval");
		while (!request()) {
			await new Promise(resolve => requestAnimationFrame(resolve));
		}
		const press = { key: "Enter", ctrlKey: true, bubbles: true };
		request()?.dispatchEvent(new KeyboardEvent("keydown", press));
	});
	await chat.push({ type: "tool-card", turnId: "turn", card });
	await pressed;
	expect(await chat.requests("answerTool")).toEqual([]);
	await expect(page.getByRole("button", { name: "Allow", exact: true })).toBeEnabled();
	await expect(page.locator(".tool-approval")).toBeFocused();
	await page.keyboard.press("Control+Enter");
	expect(await chat.requests("answerTool")).toMatchObject([{ decision: "allow", scope: "once" }]);
	await expect(message).toBeFocused();
});

test("lines of a change are colored like code, and go on below their first character", async ({
	chat,
}) => {
	const added = `\tconst words = "${"long ".repeat(40)}"; // end`;
	const removed = `\tconst one: Map<string, number> = new Map([['a', 0.5]]); // old`;
	const hunks = [hunkOf("src/a.ts", 9, { removed, added })];
	const approval = asking.approval && { ...asking.approval, hunks };
	const card = { ...asking, after: 0, ...(approval ? { approval } : {}) };
	await chat.page.setViewportSize({ width: 300, height: 700 });
	await chat.open({ ...waiting, turns: [turnOf("Go", [], { status: streaming, tools: [card] })] });
	const line = chat.page.locator(".tool-line-added > span");
	await expect(line.locator(".hljs-keyword")).toHaveText("const");
	await inEveryTheme(chat.page, async () => expect(await violations(chat.page)).toEqual([]));
	expect(await line.textContent()).toBe(`${added}\n`);
	const lefts = await line.evaluate(element => {
		const range = document.createRange();
		range.selectNodeContents(element);
		const width = parseFloat(getComputedStyle(element).paddingInlineStart);
		const edge = element.getBoundingClientRect().left;
		const rows = [...range.getClientRects()].filter(rect => rect.width > 0);
		return { width, edge, rest: Math.min(...rows.slice(2).map(({ left }) => left)) };
	});
	expect(lefts.width).toBeGreaterThan(20);
	expect(lefts.rest - lefts.edge).toBeGreaterThan(20);
});

test("A request takes the focus from nobody who writes, and gives it back to who begins to", async ({
	chat,
}) => {
	const { page } = chat;
	const message = page.getByRole("textbox", { name: "Message" });
	const deny = page.getByRole("button", { name: "Deny" });
	await chat.open({ ...waiting, turns: [turnOf("Go", [], { status: streaming })] });
	await message.pressSequentially("And th");
	await chat.push({ type: "tool-card", turnId: "turn", card: { ...asking, after: 0 } });
	await expect(deny).toBeVisible();
	await page.keyboard.type("en?");
	await expect(message).toHaveValue("And then?");
	await message.fill("");
	const approval = asking.approval && { ...asking.approval, requestId: "second" };
	const next = { ...asking, after: 0, ...(approval ? { approval } : {}) };
	await chat.push({ type: "tool-card", turnId: "turn", card: next });
	await expect(page.locator(".tool-approval")).toBeFocused();
	await page.keyboard.type("Wait");
	await expect(message).toHaveValue("Wait");
	expect(await chat.requests("answerTool")).toEqual([]);
});

test("a request names its call, its path once, and ends with what can be answered @core", async ({
	chat,
}) => {
	await chat.open(waiting);
	const card = chat.page.getByRole("group", { name: "Tool: Edit files" });
	await expect(card.locator(".call-line")).toContainText("Edit orders.ts");
	await expect(card.getByText("src/orders.ts")).toHaveCount(1);
	await expect(card.locator(".call-line")).toContainText("+2−1");
	// What a user would have to write comes behind what they can press.
	await expect(card.locator(":scope > :last-child > .tool-buttons + :last-child")).toHaveClass(
		"tool-reason",
	);
	// The only change is taken out by «Deny».
	await expect(card.getByRole("checkbox")).toHaveCount(0);
});

const read: ToolCardView = {
	...invalid,
	line: "Read orders.ts",
	state: "done",
	result: "const a = 1;",
};

test("the lines that a call read are opened by a click that does not open the row", async ({
	chat,
}) => {
	const card = { ...read, lines: { path: "src/orders.ts", first: 35, last: 41 } };
	await chat.open({ ...emptyChat, turns: [turnOf("Go", [messageOf("")], { tools: [card] })] });
	const row = chat.page.getByRole("group", { name: "Tool: Read a file" });
	await row.getByRole("button", { name: "lines 35 to 41" }).click();
	await expect(row.locator(".tool-fold")).not.toHaveAttribute("open");
	expect(await chat.requests("openFile")).toEqual([
		{ label: "src/orders.ts", line: 35, endLine: 41 },
	]);
	expect(await violations(chat.page)).toEqual([]);
});

test("a call is one line, which opens to arguments, result and time", async ({ chat }) => {
	const card = { ...read, argumentsText: '{"path":"src/orders.ts"}', durationMs: 132 };
	await chat.open({ ...emptyChat, turns: [turnOf("Go", [messageOf("")], { tools: [card] })] });
	const region = chat.page.getByRole("group", { name: "Tool: Read a file" });
	expect((await region.boundingBox())?.height).toBeLessThan(28);
	await region.getByText("Read orders.ts").click();
	for (const words of [card.argumentsText, "const a = 1;", "read_file · 0.1 s"]) {
		await expect(region.getByText(words)).toBeVisible();
	}
});

test("calls that went well fold into a line, with what failed, was denied or can be undone beside it", async ({
	chat,
}) => {
	const calls = (after: number): MessageView =>
		messageOf("", { index: after - 1, toolNames: ["read_file"] });
	const cardAt = (after: number, change: Partial<ToolCardView> = {}): ToolCardView => ({
		...read,
		after,
		id: `call-${after}`,
		argumentsText: `{"path":"${after}.ts"}`,
		...change,
	});
	const failed = { line: "Read c.ts", state: "failed", reason: "There is no file c.ts." } as const;
	const edited = { title: "Edit files", name: "apply_edit", change: "applied" } as const;
	await chat.open({
		...emptyChat,
		turns: [
			turnOf("Go", [messageOf("First."), calls(2), calls(3), calls(4), calls(5)], {
				tools: [cardAt(1), cardAt(2), cardAt(3), cardAt(4, failed), cardAt(5, edited)],
			}),
		],
	});
	await expect(chat.page.locator(".turn > .call-group > summary")).toHaveText("Read 3 files");
	await expect(chat.page.getByRole("group", { name: /^Tool:/ })).toHaveCount(2);
	await expect(chat.page.getByText("Failed · There is no file c.ts.")).toBeVisible();
	await expect(chat.page.getByRole("button", { name: "Undo", exact: true })).toBeVisible();
	await chat.page.getByText("Read 3 files").click();
	await expect(chat.page.getByRole("group", { name: "Tool: Read a file" })).toHaveCount(4);
});

test.describe("what an answer changed", () => {
	const edited = (id: string, change: Partial<ToolCardView>): ToolCardView => ({
		...invalid,
		id,
		title: "Edit files",
		line: "Edit pricing.ts",
		name: "apply_edit",
		argumentsText: "{}",
		state: "done",
		change: "applied",
		...change,
	});
	const undo: ToolCardView = {
		...edited("undo", { after: 2, title: "Undo the answer's changes", name: "undo_answer" }),
		line: undefined,
	};
	const messages = [
		messageOf("", { toolNames: ["apply_edit"] }),
		messageOf("Both prices are rounded now.", { index: 1 }),
	];
	const answerOf = (tools: readonly ToolCardView[]) => ({
		...emptyChat,
		turns: [turnOf("Round the prices", messages, { tools: [...tools] })],
	});

	test("is undone at its end, once it has ended, and redone on the card of that @core", async ({
		chat,
	}) => {
		const { page } = chat;
		await chat.open({
			...emptyChat,
			turns: [
				turnOf("Round the prices", messages, {
					tools: [edited("one", {}), edited("two", {})],
					status: streaming,
				}),
			],
		});
		const button = page.getByRole("button", { name: "Undo 2 changes" });
		await expect(page.getByRole("button", { name: "Undo", exact: true })).toHaveCount(2);
		await expect(button).toHaveCount(0);
		await chat.push({ type: "status", turnId: "turn", status: { state: "complete", actions: [] } });
		await button.click();
		expect(await chat.requests("undoAnswer")).toEqual([{ turnId: "turn", isOnwards: false }]);
		await chat.push({ type: "tool-card", turnId: "turn", card: { ...undo, state: "asking" } });
		await expect(button).toHaveCount(0);
		for (const id of ["one", "two"]) {
			const card = edited(id, { change: "undone" });
			await chat.push({ type: "tool-card", turnId: "turn", card });
		}
		await chat.push({ type: "tool-card", turnId: "turn", card: undo });
		await expect(button).toHaveCount(0);
		await page.getByRole("button", { name: "Redo", exact: true }).click();
		expect(await chat.requests("undoTool")).toEqual([{ turnId: "turn", cardId: "undo" }]);
		await chat.push({ type: "tool-card", turnId: "turn", card: { ...undo, change: "undone" } });
		await expect(page.getByText("Redone")).toBeVisible();
	});

	test("is counted on its card while it is in effect, and a single one is undone there alone", async ({
		chat,
	}) => {
		const { page } = chat;
		const counts = { added: 3, removed: 2 };
		await chat.open(answerOf([edited("one", { counts })]));
		const counted = page.locator(".tool-counts");
		await expect(counted).toHaveText("+3−2");
		await expect(page.getByRole("button", { name: /^Undo/ })).toHaveText(["Undo"]);
		const card = edited("one", { counts, change: "undone" });
		await chat.push({ type: "tool-card", turnId: "turn", card });
		await expect(counted).toHaveCount(0);
	});

	test("says where a file was too large to keep, and axe finds nothing", async ({ chat }) => {
		await chat.open(answerOf([edited("one", {}), edited("two", { change: "appliedForGood" })]));
		const button = chat.page.getByRole("button", { name: "Undo 2 changes" });
		await expect(button).toHaveAttribute("title", /over 1 MiB/);
		await inEveryTheme(chat.page, async () => expect(await violations(chat.page)).toEqual([]));
	});

	test("is undone before the question is asked in other words, if that is wanted", async ({
		chat,
	}) => {
		const { page } = chat;
		await chat.open(answerOf([edited("one", {})]));
		await page.getByRole("button", { name: "Edit", exact: true }).click();
		const choice = page.getByRole("checkbox", { name: "Also undo what was changed after it" });
		await expect(choice).not.toBeChecked();
		await choice.check();
		await chat.answer("undoAnswer", { isDone: false });
		await page.getByRole("button", { name: "Resend" }).click();
		await expect(page.getByText("so your message wasn't sent")).toBeVisible();
		expect(await chat.requests("undoAnswer")).toEqual([{ turnId: "turn", isOnwards: true }]);
		expect(await chat.requests("editQuestion")).toEqual([]);
		await chat.answer("undoAnswer", { isDone: true });
		await page.getByRole("button", { name: "Resend" }).click();
		await expect.poll(() => chat.requests("editQuestion")).toHaveLength(1);
	});

	test("is of no concern to a question that changed no file", async ({ chat }) => {
		await chat.open({ ...emptyChat, turns: [turnOf("Why?", [messageOf("Because.")])] });
		await chat.page.getByRole("button", { name: "Edit", exact: true }).click();
		await expect(chat.page.getByRole("textbox", { name: "Edit message" })).toBeVisible();
		await expect(chat.page.getByRole("checkbox")).toHaveCount(0);
	});
});

test("two cards of one tool have no landmark of the same name, and axe finds nothing", async ({
	chat,
}) => {
	const failed = { ...read, state: "failed", reason: "There is no file c.ts." } as const;
	const turns = [turnOf("Go", [messageOf("")], { tools: [failed, { ...failed, id: "second" }] })];
	await chat.open({ ...emptyChat, turns });
	await expect(chat.page.getByRole("group", { name: "Tool: Read a file" })).toHaveCount(2);
	expect(await violations(chat.page)).toEqual([]);
});

for (const theme of ["high-contrast", "high-contrast-light"] as const) {
	test(`Allow stands out from the buttons beside it (${theme})`, async ({ chat }) => {
		await chat.open(waiting, theme);
		const shadowOf = (name: string): Promise<string> =>
			chat.page
				.getByRole("button", { name, exact: true })
				.evaluate(button => getComputedStyle(button).boxShadow);
		await expect.poll(() => shadowOf("Allow")).not.toBe("none");
		expect(await shadowOf("Deny")).toBe("none");
		expect(await shadowOf("Allow in this chat")).toBe("none");
	});
}

test("a change is shown line by line, each with its number, of one length, and whether it goes or comes", async ({
	chat,
}) => {
	await chat.open(waiting);
	const lines = await chat.page
		.locator(".tool-line")
		.evaluateAll(all =>
			all.map(line => [getComputedStyle(line, "::before").content.slice(1, -1), line.textContent]),
		);
	// The numbers are no part of the text: who copies a line copies the line.
	expect(lines).toEqual([
		[" 8  ", "\n"],
		[" 9 −", "export interface Order {\n"],
		[" 9 +", "export interface OrderLine {\n"],
		["10 +", "\tline: number;\n"],
	]);
});

test("two calls of other tools are told by their lines, more of them by number", async ({
	chat,
}) => {
	const call = (id: string, title: string, line?: string): ToolCardView => ({
		...read,
		id,
		title,
		line,
		name: id,
	});
	const asked = call("ask_user", "Ask a question", "Ask “Which tax applies?”");
	const made = call("generate_video", "Make a video");
	const state = (tools: ToolCardView[]) => ({
		...emptyChat,
		turns: [turnOf("Go", [messageOf("First.")], { tools })],
	});
	const summary = chat.page.locator(".call-group > summary");
	await chat.open(state([asked, made]));
	await expect(summary).toHaveText("Ask “Which tax applies?” · Make a video");
	await chat.open(state([made, call("another", "Make a video"), call("third", "Make a video")]));
	await expect(summary).toHaveText("3 tool calls");
});

test("calls that went well are told by what they searched and read, a file read in parts once", async ({
	chat,
}) => {
	const part = (after: number, startLine: number): ToolCardView => ({
		...read,
		after,
		id: `call-${startLine}`,
		argumentsText: `{\n  "path": "a.ts",\n  "startLine": ${startLine}\n}`,
	});
	await chat.open({
		...emptyChat,
		turns: [turnOf("Go", [messageOf("First.")], { tools: [part(1, 1), part(1, 50)] })],
	});
	const summary = chat.page.locator(".call-group > summary");
	await expect(summary).toHaveText("Read a.ts");
	const search = { name: "search_text", argumentsText: '{"query":"discount"}' };
	const list = { name: "list_files", argumentsText: "{}" };
	const missing = { state: "missing", argumentsText: '{"path":"b.ts"}' } as const;
	for (const [index, change] of [search, missing, list].entries()) {
		const card: ToolCardView = { ...part(1, 100 + index), ...change };
		await chat.push({ type: "tool-card", turnId: "turn", card });
	}
	await expect(summary).toHaveText("Searched “discount”, read a.ts, 1 not found, 1 other call");
});

test("while a request waits for its answer, the answer is not told as one that comes", async ({
	chat,
}) => {
	await chat.open(waiting);
	await expect(chat.page.locator(".progress")).toHaveText("Waiting for you");
	const running: ToolCardView = { ...asking, state: "running", approval: undefined };
	await chat.push({ type: "tool-card", turnId: "turn", card: running });
	await expect(chat.page.locator(".progress")).toHaveText("Answering…");
});

test("of a long change the card shows the first lines, and the editor all of them", async ({
	chat,
}) => {
	const hunk = { ...hunkOf("src/orders.ts", 9, { removed: "a", added: "b" }), left: 27 };
	const approval = asking.approval && { ...asking.approval, hunks: [hunk] };
	await chat.open({
		...emptyChat,
		turns: [turnOf("Go", [messageOf("")], { status: streaming, tools: [{ ...asking, approval }] })],
	});
	await expect(chat.page.getByText("27 more lines")).toBeVisible();
	await chat.page.getByRole("button", { name: "Show all in the editor" }).click();
	expect(await chat.requests("showProposal")).toEqual([{ requestId: "request" }]);
});

test("T37: all that a video would show is on its card, with its length and shape", async ({
	chat,
}) => {
	const clip = {
		prompt: "A paper boat on a quiet river at dawn. ".repeat(20),
		facts: "3 s · 16:9",
	};
	const approval = { requestId: "v", warnings: [], canRemember: false, files: [], hunks: [], clip };
	await chat.open({
		...emptyChat,
		turns: [turnOf("Go", [messageOf("")], { status: streaming, tools: [{ ...asking, approval }] })],
	});
	await expect(chat.page.getByText("3 s · 16:9")).toBeVisible();
	const isWhole = await chat.page
		.locator(".tool-prompt")
		.evaluate(
			quote => quote.scrollHeight <= quote.clientHeight && quote.scrollWidth <= quote.clientWidth,
		);
	expect(isWhole).toBe(true);
});

test("code that a video would show is quoted line by line, without its fence", async ({ chat }) => {
	const clip = { prompt: "```ts\nconst a = 1;\nconst b = 2;\n```", facts: "3 s · 16:9" };
	const approval = { requestId: "v", warnings: [], canRemember: false, files: [], hunks: [], clip };
	await chat.open({
		...emptyChat,
		turns: [turnOf("Go", [messageOf("")], { status: streaming, tools: [{ ...asking, approval }] })],
	});
	const quote = chat.page.locator(".tool-prompt");
	expect(await quote.evaluate(element => (element as HTMLElement).innerText)).toBe(
		"const a = 1;\nconst b = 2;",
	);
	await expect(chat.page.getByText("ts · 3 s · 16:9")).toBeVisible();
});

test("words beside a fence of a video's prompt are on its card, as they are sent", async ({
	chat,
}) => {
	const code = "const a = 1;";
	for (const prompt of [
		`\`\`\`ts a title to show\n${code}\n\`\`\``,
		`\`\`\`ts\n${code}\n\`\`\`\nand a boat`,
		`\`\`\`ts\n${code}\n\`\`\` a boat\n\`\`\``,
	]) {
		const clip = { prompt, facts: "16:9" };
		const approval = {
			requestId: "v",
			warnings: [],
			canRemember: false,
			files: [],
			hunks: [],
			clip,
		};
		await chat.open({
			...emptyChat,
			turns: [
				turnOf("Go", [messageOf("")], { status: streaming, tools: [{ ...asking, approval }] }),
			],
		});
		expect(await chat.page.locator(".tool-prompt").textContent()).toBe(prompt);
	}
});

test("T37: the answers stay in view above what is left of a high request, and Allow is off while a file of it is below them @core", async ({
	chat,
}) => {
	const { page } = chat;
	const added = Array.from({ length: 12 }, (_, index) => `const value${index} = 1;`).join("\n");
	const hunks = ["a.ts", "b.ts", "c.ts"].map((file, at) => hunkOf(file, 9, { added }, at));
	const approval = asking.approval && {
		...asking.approval,
		files: ["a.ts", "b.ts", "c.ts"],
		hunks,
	};
	await chat.open({
		...emptyChat,
		turns: [turnOf("Go", [messageOf("")], { status: streaming, tools: [{ ...asking, approval }] })],
	});
	const allow = page.getByRole("button", { name: "Allow", exact: true });
	await page.setViewportSize({ width: 300, height: 1500 });
	await expect(allow).toBeEnabled();
	await page.setViewportSize({ width: 300, height: 500 });
	const scrollTo = (block: ScrollLogicalPosition): Promise<void> =>
		page.locator(".tool-asking").evaluate((card, at) => card.scrollIntoView({ block: at }), block);
	await scrollTo("start");
	await expect(allow).toBeInViewport({ ratio: 1 });
	await expect(allow).toBeDisabled();
	await scrollTo("end");
	await expect(allow).toBeEnabled();
});

test("the chat's own header leads to the files that tools changed, while there are any", async ({
	chat,
}) => {
	const button = chat.page.locator(".header").getByRole("button", { name: "Changed files" });
	await chat.open(emptyChat);
	await expect(button).toHaveCount(0);
	const composer = { ...emptyChat.composer, hasChangedFiles: true as const };
	await chat.push({ type: "composer", composer });
	await button.click();
	expect(await chat.requests("showChangedFiles")).toHaveLength(1);
});
