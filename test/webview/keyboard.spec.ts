import type { Page } from "@playwright/test";
import type { ChatViewState } from "../../src/shared/chat.ts";
import { type ChatPage, expect, test } from "./fixtures.ts";
import {
	attachmentOf,
	cardOf,
	emptyChat,
	endings,
	manyAttachments,
	messageOf,
	noAttachments,
	richAnswer,
	streaming,
	threeMessages,
	turnOf,
} from "./states.ts";

const running: ChatViewState = { ...emptyChat, turns: [turnOf("Go", [], { status: streaming })] };

const everything: ChatViewState = {
	...emptyChat,
	attachments: manyAttachments,
	turns: [
		threeMessages,
		turnOf("Write a **function**.", [messageOf(richAnswer)], {
			id: "rich",
			videos: [cardOf()],
		}),
		...endings,
	],
};

interface Stop {
	readonly name: string;
	readonly isSeen: boolean;
}

/** What has the focus, and whether an eye finds it: a ring, or the box around the text. */
function focused(page: Page): Promise<Stop | undefined> {
	return page.evaluate(() => {
		const element = document.activeElement;
		if (!element || element === document.body) {
			return undefined;
		}
		const ringed = element.closest(".composer-text") ? element.closest(".composer") : element;
		const { outlineStyle, outlineWidth, borderColor } = getComputedStyle(ringed ?? element);
		const { width, height, top, bottom } = element.getBoundingClientRect();
		const probe = document.createElement("i");
		probe.style.color = "var(--focus)";
		document.body.append(probe);
		const focusColor = getComputedStyle(probe).color;
		probe.remove();
		let opacity = 1;
		for (let node: Element | null = element; node; node = node.parentElement) {
			opacity *= Number(getComputedStyle(node).opacity);
		}
		const hasRing =
			(outlineStyle !== "none" && Number.parseFloat(outlineWidth) >= 1) ||
			borderColor === focusColor;
		const isInSight = width > 0 && height > 0 && bottom > 0 && top < innerHeight;
		return {
			name: element.ariaLabel ?? element.textContent.trim(),
			isSeen: hasRing && isInSight && opacity >= 0.5,
		};
	});
}

/** The same once the page is at rest: messages that come near the screen are drawn in the frames after it moved. */
async function focusedAtRest(page: Page): Promise<Stop | undefined> {
	let stop = await focused(page);
	for (let waits = 0; stop?.isSeen === false && waits < 10; waits++) {
		await page.waitForTimeout(50);
		stop = await focused(page);
	}
	return stop;
}

/** Goes through the page with Tab until it is left, at most `limit` times. */
async function tabThrough(page: Page, limit = 200): Promise<Stop[]> {
	const stops: Stop[] = [];
	await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
	for (let presses = 0; presses < limit; presses++) {
		await page.keyboard.press("Tab");
		const stop = await focusedAtRest(page);
		if (!stop) {
			break;
		}
		stops.push(stop);
	}
	return stops;
}

for (const theme of ["dark", "high-contrast"] as const) {
	test(`Wherever Tab stops, the focus is seen (${theme})`, async ({ chat }) => {
		await chat.open(everything, theme);
		const stops = await tabThrough(chat.page);
		expect(stops.filter(({ isSeen }) => !isSeen)).toEqual([]);
		const reached = stops.map(({ name }) => name);
		for (const name of ["Copy code", "Apply", "Remove .env", "Show the error", "Message", "Open"]) {
			expect(reached).toContain(name);
		}
	});
}

test("Wherever Tab stops, the focus is seen in the system's own colors", async ({ chat }) => {
	await chat.page.emulateMedia({ forcedColors: "active" });
	await chat.open(everything);
	const stops = await tabThrough(chat.page);
	expect(stops.length).toBeGreaterThan(20);
	const unseen = stops.filter(({ isSeen, name }) => !isSeen && name !== "Message");
	expect(unseen).toEqual([]);
	await chat.page.getByRole("textbox", { name: "Message" }).focus();
	await expect(chat.page.locator(".composer")).toHaveCSS("outline-style", "solid");
});

test("Nothing moves for who asked for less motion", async ({ chat }) => {
	await chat.open(running);
	const moving = await chat.page.evaluate(() =>
		document.getAnimations().map(animation => (animation as CSSAnimation).animationName),
	);
	expect(moving.filter(name => name !== "announced" && name !== "copied")).toEqual([]);
	await expect(chat.page.locator(".scroller")).toHaveCSS("scroll-behavior", "auto");
});

