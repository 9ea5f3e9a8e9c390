import type { Page } from "@playwright/test";
import * as z from "zod/mini";
import type { ChatChange } from "../../src/shared/chat.ts";
import { createRandom } from "../helpers/random.ts";
import { type ChatPage, expect, test } from "./fixtures.ts";
import { complete, emptyChat, messageOf, streaming, turnOf } from "./states.ts";

/** `CUTAWAY_FUZZ` takes texts ten times as long, more of the mixed ones, and measures tasks and growth. */
const isLong = process.env["CUTAWAY_FUZZ"] !== undefined;
const characters = isLong ? 100_000 : 6_000;
const mixedTexts = isLong ? 2000 : 24;

/** What opens, closes or interrupts something in Markdown, alone and with what makes it last. */
const openers = [
	"[",
	"![",
	"](",
	"[a](",
	"![a](",
	"[a][",
	"[^",
	"(",
	"<",
	"<a ",
	"<https:",
	"</",
	"<!--",
	"<?",
];
const emphasis = [
	"*",
	"_",
	"~",
	"~~",
	"**",
	"***",
	"*a",
	"a*",
	"*a_",
	"a*_",
	"***a",
	"**a ",
	"_a ",
	"a**b",
	"_*_*",
	"~~a",
	"*a **",
];
const containers = [
	"-",
	"- ",
	"- - ",
	"* + - ",
	"1. ",
	"1) ",
	">",
	"> ",
	">- ",
	"> 1. ",
	"- > ",
	"- [ ] ",
	"- [ ] a\n",
	"- a\n",
	"- a\n\n",
	"1. a\n",
	"1. a\n\n",
	"  - a\n",
	"> a\n",
	"> a\n\n",
	"> - a\n",
	"-\n",
	">\n",
	"+ a\n* b\n",
];
const blocks = [
	"#",
	"# ",
	"# a\n",
	"a\n=\n",
	"a\n-\n",
	"---\n",
	"***\n",
	"```\n",
	"```a\n```\n",
	"~~~\n",
	"    a\n",
	"\t",
	"\ta\n",
	"a\n",
	"a\n\n",
	"a  \n",
	"a\\\n",
	"\n",
	" ",
	"  \n",
	"\r",
	"\r\n",
	"\0",
];
const tables = [
	"|",
	"|a",
	"|-",
	"| - ",
	"|a|\n|-|\n",
	"a|b\n-|-\n",
	"|a|b|\n",
	":-|",
	"\\|",
	"|\n",
];
const rest = [
	"`",
	"``",
	"`a",
	"``a`",
	"```",
	"\\",
	"\\\\",
	"\\[",
	"\\(",
	"$",
	"$$",
	"$a",
	"$a$ ",
	"&",
	"&#",
	"&amp;",
	"&a",
	"a",
	"a ",
	"!",
	"]",
	"]]",
	"[]",
	"[]()",
	"[a]",
	"[a] ",
	"[[a]](b)",
	"[a]: b\n",
	"https://a.b/)",
	"https://a.b/(",
	"https://",
	"https://a",
	"{",
	"@",
	"—",
	"\u200B",
	"\u202E",
	"\u{1F600}",
	"מ",
];
const patterns = [...openers, ...emphasis, ...containers, ...blocks, ...tables, ...rest];

function repeat(pattern: string, length: number): string {
	return pattern.repeat(Math.ceil(length / pattern.length)).slice(0, length);
}

/** Patterns that are only harmful with an end: so many openings, then as many closings. */
const closed: readonly (readonly [string, string])[] = [
	["[", "](a)"],
	["![", "](a)"],
	["*a ", "*"],
	["**a ", "**"],
	["> ", "\n\n- "],
	["`", "`"],
	["(", ")"],
];

const single: Readonly<Record<string, (length: number) => string>> = Object.fromEntries([
	...patterns.map(pattern => [
		JSON.stringify(pattern),
		(length: number) => repeat(pattern, length),
	]),
	...patterns
		.slice(0, 20)
		.map(pattern => [
			`${JSON.stringify(pattern)} before a word`,
			(length: number) => `${repeat(pattern, length)} x`,
		]),
	...closed.map(([open, close]) => [
		`${JSON.stringify(open)} closed by ${JSON.stringify(close)}`,
		(length: number) =>
			repeat(open, Math.floor(length / 2)) + repeat(close, Math.floor(length / 2)),
	]),
	[
		"the header of a table with thousands of columns",
		(length: number) => `${repeat("|a", length / 2)}|\n${repeat("|-", length / 2)}|\n`,
	],
	[
		"a table of 200 columns with short rows",
		(length: number) =>
			`${"|a".repeat(200)}|\n${"|-".repeat(200)}|\n${repeat("a\n", Math.max(0, length - 804))}`,
	],
]);

