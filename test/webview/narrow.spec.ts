import type { Locator } from "@playwright/test";
import type { ChatViewState } from "../../src/shared/chat.ts";
import { sheetScenes } from "../pictures/sheetScenes.ts";
import { expect, test } from "./fixtures.ts";
import { stickingOut, unreachable } from "./room.ts";
import {
	cardOf,
	emptyChat,
	endings,
	manyAttachments,
	messageOf,
	richAnswer,
	streaming,
	threeMessages,
	toolRun,
	turnOf,
} from "./states.ts";

/** Everything the page can show at once. */
const everything: ChatViewState = {
	...emptyChat,
	title: "A rather long title of a chat about grouping arrays",
	banner: { kind: "warning", text: "History cannot be saved: the disk is full." },
	attachments: manyAttachments,
	composer: { ...emptyChat.composer, model: "llm-4-turbo", canUseServerTools: false },
	turns: [
		toolRun,
		turnOf("Write a **function**.", [messageOf(richAnswer)], {
			id: "rich",
			videos: [cardOf({ tone: "failed", label: "Link expired" })],
		}),
		threeMessages,
		...endings,
		turnOf("And now?", [messageOf("Let me see, the **first", { isFinished: false })], {
			id: "running",
			status: { ...streaming, notice: "Still waiting…" },
		}),
	],
};

const scenes: Readonly<Record<string, ChatViewState>> = {
	"an empty chat": emptyChat,
	"an empty chat without tools": {
		...emptyChat,
		connection: { kind: "remote", label: "a-rather-long-host-name.example.com", hasKey: false },
		toolsOff: "This workspace is not trusted.",
	},
	everything,
};

test("an empty chat is in the middle of the view", async ({ chat }) => {
	await chat.page.setViewportSize({ width: 300, height: 700 });
	await chat.open(emptyChat);
	const box = await chat.page.locator(".model-box").first().boundingBox();
	const [before, after] = box ? [box.x, 300 - box.x - box.width] : [0, 100];
	// One side has room for the scroll bar.
	expect(Math.abs(before - after)).toBeLessThanOrEqual(6);
});

test("a number of three digits in front of an item shows its first digit, however long the answer", async ({
	chat,
}) => {
	await chat.page.setViewportSize({ width: 300, height: 700 });
	const text = `98. two digits\n99. also two\n100. three digits\n\n${"Some words.\n\n".repeat(1000)}`;
	await chat.open({ ...emptyChat, turns: [turnOf("Go", [messageOf(text)])] });
	const item = (words: string): Locator => chat.page.getByText(words, { exact: true });
	await expect(item("Some words.").last()).toBeInViewport();
	await chat.page.locator(".scroller").evaluate(element => element.scrollTo(0, 0));
	await expect(item("three digits")).toBeInViewport();
	/** What is drawn left of the text's edge, where only a third digit is. */
	const margin = async (words: string): Promise<string> => {
		const { y = 0, height = 0 } = (await item(words).boundingBox()) ?? {};
		const clip = { x: 2, y: y + 2, width: 13, height: height - 4 };
		return (await chat.page.screenshot({ clip })).toString("base64");
	};
	expect(await margin("also two")).toBe(await margin("two digits"));
	expect(await margin("three digits")).not.toBe(await margin("two digits"));
});

test("a changed line at 150 px breaks between its words", async ({ chat }) => {
	await chat.page.setViewportSize({ width: 150, height: 700 });
	await chat.open(sheetScenes["a change that waits for Allow"] ?? emptyChat);
	const line = chat.page.locator(".tool-line").filter({ hasText: "OrderLine" });
	const rows = await line.evaluate(element => {
		const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
		let text = texts.nextNode();
		while (text?.textContent?.includes("OrderLine") === false) {
			text = texts.nextNode();
		}
		const range = document.createRange();
		const at = text?.textContent?.indexOf("OrderLine") ?? -1;
		range.setStart(text ?? element, at);
		range.setEnd(text ?? element, at + "OrderLine".length);
		return range.getClientRects().length;
	});
	expect(rows).toBe(1);
});