test.describe("The focus stays on the page", () => {
	const button = (chat: ChatPage, name: string) =>
		chat.page.getByRole("button", { name, exact: true });
	const message = (chat: ChatPage) => chat.page.getByRole("textbox", { name: "Message" });

	test("when Send has become Stop, and Stop has become Send", async ({ chat }) => {
		await chat.open(emptyChat);
		await message(chat).fill("Go");
		await button(chat, "Send").focus();
		await chat.page.keyboard.press("Enter");
		await chat.push({ type: "turn-added", turn: turnOf("Go", [], { status: streaming }) });
		await expect(message(chat)).toBeFocused();
		await button(chat, "Stop").focus();
		await chat.page.keyboard.press("Enter");
		await chat.push({ type: "status", turnId: "turn", status: { state: "stopped", actions: [] } });
		await expect(button(chat, "Stop")).toHaveCount(0);
		await expect(message(chat)).toBeFocused();
	});

	test("when an attachment is removed: at the next, and at last in the text", async ({ chat }) => {
		const items = ["a.csv", "b.csv", "c.csv"].map(name => attachmentOf(name));
		const withItems = (...kept: readonly number[]) => ({
			...noAttachments,
			items: kept.flatMap(index => items[index] ?? []),
		});
		await chat.open({ ...emptyChat, attachments: withItems(0, 1, 2) });
		await button(chat, "Remove b.csv").focus();
		await chat.push({ type: "attachments", attachments: withItems(0, 2) });
		await expect(button(chat, "Remove c.csv")).toBeFocused();
		await chat.push({ type: "attachments", attachments: withItems(0) });
		await expect(button(chat, "Remove a.csv")).toBeFocused();
		await chat.push({ type: "attachments", attachments: withItems() });
		await expect(message(chat)).toBeFocused();
	});

	test("when Retry goes away with the answer it was below: in the same turn", async ({ chat }) => {
		await chat.open({ ...emptyChat, turns: [turnOf("Go", [messageOf("Forty-two.")])] });
		await button(chat, "Retry").focus();
		await chat.push(
			{ type: "answer-cleared", turnId: "turn" },
			{ type: "status", turnId: "turn", status: streaming },
		);
		await expect(button(chat, "Retry")).toHaveCount(0);
		await expect(chat.page.locator("[data-turn=turn] :focus")).toHaveCount(1);
	});

	test("when a question of a tool has been answered: in the message box @core", async ({
		chat,
	}) => {
		const card = {
			id: "call-1",
			after: 0,
			title: "Edit files",
			name: "apply_edit",
			argumentsText: "{}",
		};
		const approval = { requestId: "r", files: [], warnings: [], hunks: [], canRemember: false };
		const asking = { ...card, state: "asking" as const, approval };
		await chat.open({
			...emptyChat,
			turns: [turnOf("Go", [], { status: streaming, tools: [asking] })],
		});
		const allow = button(chat, "Allow");
		await expect(allow).toBeEnabled();
		await allow.focus();
		await chat.page.keyboard.press("Enter");
		expect(await chat.requests("answerTool")).toHaveLength(1);
		await chat.push({ type: "tool-card", turnId: "turn", card: { ...card, state: "running" } });
		await expect(allow).toHaveCount(0);
		await expect(chat.page.getByRole("textbox", { name: "Message" })).toBeFocused();
	});

	test("and is left alone when something else goes away", async ({ chat }) => {
		await chat.open({ ...emptyChat, turns: [turnOf("Go", [messageOf("Forty-two.")])] });
		await button(chat, "Attach files").focus();
		await chat.push(
			{ type: "answer-cleared", turnId: "turn" },
			{ type: "status", turnId: "turn", status: streaming },
		);
		await expect(button(chat, "Attach files")).toBeFocused();
	});
});

test("letters typed after a click on an answer are in the message, and keys that are no letters stay where they are @core", async ({
	chat,
}) => {
	await chat.open(everything);
	const { page } = chat;
	const box = page.locator(".composer-text");
	const button = page.getByRole("article").getByRole("button").first();
	await button.focus();
	await page.keyboard.press("Shift");
	await page.keyboard.press("ControlOrMeta+B");
	await expect(button).toBeFocused();
	await page.keyboard.type("and now?");
	await expect(box).toBeFocused();
	await expect(box).toHaveValue("and now?");
});

test("letters typed in an open menu stay there, and Escape closes the menu without stopping the answer", async ({
	chat,
}) => {
	const { page } = chat;
	await page.setViewportSize({ width: 220, height: 600 });
	await chat.open(running);
	const more = page.getByRole("button", { name: "More options" });
	await more.click();
	const item = page.getByRole("menu").locator(":focus");
	await expect(item).toBeVisible();
	await page.keyboard.press("z");
	await expect(item).toBeVisible();
	await page.keyboard.press("Escape");
	await expect(page.getByRole("menu")).toHaveCount(0);
	await expect(more).toBeFocused();
	expect(await chat.requests("stop")).toEqual([]);
});