/** A text of random patterns, each repeated for a while. */
function mixed(seed: number, length: number): string {
	const random = createRandom(seed);
	let text = "";
	while (text.length < length) {
		text += random.pick(patterns).repeat(1 + random.below(random.pick([3, 50, 2000])));
		text += random.pick(["", "", "\n", "\n\n", " x "]);
	}
	return text.slice(0, length);
}

interface Outcome {
	/** The deepest element below the conversation. */
	readonly depth: number;
	/** Characters the message shows. */
	readonly shown: number;
	/** The longest task, in ms; 0 where none was long. */
	readonly longestTask: number;
}

/** Runs in the page: lets an answer arrive, waits until quiet moments have nothing left to do, and looks at it. */
async function showAnswer(steps: readonly (readonly ChatChange[])[]): Promise<Outcome> {
	const frame = (): Promise<void> =>
		new Promise(resolve => {
			requestAnimationFrame(() => resolve());
		});
	const tasks: number[] = [];
	const observer = new PerformanceObserver(list =>
		tasks.push(...list.getEntries().map(({ duration }) => duration)),
	);
	observer.observe({ entryTypes: ["longtask"] });
	for (const changes of steps) {
		window.harness.push(changes);
		await frame();
		await frame();
	}
	const log = document.querySelector("[role=log]");
	const shown = (): number =>
		document.querySelector("[aria-label=Assistant] .markdown")?.textContent?.length ?? 0;
	let size = -1;
	for (let quiet = 0; quiet < 2;) {
		await new Promise(resolve => setTimeout(resolve, 40));
		const next = log?.querySelectorAll("*").length ?? 0;
		quiet = next === size && window.quietMoments === 0 ? quiet + 1 : 0;
		size = next;
	}
	observer.disconnect();
	let depth = 0;
	const walker = document.createTreeWalker(log ?? document, NodeFilter.SHOW_ELEMENT);
	for (let node = walker.nextNode(); node; node = walker.nextNode()) {
		let level = 0;
		for (let parent: Node | null = node; parent; parent = parent.parentNode) {
			level++;
		}
		depth = Math.max(depth, level);
	}
	return { depth, shown: shown(), longestTask: Math.max(0, ...tasks) };
}

declare global {
	interface Window {
		/** How many quiet moments the page waits for. */
		quietMoments: number;
	}
}

/** Runs in the page: counts the quiet moments it waits for, as what is rendered in many of them appears with the last one. */
function countQuietMoments(): void {
	const request = window.requestIdleCallback.bind(window);
	window.quietMoments = 0;
	window.requestIdleCallback = (callback, options) => {
		window.quietMoments++;
		return request(deadline => {
			window.quietMoments--;
			callback(deadline);
		}, options);
	};
}

const place = { turnId: "turn", index: 0 };
const empty = messageOf("", { isFinished: false });

/** Opens an empty chat in a page that counts its quiet moments. */
async function openCounted(chat: Pick<ChatPage, "open" | "page">): Promise<void> {
	await chat.open(emptyChat);
	await chat.page.evaluate(countQuietMoments);
}

/** The changes of an answer that arrives in pieces, and ends. */
function arriving(text: string): readonly (readonly ChatChange[])[] {
	const size = Math.ceil(text.length / 6);
	const pieces = Array.from({ length: Math.ceil(text.length / size) }, (_, index) =>
		text.slice(index * size, (index + 1) * size),
	);
	const turn = turnOf("Go", [empty], { status: streaming });
	const begin: ChatChange[] = [{ type: "reset", state: { ...emptyChat, turns: [turn] } }];
	const end: ChatChange[] = [
		{ type: "message-finished", ...place, toolNames: [] },
		{ type: "status", turnId: "turn", status: complete },
	];
	return [
		begin,
		...pieces.map((piece): ChatChange[] => [{ type: "text", ...place, text: piece }]),
		end,
	];
}

