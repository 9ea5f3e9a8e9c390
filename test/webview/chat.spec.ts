import type { Locator } from "@playwright/test";
import { expect, test } from "./fixtures.ts";
import {
	complete,
	emptyChat,
	endings,
	messageOf,
	modelComposer,
	richAnswer,
	streaming,
	turnOf,
} from "./states.ts";

const running = { ...emptyChat, turns: [turnOf("Go", [], { status: streaming })] };

test.describe("The composer", () => {
	test("sends with Enter, breaks the line with Shift+Enter, and is empty afterwards @core", async ({
		chat,
	}) => {
		await chat.open(emptyChat);
		const message = chat.page.getByRole("textbox", { name: "Message" });
		await message.pressSequentially("one");
		await message.press("Shift+Enter");
		await message.pressSequentially("two");
		await expect(message).toHaveValue("one\ntwo");
		await message.press("Enter");
		await expect(message).toHaveValue("");
		expect(await chat.requests("sendPrompt")).toEqual([{ text: "one\ntwo" }]);
		await expect(message).toBeFocused();
	});

	test("sends nothing that has no words", async ({ chat }) => {
		await chat.open(emptyChat);
		const message = chat.page.getByRole("textbox", { name: "Message" });
		await message.press("Enter");
		await message.fill("  \n ");
		await message.press("Enter");
		await expect(chat.page.getByRole("button", { name: "Send" })).toBeDisabled();
		expect(await chat.requests("sendPrompt")).toEqual([]);
	});

	test("leaves Enter to an input method that is composing", async ({ chat }) => {
		await chat.open(emptyChat);
		const message = chat.page.getByRole("textbox", { name: "Message" });
		await message.fill("にほん");
		await message.evaluate(element => {
			element.dispatchEvent(
				new KeyboardEvent("keydown", {
					key: "Enter",
					isComposing: true,
					bubbles: true,
					cancelable: true,
				}),
			);
		});
		await expect(message).toHaveValue("にほん");
		expect(await chat.requests("sendPrompt")).toEqual([]);
	});

	test("gives the words back when the host does not take them @core", async ({ chat }) => {
		await chat.open(emptyChat);
		await chat.fail("sendPrompt", "The disk is full.");
		const message = chat.page.getByRole("textbox", { name: "Message" });
		await message.fill("Keep me");
		await message.press("Enter");
		await expect(message).toHaveValue("Keep me");
		await expect(chat.page.getByText("The disk is full.")).toBeVisible();
	});

	test("can be typed in while an answer is written, and Enter then sends nothing beside it @core", async ({
		chat,
	}) => {
		await chat.open(running);
		const message = chat.page.getByRole("textbox", { name: "Message" });
		await message.fill("Next question");
		await message.press("Enter");
		await expect(message).toHaveValue("");
		expect(await chat.requests("queueMessage")).toEqual([{ text: "Next question" }]);
		await expect(chat.page.getByRole("button", { name: "Send" })).toHaveCount(0);
		expect(await chat.requests("sendPrompt")).toEqual([]);
	});

	test("stops the answer with its button and with Escape @core", async ({ chat }) => {
		await chat.open(running);
		await chat.page.getByRole("button", { name: "Stop" }).click();
		await chat.page.getByRole("textbox", { name: "Message" }).press("Escape");
		expect(await chat.requests("stop")).toHaveLength(2);
	});

	test("keeps its draft over a reload @core", async ({ chat }) => {
		await chat.open(emptyChat);
		await chat.page.getByRole("textbox", { name: "Message" }).fill("Half a thought");
		await chat.open(emptyChat);
		await expect(chat.page.getByRole("textbox", { name: "Message" })).toHaveValue("Half a thought");
	});

	test("grows with its text up to a limit", async ({ chat }) => {
		await chat.open(emptyChat);
		const message = chat.page.getByRole("textbox", { name: "Message" });
		const height = async (): Promise<number> => (await message.boundingBox())?.height ?? 0;
		const empty = await height();
		await message.fill("a\nb\nc\nd");
		expect(await height()).toBeGreaterThan(empty + 30);
		await message.fill("line\n".repeat(200));
		expect(await height()).toBeLessThan(340);
	});

	test("takes words from the host before its own", async ({ chat }) => {
		await chat.open(emptyChat);
		const message = chat.page.getByRole("textbox", { name: "Message" });
		await message.fill("mine");
		await chat.event("fillComposer", { text: "theirs" });
		await expect(message).toHaveValue("theirs\nmine");
		await expect(message).toBeFocused();
	});

	test("offers server tools only for a model that has tools, and says why", async ({ chat }) => {
		const composer = { ...emptyChat.composer, model: "llm-4-turbo", canUseServerTools: false };
		await chat.open({ ...emptyChat, composer });
		const browsing = chat.page.getByRole("switch", { name: "Browsing" });
		await expect(browsing).toBeDisabled();
		await expect(browsing).toHaveAccessibleDescription(/llm-4-turbo can.t use/);
		await expect(chat.page.getByText("llm-4-turbo can't use")).toBeVisible();
		await browsing.dispatchEvent("click");
		expect(await chat.requests("setServerTool")).toEqual([]);
	});

	test("asks for another model and for server tools", async ({ chat }) => {
		const models = ["llm-4-turbo-tools", "llm-3.5-turbo"];
		await chat.open({ ...emptyChat, composer: { ...modelComposer, models } });
		await chat.page.getByRole("combobox", { name: "Model" }).selectOption("llm-3.5-turbo");
		await chat.page.getByRole("switch", { name: "Browsing" }).click();
		expect(await chat.requests("setModel")).toEqual([{ model: "llm-3.5-turbo" }]);
		expect(await chat.requests("setServerTool")).toEqual([{ tool: "browsing", isOn: true }]);
	});
});

