import type { CDPSession, Page } from "@playwright/test";
import type { ChatChange } from "../../src/shared/chat.ts";
import { expect, test } from "./fixtures.ts";
import {
	attachmentOf,
	cardOf,
	complete,
	emptyChat,
	hunkOf,
	noAttachments,
	streaming,
} from "./states.ts";

/** What is alive in the page after a collection, by the names of Chromium's own figures. */
interface Alive {
	readonly Nodes: number;
	readonly JSEventListeners: number;
}

async function look(devtools: CDPSession): Promise<Alive> {
	await devtools.send("HeapProfiler.collectGarbage");
	const { metrics } = await devtools.send("Performance.getMetrics");
	const of = (wanted: string): number => metrics.find(({ name }) => name === wanted)?.value ?? 0;
	return {
		Nodes: of("Nodes"),
		JSEventListeners: of("JSEventListeners"),
	};
}

/** Looks until what quiet moments still have to do is done: nothing went or came between two looks. */
async function aliveOn(page: Page, devtools: CDPSession): Promise<Alive> {
	let last = await look(devtools);
	await expect
		.poll(async () => {
			await page.evaluate(() => new Promise(resolve => setTimeout(resolve, 300)));
			const before = last;
			last = await look(devtools);
			const isFree = (await page.locator(".announced").count()) === 0;
			return isFree && before.Nodes === last.Nodes;
		})
		.toBe(true);
	return last;
}

const card = {
	id: "call",
	after: 1,
	name: "edit_file",
	title: "Edit a file",
	state: "running" as const,
	argumentsText: '{"path":"a.txt"}',
};

/** One exchange of a day: a file is sent, a tool asks and runs, a video is made, an answer comes in fragments. */
function exchange(index: number): readonly ChatChange[][] {
	const turnId = `day-${index}`;
	const place = { turnId, index: 1 };
	const text = `Answer ${index}. ${"Some words, and `code` in a [link](https://example.com). ".repeat(20)}\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n\`\`\`ts\nconst x = ${index};\n\`\`\`\n\n- [x] done\n`;
	const fragments = text.match(/[^]{1,60}/g) ?? [];
	const request = {
		requestId: `ask-${index}`,
		files: ["a.txt"],
		warnings: [],
		canRemember: true,
		hunks: [hunkOf("a.txt", 1, { removed: "a", added: "b" })],
	};
	const started = (at: number, toolNames: string[] = []): ChatChange => ({
		type: "message-started",
		turnId,
		message: { index: at, role: "assistant", text: "", isFinished: false, toolNames },
	});
	return [
		[
			{
				type: "attachments",
				attachments: { ...noAttachments, items: [attachmentOf("orders.csv")] },
			},
			{
				type: "turn-added",
				turn: {
					id: turnId,
					prompt: `Question ${index}`,
					attachments: [],
					model: "llm-4-turbo",
					createdAt: 1_750_000_000_000,
					messages: [],
					status: { ...streaming, notice: "Still waiting…" },
					videos: [],
				},
			},
			started(0, ["edit_file"]),
			{ type: "message-finished", turnId, index: 0, toolNames: ["edit_file"] },
			{ type: "tool-card", turnId, card: { ...card, state: "asking", approval: request } },
			{ type: "video", video: cardOf({ jobId: `job-${index}`, turnId }) },
		],
		[
			{ type: "attachments", attachments: noAttachments },
			{ type: "tool-card", turnId, card },
			{ type: "tool-card", turnId, card: { ...card, state: "done", result: "Changed." } },
			{ type: "status", turnId, status: streaming },
			started(1),
			...fragments.map(part => ({ type: "text", ...place, text: part }) as const),
			{ type: "message-finished", ...place, toolNames: [] },
			{ type: "status", turnId, status: complete },
			{ type: "video-removed", turnId, jobId: `job-${index}` },
			{ type: "title", title: `Chat ${index}` },
		],
	];
}

/** Plays exchanges, each frame of theirs in one of the browser's, and has the reader look at the first and the last. */
async function live(page: Page, first: number, count: number): Promise<void> {
	const exchanges = Array.from({ length: count }, (_, index) => exchange(first + index));
	await page.evaluate(async frames => {
		for (const changes of frames) {
			window.harness.push(changes);
			await new Promise(requestAnimationFrame);
		}
	}, exchanges.flat());
	await expect(page.getByText(`Question ${first + count - 1}`, { exact: true })).toBeAttached();
	// To the beginning and back: what is on the page then is what is near its end, and nothing older.
	await page.evaluate(() => {
		const scroller = document.querySelector(".scroller");
		scroller?.dispatchEvent(new WheelEvent("wheel", { deltaY: -1 }));
		scroller?.scrollTo(0, 0);
	});
	await expect(page.getByText("Question 0", { exact: true })).toBeInViewport();
	await page.getByRole("button", { name: "Jump to latest", exact: true }).click();
	await expect(page.getByText("Question 0", { exact: true })).not.toBeAttached();
}

/** How many answers make the first hour, more than are shown whole, and how many the rest of the day. */
const hour = 25;
const day = 60;

test("A day of answers leaves no more on the page than an hour of them, but their texts", async ({
	chat,
}) => {
	const { page } = chat;
	await chat.open({ ...emptyChat, chatId: "day" });
	const devtools = await page.context().newCDPSession(page);
	await devtools.send("Performance.enable");
	await live(page, 0, hour);
	const early = await aliveOn(page, devtools);
	await live(page, hour, day);
	const late = await aliveOn(page, devtools);
	expect(late.Nodes - early.Nodes).toBeLessThan(day / 2);
	expect(late.JSEventListeners - early.JSEventListeners).toBeLessThan(day / 2);

	// A node and a listener kept of each answer would not escape this.
	await page.evaluate(count => {
		const kept = Array.from({ length: count }, () => document.createElement("i"));
		kept.forEach(element => element.addEventListener("click", () => undefined));
		Object.assign(window, { kept });
	}, day);
	const leaky = await look(devtools);
	expect(leaky.Nodes - late.Nodes).toBeGreaterThan(day / 2);
	expect(leaky.JSEventListeners - late.JSEventListeners).toBeGreaterThan(day / 2);
});

test("What a screen reader was told does not pile up in a window that draws nothing", async ({
	chat,
}) => {
	const { page } = chat;
	await chat.open({ ...emptyChat, chatId: "day" });
	await page.evaluate(() => {
		// A window out of sight ends no animation, and the end of one takes a sentence away.
		const sheet = new CSSStyleSheet();
		sheet.insertRule(".announced { animation-play-state: paused !important; }");
		document.adoptedStyleSheets.push(sheet);
	});
	for (let index = 0; index < 40; index++) {
		await chat.push(...exchange(index).flat());
	}
	const sentences = page.locator(".announced");
	await expect(sentences.last()).toContainText("Answer 39.");
	expect(await sentences.count()).toBe(20);
});