/** The changes that show a kept answer. */
function reopened(text: string): readonly (readonly ChatChange[])[] {
	return [
		[{ type: "reset", state: emptyChat }],
		[{ type: "reset", state: { ...emptyChat, turns: [turnOf("Go", [messageOf(text)])] } }],
	];
}

/** Lets a text arrive and end, then opens it again; it must be there, and not deep. */
async function survives(page: Page, name: string, text: string): Promise<void> {
	for (const steps of [arriving(text), reopened(text)]) {
		const outcome = await page.evaluate(showAnswer, steps).catch((error: unknown) => {
			throw new Error(`${name} ended the page`, { cause: error });
		});
		expect.soft(outcome.depth, name).toBeLessThanOrEqual(150);
		expect.soft(outcome.shown > 0 || text.trim() === "" || isMarkup(text), name).toBe(true);
		if (isLong) {
			expect.soft(await longestTask(page, steps, outcome), name).toBeLessThanOrEqual(maxTask);
		}
	}
}

/** The most that a task may take, in ms. */
const maxTask = 200;

const traceSchema = z.object({
	traceEvents: z.array(z.object({ name: z.string(), tdur: z.optional(z.number()) })),
});

/** The longest task of an answer, in ms; one that is too long is measured again in the thread's own time, which other programs do not lengthen. */
async function longestTask(
	page: Page,
	steps: readonly (readonly ChatChange[])[],
	first: Outcome,
): Promise<number> {
	let shortest = first.longestTask;
	const browser = page.context().browser();
	const [begin = [], ...rest] = steps;
	for (let round = 0; browser && round < 5 && shortest > maxTask; round++) {
		// Whatever was shown before goes first: to take it away is no part of showing this.
		await page.evaluate(showAnswer, [begin]);
		await browser.startTracing(page, { categories: ["toplevel"] });
		await page.evaluate(showAnswer, rest);
		const json: unknown = JSON.parse((await browser.stopTracing()).toString());
		const tasks = z.parse(traceSchema, json).traceEvents.map(({ tdur = 0 }) => tdur / 1000);
		expect(tasks.length).toBeGreaterThan(0);
		shortest = Math.min(shortest, Math.max(...tasks));
	}
	return shortest;
}

/** Whether a text may rightly show nothing: it has no letter and no digit. */
function isMarkup(text: string): boolean {
	return !/[\p{L}\p{N}]/u.test(text) || /^(?:\[a\]: b\n)+/.test(text);
}

const groups = 8;

/** A text that rightly shows nothing is waited for; tasks that are measured want the processor for themselves. */
const pagesAtOnce = isLong ? 1 : 4;

test.describe("Text that is made to break the page", () => {
	test.describe.configure({ timeout: isLong ? 1_200_000 : 120_000 });
	for (let group = 0; group < groups; group++) {
		test(`is shown while it arrives, when it ended and when it is opened again, patterns ${group + 1} of ${groups}`, async ({
			chat,
			openAnother,
		}) => {
			const mine = Object.entries(single).filter((_, index) => index % groups === group);
			const others = Array.from({ length: pagesAtOnce - 1 }, openAnother);
			const views = [chat, ...(await Promise.all(others))];
			await Promise.all(
				views.map(async view => {
					await openCounted(view);
					for (let next = mine.shift(); next; next = mine.shift()) {
						const [name, make] = next;
						await survives(view.page, name, make(characters));
					}
					await expect(view.page.getByRole("textbox", { name: "Message" })).toBeVisible();
				}),
			);
		});

		test(`is shown when it is mixed at random, part ${group + 1} of ${groups}`, async ({
			chat,
		}) => {
			await openCounted(chat);
			for (let seed = group; seed < mixedTexts; seed += groups) {
				await survives(chat.page, `mixed text ${seed}`, mixed(seed, characters));
			}
		});
	}
});

/** How long the page's thread worked while these changes came, in ms of its own time, which other programs do not lengthen. */
async function workFor(
	page: Page,
	...shown: readonly (readonly (readonly ChatChange[])[])[]
): Promise<number> {
	const devtools = await page.context().newCDPSession(page);
	await devtools.send("Performance.enable", { timeDomain: "threadTicks" });
	const taskSeconds = async (): Promise<number> => {
		const { metrics } = await devtools.send("Performance.getMetrics");
		return metrics.find(({ name }) => name === "TaskDuration")?.value ?? 0;
	};
	const before = await taskSeconds();
	for (const steps of shown) {
		await page.evaluate(showAnswer, steps);
	}
	const ms = ((await taskSeconds()) - before) * 1000;
	await devtools.detach();
	return ms;
}