test.describe("The conversation", () => {
	test("shows an answer as it comes, in several messages @core", async ({ chat }) => {
		await chat.open(emptyChat);
		await chat.push({
			type: "turn-added",
			turn: turnOf("Hi **there**", [], { status: streaming }),
		});
		await expect(chat.page.getByText("Waiting for the answer…")).toBeVisible();
		await expect(chat.page.getByRole("article", { name: "You" })).toHaveText("Hi **there**");
		for (const index of [0, 1, 2]) {
			await chat.push(
				{
					type: "message-started",
					turnId: "turn",
					message: messageOf("", { index, isFinished: false }),
				},
				{ type: "text", turnId: "turn", index, text: `Message **number ${index}` },
			);
			const article = chat.page.getByRole("article", { name: "Assistant" }).nth(index);
			await expect(article.locator("strong")).toHaveText(`number ${index}`);
			await chat.push({ type: "text", turnId: "turn", index, text: "** is here." });
			await chat.push({ type: "message-finished", turnId: "turn", index, toolNames: [] });
			await expect(article).toContainText(`number ${index} is here.`);
		}
		await chat.push({ type: "status", turnId: "turn", status: { state: "complete", actions: [] } });
		await expect(chat.page.getByRole("button", { name: "Send" })).toBeVisible();
		await expect(chat.page.getByRole("button", { name: "Retry", exact: true })).toHaveCount(1);
	});

	test("L4: asks for everything again when a change was missed @core", async ({ chat }) => {
		await chat.open(running);
		await chat.page.evaluate(() => {
			window.harness.seq += 3;
		});
		await chat.push({ type: "title", title: "Missed" });
		await expect.poll(() => chat.requests("ready")).toHaveLength(2);
	});

	test("shows an answer that was cleared and started again from its beginning", async ({
		chat,
	}) => {
		await chat.open({ ...emptyChat, turns: [turnOf("Go", [messageOf("The old answer.")])] });
		await chat.push(
			{ type: "answer-cleared", turnId: "turn" },
			{ type: "status", turnId: "turn", status: streaming },
			{ type: "message-started", turnId: "turn", message: messageOf("", { isFinished: false }) },
			{ type: "text", turnId: "turn", index: 0, text: "The new answer, longer than the old one." },
		);
		await expect(chat.page.getByRole("article", { name: "Assistant" })).toContainText(
			"The new answer",
		);
		await expect(chat.page.getByText("The old answer.")).toHaveCount(0);
	});

	test("names whoever answers once another model is asked again", async ({ chat }) => {
		const failed = turnOf("Go", [messageOf("Half an")], { model: "lm/first" });
		await chat.open({ ...emptyChat, turns: [failed] });
		await expect(chat.page.locator(".usage")).toHaveAttribute("title", "first");
		await chat.push(
			{ type: "answer-cleared", turnId: "turn" },
			{ type: "status", turnId: "turn", status: streaming, answerer: { model: "lm/second" } },
			{ type: "message-started", turnId: "turn", message: messageOf("", { isFinished: false }) },
			{ type: "text", turnId: "turn", index: 0, text: "A whole answer." },
		);
		await expect(chat.page.getByText("A whole answer.")).toBeVisible();
		await chat.push({ type: "message-finished", turnId: "turn", index: 0, toolNames: [] });
		await expect(chat.page.locator(".usage")).toHaveAttribute("title", "second");
		await chat.push({
			type: "status",
			turnId: "turn",
			status: streaming,
			answerer: {
				model: "llm-4-turbo",
				isDemo: true,
			},
		});
		await expect(chat.page.locator(".answer-name")).toHaveText("Demo");
	});

	test("gives every ending one title, the beginning of its sentence, and offers what can be done @core", async ({
		chat,
	}) => {
		await chat.open({ ...emptyChat, turns: [...endings] });
		await expect(chat.page.locator(".ending strong")).toHaveText([
			"Stopped.",
			"The key wasn't accepted.",
			"The connection broke before an answer.",
			"Can't reach api.example.com.",
		]);
		await expect(chat.page.locator(".ending-head p").last()).toHaveText(
			"Can't reach api.example.com. Check the address, and whether the service is running. Nothing was sent.",
		);
		await expect(chat.page.getByText("invalid api key (request 7f3a)")).toBeVisible();
		await chat.page.getByRole("button", { name: "Show the error" }).click();
		await chat.page.getByRole("button", { name: "Try again" }).press("Enter");
		expect(await chat.requests("runAction")).toEqual([
			{ turnId: "unknown", action: "showError" },
			{ turnId: "notSent", action: "tryAgain" },
		]);
	});

	test("copies messages, questions and code by way of the host @core", async ({ chat }) => {
		await chat.open({ ...emptyChat, turns: [turnOf("Go", [messageOf(richAnswer)])] });
		const { page } = chat;
		// By keys: going from end to end shows and hides Jump to latest, which moves what a pointer has just been put on.
		await page
			.getByRole("article", { name: "Assistant" })
			.getByRole("button", { name: "Copy", exact: true })
			.press("Enter");
		await page
			.getByRole("article", { name: "You" })
			.getByRole("button", { name: "Copy", exact: true })
			.press("Enter");
		await page.getByRole("button", { name: "Copy code" }).last().press("Enter");
		expect(await chat.requests("copyMessage")).toEqual([
			{ turnId: "turn", index: 0 },
			{ turnId: "turn", index: -1 },
		]);
		expect(await chat.requests("copyCode")).toEqual([
			{ text: "npx tsx group.ts --key name | head -n 20\n" },
		]);
	});

	test("offers to apply a code block and to make a file of it, with what its fence says @core", async ({
		chat,
	}) => {
		const answer = "```ts src/a.ts\nrun();\n```\n";
		await chat.open({ ...emptyChat, turns: [turnOf("Go", [messageOf(answer)])] });
		await chat.page.getByRole("button", { name: "Apply" }).click();
		await chat.page.getByRole("button", { name: "More actions" }).click();
		await chat.page.getByRole("menuitem", { name: "New file" }).click();
		const block = { turnId: "turn", text: "run();\n", info: "ts src/a.ts" };
		expect(await chat.requests("applyCode")).toEqual([block]);
		expect(await chat.requests("createFileFromCode")).toEqual([block]);
	});

	test("folds what a review's model is told, and offers to show its findings in the editor", async ({
		chat,
	}) => {
		const messages = [messageOf("- `src/a.ts:2`: wrong")];
		const turn = turnOf("Review: 3 changed lines\n\nReview it.", messages);
		const attachments = [
			{
				name: "x.diff",
				path: "x.diff",
				size: 1,
				kind: "text",
				use: "read",
				isLost: false,
			} as const,
		];
		const reviewed = { ...turn, attachments, shownLength: "Review: 3 changed lines".length };
		await chat.open({
			...emptyChat,
			turns: [
				{ ...reviewed, status: { ...complete, findings: 2 } },
				{ ...reviewed, id: "fine" },
			],
		});
		await expect(chat.page.getByText("2 findings")).toBeVisible();
		const told = chat.page.getByText("Review it.").first();
		await expect(told).toBeHidden();
		await chat.page.locator("summary", { hasText: "Instruction" }).first().click();
		await expect(told).toBeVisible();
		await chat.page.getByRole("button", { name: "Show findings in the editor" }).click();
		expect(await chat.requests("showFindings")).toEqual([{ turnId: "turn" }]);
	});

	test("opens links by way of the host alone @core", async ({ chat }) => {
		await chat.open({
			...emptyChat,
			turns: [turnOf("Go", [messageOf("See [it](https://example.com/a?b=c).")])],
		});
		await chat.page.evaluate(() => {
			window.addEventListener("click", () => document.body.setAttribute("data-leaked", "yes"));
			window.addEventListener("auxclick", () => document.body.setAttribute("data-leaked", "yes"));
		});
		const link = chat.page.getByRole("link", { name: "it" });
		await expect(link).toHaveAttribute("title", "https://example.com/a?b=c");
		await link.click();
		await link.click({ button: "middle" });
		await link.press("Enter");
		expect(await chat.requests("openLink")).toEqual(
			Array.from({ length: 3 }, () => ({ url: "https://example.com/a?b=c" })),
		);
		await expect(chat.page.locator("body")).not.toHaveAttribute("data-leaked");
	});

	test("highlights code while it arrives, line by line, and its whole once the fence has closed @core", async ({
		chat,
	}) => {
		await chat.open({
			...emptyChat,
			turns: [turnOf("Go", [messageOf("", { isFinished: false })], { status: streaming })],
		});
		await chat.push({
			type: "text",
			turnId: "turn",
			index: 0,
			text: "```ts\nconst answer = 42;\nlet open",
		});
		await expect(chat.page.locator(".hljs-keyword")).toHaveText(["const"]);
		await expect(chat.page.locator("code")).toHaveText("const answer = 42;\nlet open");
		await chat.push({ type: "text", turnId: "turn", index: 0, text: " = 1;\n```\n" });
		await expect(chat.page.locator(".hljs-keyword")).toHaveText(["const", "let"]);
	});

	test("decodes entities by the browser's table", async ({ chat }) => {
		const text = "&copy; &hearts; &#x1F600; &CounterClockwiseContourIntegral; &nosuch; `&amp;`";
		await chat.open({ ...emptyChat, turns: [turnOf("Go", [messageOf(text)])] });
		await expect(chat.page.locator(".markdown")).toHaveText("© ♥ 😀 ∳ &nosuch; &amp;");
	});

	test("S19: of a 10 MiB message a part is shown, with a way to all of it", async ({ chat }) => {
		await chat.open(running);
		await chat.push({
			type: "message-started",
			turnId: "turn",
			message: messageOf("", { isFinished: false }),
		});
		await chat.page.evaluate(() => {
			const text = "A paragraph of some words.\n\n".repeat(374_492).slice(0, 10 * 1024 * 1024);
			window.harness.push([{ type: "text", turnId: "turn", index: 0, text }]);
		});
		await expect(chat.page.getByRole("button", { name: "Show all (10.0 MB)" })).toBeVisible();
		const shownCharacters = await chat.page
			.getByRole("article", { name: "Assistant" })
			.evaluate(article => article.textContent.length);
		expect(shownCharacters).toBeGreaterThan(10_000);
		expect(shownCharacters).toBeLessThan(2 * 1024 * 1024);
	});
});