test("code in neighboring lines of prose does not touch", async ({ chat }) => {
	await chat.page.setViewportSize({ width: 300, height: 700 });
	const code = "`onlyInOneOfManyLines` `onlyInTheNextOfManyLines` `onlyInTheLast`";
	await chat.open({ ...emptyChat, turns: [turnOf("Go", [messageOf(code)])] });
	await expect(chat.page.locator(".markdown code")).toHaveCount(3);
	const boxes = await chat.page
		.locator(".markdown code")
		.evaluateAll(all =>
			all.map(one => one.getBoundingClientRect()).map(({ top, bottom }) => ({ top, bottom })),
		);
	for (const [index, { bottom }] of boxes.slice(0, -1).entries()) {
		expect((boxes[index + 1]?.top ?? 0) - bottom).toBeGreaterThanOrEqual(1);
	}
});

for (const width of [150, 210]) {
	for (const [name, state] of Object.entries(scenes)) {
		test(`${width} px wide, as at 200 % zoom: ${name} has room and every control can be pressed @core`, async ({
			chat,
		}) => {
			await chat.page.setViewportSize({ width, height: 480 });
			await chat.open(state);
			await expect(chat.page.locator(".turn, .empty").first()).toBeVisible();
			expect(await stickingOut(chat.page)).toEqual([]);
			expect(await unreachable(chat.page)).toEqual([]);
		});
	}
}

test("150 × 360 px, as at 200 % zoom: the conversation has half of the view, and the rest of the bar is in a menu", async ({
	chat,
}) => {
	await chat.page.setViewportSize({ width: 150, height: 360 });
	const { model } = emptyChat.composer;
	await chat.open({
		...emptyChat,
		title: "A rather long title of a chat",
		attachments: { ...manyAttachments, offeredModel: null, budget: null },
		composer: { ...emptyChat.composer, model },
		turns: [threeMessages],
	});
	const box = await chat.page.locator(".scroller").boundingBox();
	expect(box?.height).toBeGreaterThanOrEqual(180);
	expect(await unreachable(chat.page)).toEqual([]);
	const attach = chat.page.getByRole("button", { name: "Attach files" });
	await expect(attach).toBeHidden();
	await chat.page.getByRole("button", { name: "More options" }).click();
	await chat.page.getByRole("menuitem", { name: "Attach files" }).click();
	expect(await chat.requests("attachFiles")).toEqual([{}]);
	await chat.page.setViewportSize({ width: 300, height: 700 });
	await expect(chat.page.getByRole("button", { name: "More options" })).toBeHidden();
});

test("the icons' font is loaded before the page's script has run, so icons come with the first text", async ({
	page,
	harness,
}) => {
	let run = (): void => undefined;
	const mayRun = new Promise<void>(resolve => (run = resolve));
	await page.route("**/chat.js", async route => {
		await mayRun;
		await route.continue();
	});
	const isLoaded = page.waitForResponse("**/codicon.ttf");
	const opening = page.goto(harness.urlOf("dark"));
	expect((await isLoaded).ok()).toBe(true);
	run();
	await opening;
	const sources = await page.evaluate(() =>
		performance.getEntriesByType("resource").filter(({ name }) => name.includes("codicon.ttf")),
	);
	expect(sources).toHaveLength(1);
});

test("icons keep their width while their font loads, so nothing moves and every control can be pressed", async ({
	chat,
}) => {
	const sizes = (): Promise<string[]> =>
		chat.page
			.locator(".codicon")
			.evaluateAll(icons =>
				icons.map(icon => `${icon.className}: ${icon.getBoundingClientRect().width}`),
			);
	await chat.page.setViewportSize({ width: 210, height: 480 });
	await chat.open(everything);
	const withFont = await sizes();
	await chat.page.route(/\/codicon\.ttf/, route => route.abort());
	await chat.open(everything);
	expect(await sizes()).toEqual(withFont);
	expect(await unreachable(chat.page)).toEqual([]);
});

test("300 px wide, a table of three short columns ends inside its border", async ({ chat }) => {
	await chat.page.setViewportSize({ width: 300, height: 600 });
	const table =
		"| Way | Keys | Cost |\n| :-- | :-: | --: |\n| `groupBy` above | any | O(n²) |\n| `Object.groupBy` | strings | O(n) |\n";
	await chat.open({ ...emptyChat, turns: [turnOf("Go", [messageOf(table)])] });
	const frame = chat.page.locator(".table-frame");
	await expect(frame).toBeVisible();
	const beyond = await frame.evaluate(each => each.scrollWidth - each.clientWidth);
	expect(beyond).toBe(0);
});