/**
 * Patterns whose cost once grew faster than their length; each is costly for a reason of its own. A table is laid out whole for every
 * row until it has as many as it may: it is measured in the long run alone, where both lengths are beyond that.
 */
const costly = ["- a\n\n", "- [ ] a\n", "> a\n\n", "+ a\n* b\n", "[a] "];

/**
 * An answer that arrives is measured at both lengths in one way: one that is opened again is rendered whole where it is short. Short
 * texts leave more to chance, so they only tell what grows in proportion from what grows with the square, which would be 16.
 */
const growing = isLong
	? { characters: 160_000, ways: [arriving, reopened], atMost: 4.5 }
	: { characters: 64_000, ways: [arriving], atMost: 6 };

/** What is measured again when it seems to grow too fast: what a browser does now and then falls into one of two figures. */
const rounds = 3;

for (const name of isLong ? Object.keys(single) : costly.map(pattern => JSON.stringify(pattern))) {
	test(`four times as much of ${name} costs at most ${growing.atMost} times as much`, async ({
		chat,
	}) => {
		test.setTimeout(600_000);
		await openCounted(chat);
		const make = single[name] ?? String;
		const workOf = (length: number): Promise<number> =>
			workFor(chat.page, ...growing.ways.map(way => way(make(length))));
		await workOf(growing.characters / 4);
		const growths: number[] = [];
		while (growths.length < rounds && Math.min(Infinity, ...growths) > growing.atMost) {
			const small = await workOf(growing.characters / 4);
			const large = await workOf(growing.characters);
			console.log(`${name}: ${small.toFixed(0)} and ${large.toFixed(0)} ms`);
			// Below this, waiting for quiet moments is most of it.
			growths.push(large / Math.max(small, 60));
		}
		expect(Math.min(...growths)).toBeLessThanOrEqual(growing.atMost);
	});
}

test("words below twenty lists or quotes still have lines of many letters", async ({ chat }) => {
	await chat.page.setViewportSize({ width: 300, height: 720 });
	await openCounted(chat);
	for (const text of [`${"- ".repeat(20)}Some words`, `${"> ".repeat(20)}Some words`]) {
		for (const steps of [arriving(text), reopened(text)]) {
			await chat.page.evaluate(showAnswer, steps);
			const words = await chat.page
				.locator(".markdown")
				.getByText("Some words")
				.last()
				.boundingBox();
			expect(words?.width).toBeGreaterThan(60);
			expect(words?.height).toBeLessThan(30);
		}
	}
});

test("a message whose formatting fails is plain text with a sentence, and the chat goes on @core", async ({
	chat,
}) => {
	await openCounted(chat);
	await chat.page.evaluate(() => {
		const { createElement } = document;
		document.createElement = (name: string) => {
			if (name === "blockquote") {
				throw new Error("Broken on purpose");
			}
			return createElement.call(document, name);
		};
	});
	for (const steps of [
		arriving("Before\n\n> quoted\n\nAfter\n\n> once more"),
		reopened("Before\n\n> quoted\n\nAfter"),
	]) {
		await chat.page.evaluate(showAnswer, steps);
		const answer = chat.page.getByRole("article", { name: "Assistant" });
		await expect(answer).toContainText("This message couldn't be formatted.");
		await expect(answer).toContainText("> quoted");
		await expect(answer).toContainText("After");
	}
	// Once while it arrived and once when it was opened again.
	const reports = await chat.requests("messageNotFormatted");
	expect(reports).toEqual(
		Array.from({ length: 2 }, () => ({ error: expect.stringContaining("Broken on purpose") })),
	);
	await chat.push({
		type: "turn-added",
		turn: turnOf("Next", [messageOf("**Fine**")], { id: "t2" }),
	});
	await expect(chat.page.locator("strong", { hasText: "Fine" })).toBeVisible();
});

test("an address in running text that no link can hold stays text, and the chat is drawn", async ({
	chat,
}) => {
	await openCounted(chat);
	await chat.page.evaluate(showAnswer, reopened(`https://a.b/${")".repeat(25_000)}`));
	const answer = chat.page.getByRole("article", { name: "Assistant" });
	await expect(answer).toContainText("https://a.b/)))");
	await expect(answer.getByRole("link")).toHaveCount(1);
});