test.describe("Scrolling", () => {
	const long = {
		...emptyChat,
		turns: [
			turnOf("Go", [messageOf("A paragraph.\n\n".repeat(80), { isFinished: false })], {
				status: streaming,
			}),
		],
	};
	const more = {
		type: "text",
		turnId: "turn",
		index: 0,
		text: "More text.\n\n".repeat(10),
	} as const;
	const fromEnd = (scroller: Locator): Promise<number> =>
		scroller.evaluate(element => element.scrollHeight - element.scrollTop - element.clientHeight);

	test("follows the end while the reader is there @core", async ({ chat }) => {
		await chat.open(long);
		const scroller = chat.page.locator(".scroller");
		await expect.poll(() => fromEnd(scroller)).toBeLessThan(4);
		await chat.push(more);
		await expect.poll(() => fromEnd(scroller)).toBeLessThan(4);
		await expect(chat.page.getByRole("button", { name: "Jump to latest" })).toBeHidden();
	});

	test("stays at its end when the browser scrolls because the view has another size", async ({
		chat,
	}) => {
		await chat.page.setViewportSize({ width: 300, height: 600 });
		const text = "Some words, and then some more of them.\n\n".repeat(60);
		await chat.open({ ...emptyChat, turns: [turnOf("Go", [messageOf(text)])] });
		const scroller = chat.page.locator(".scroller");
		const fromEnd = (): Promise<number> =>
			scroller.evaluate(element =>
				Math.round(element.scrollHeight - element.scrollTop - element.clientHeight),
			);
		await expect.poll(fromEnd).toBeLessThanOrEqual(4);
		// What scroll anchoring does when lines further up need less room, in one step.
		await scroller.evaluate(element => {
			element.style.width = `${element.clientWidth - 40}px`;
			element.scrollTop -= 30;
		});
		await expect.poll(fromEnd).toBeLessThanOrEqual(4);
		await expect(chat.page.getByRole("button", { name: "Jump to latest" })).toBeHidden();
		await scroller.evaluate(element => {
			element.scrollTop -= 100;
		});
		await expect(chat.page.getByRole("button", { name: "Jump to latest" })).toBeVisible();
	});

	test("stays where the reader went, until «Jump to latest» @core", async ({ chat }) => {
		await chat.open(long);
		const scroller = chat.page.locator(".scroller");
		await expect.poll(() => fromEnd(scroller)).toBeLessThan(4);
		await scroller.hover();
		await chat.page.mouse.wheel(0, -300);
		await expect(chat.page.getByRole("button", { name: "Jump to latest" })).toBeVisible();
		await expect.poll(() => fromEnd(scroller)).toBeGreaterThan(200);
		const seen = chat.page.locator(".markdown p").nth(70);
		const before = (await seen.boundingBox())?.y;
		for (let count = 0; count < 5; count++) {
			await chat.push(more);
		}
		expect((await seen.boundingBox())?.y).toBe(before);
		await chat.page.getByRole("button", { name: "Jump to latest" }).click();
		await expect.poll(() => fromEnd(scroller)).toBeLessThan(4);
		await chat.push(more);
		await expect.poll(() => fromEnd(scroller)).toBeLessThan(4);
	});

	test("a key upwards is enough to let go", async ({ chat }) => {
		await chat.open(long);
		const scroller = chat.page.locator(".scroller");
		await expect.poll(() => fromEnd(scroller)).toBeLessThan(4);
		await scroller.focus();
		await chat.page.keyboard.press("PageUp");
		await expect(chat.page.getByRole("button", { name: "Jump to latest" })).toBeVisible();
	});

	test("is remembered over a reload", async ({ chat }) => {
		await chat.open(long);
		const scroller = chat.page.locator(".scroller");
		await expect.poll(() => fromEnd(scroller)).toBeLessThan(4);
		await scroller.hover();
		await chat.page.mouse.wheel(0, -500);
		await expect.poll(() => fromEnd(scroller)).toBeGreaterThan(400);
		await expect
			.poll(() => chat.page.evaluate(() => sessionStorage.getItem("state")))
			.toContain("turnId");
		await chat.open(long);
		await expect.poll(() => fromEnd(scroller)).toBeGreaterThan(200);
	});
});

test("A chat that cannot be loaded says so and can be loaded again", async ({ chat, page }) => {
	await page.addInitScript(() => {
		window.addEventListener("DOMContentLoaded", () => {
			window.harness.failing["ready"] = "No.";
		});
	});
	const opened = chat.open(emptyChat);
	await expect(page.getByText("Couldn't load the chat.")).toBeVisible();
	await page.evaluate(() => {
		delete window.harness.failing["ready"];
	});
	await page.getByRole("button", { name: "Retry", exact: true }).click();
	await opened;
	await expect(page.getByRole("heading", { name: "Ask Cutaway" })).toBeVisible();
});

test("At every width nothing sticks out @core", async ({ chat, page }) => {
	await chat.open({ ...emptyChat, turns: [turnOf("Go", [messageOf(richAnswer)]), ...endings] });
	for (const width of [200, 300, 600, 1000]) {
		await page.setViewportSize({ width, height: 700 });
		const overflow = await page.evaluate(() => {
			const wide = [
				...document.querySelectorAll("main, .scroller, .page-footer, .header, .composer"),
			];
			return wide
				.filter(element => element.scrollWidth > element.clientWidth + 1)
				.map(element => element.className);
		});
		expect(overflow, `${width} px`).toEqual([]);
		const send = await page.getByRole("button", { name: "Send", exact: true }).boundingBox();
		expect((send?.x ?? width) + (send?.width ?? 0)).toBeLessThanOrEqual(width);
	}
});
