import type { ChatViewState } from "../../src/shared/chat.ts";
import { emptyQueueView } from "../../src/shared/queue.ts";
import { expect, test } from "./fixtures.ts";
import { broughtFonts, useFont } from "./fonts.ts";
import { overlapping, stickingOut, unreachable, wordsOutside } from "./room.ts";
import { emptyChat, messageOf, streaming, turnOf } from "./states.ts";

const answering: ChatViewState = {
	...emptyChat,
	turns: [turnOf("Go", [messageOf("Let me", { isFinished: false })], { status: streaming })],
};
const scenes: Readonly<Record<string, ChatViewState>> = {
	idle: emptyChat,
	"idle with a long id for a model": {
		...emptyChat,
		composer: {
			...emptyChat.composer,
			model: "mistral-large-instruct-2411-with-a-rather-long-suffix",
			canUseServerTools: false,
			context: { percent: 64, label: "Context: 64% of 8,192 tokens used" },
			instructions: {
				names: ["packages/a-long-name-of-a-package/AGENTS.md"],
				size: 40_000,
				isSent: true,
				note: "Only the first 32,000 characters will be sent.",
			},
			choices: ["System prompt", "Temperature 0.2"],
		},
	},
	answering,
	queue: {
		...answering,
		composer: {
			...answering.composer,
			context: { percent: 91, label: "Context: about 91% of 8,192 tokens used" },
		},
		queue: {
			...emptyQueueView,
			items: [
				{
					id: "a",
					text: "And then, what is the best way to sort these?",
					model: "llm-3.5-turbo",
					files: ["orders.csv"],
					isSending: false,
				},
			],
		},
	},
};

test("the model's name, its badge and its arrow are as high as the icons beside them", async ({
	chat,
}) => {
	await chat.page.setViewportSize({ width: 600, height: 600 });
	await chat.open(emptyChat);
	const middles = await chat.page
		.locator(".composer-bar .icon-button, .model-chosen > *")
		.evaluateAll(all =>
			all
				.filter(part => part.getClientRects().length > 0)
				.map(part => {
					const { top, bottom } = part.getBoundingClientRect();
					return (top + bottom) / 2;
				}),
		);
	expect(middles.length).toBeGreaterThan(4);
	expect(new Set(middles).size).toBe(1);
});

test("the use of a model's context is shown once it is known, and its details on a click", async ({
	chat,
}) => {
	await chat.open(emptyChat);
	const ring = chat.page.getByRole("button", { name: /^Context:/ });
	await expect(ring).toHaveCount(0);
	const show = (percent: number): Promise<void> =>
		chat.push({
			type: "composer",
			composer: { ...emptyChat.composer, context: { percent, label: `Context: ${percent}%` } },
		});
	const filled = (): Promise<string> =>
		ring.locator(".context-ring").evaluate(dot => getComputedStyle(dot).backgroundImage);
	await show(25);
	expect(await filled()).toContain("25%");
	const color = await ring.evaluate(each => getComputedStyle(each).color);
	await show(91);
	expect(await filled()).toContain("91%");
	expect(await ring.evaluate(each => getComputedStyle(each).color)).not.toBe(color);
	await ring.click();
	expect(await chat.requests("showContext")).toEqual([{}]);
});

test("the row stays one while an answer runs, and a menu holds the buttons that have no room", async ({
	chat,
}) => {
	const instructions = { names: ["AGENTS.md"], size: 2_100, isSent: true, note: null };
	const composer = {
		...emptyChat.composer,
		instructions,
		externalTools: {
			isAny: false,
			label: "Tools: 0 of 5 chosen",
		},
		context: {
			percent: 91,
			label: "Context: about 91%",
		},
	};
	const { page } = chat;
	await chat.open({ ...answering, composer });
	const bar = page.locator(".composer-bar");
	for (const width of [600, 440, 360, 300, 220]) {
		await page.setViewportSize({ width, height: 600 });
		await expect(page.getByRole("button", { name: "Stop" })).toBeVisible();
		expect((await bar.boundingBox())?.height, `${width} px`).toBeLessThan(34);
	}
	const more = page.getByRole("button", { name: "More options" });
	await more.click();
	await page.getByRole("menuitemcheckbox", { name: "Browsing", checked: false }).click();
	expect(await chat.requests("setServerTool")).toEqual([{ tool: "browsing", isOn: true }]);
	await more.click();
	await page.getByRole("menuitem", { name: "Tools: 0 of 5 chosen" }).click();
	expect(await chat.requests("chooseTools")).toEqual([{}]);
	await more.click();
	await page.getByRole("menuitem", { name: /^AGENTS\.md/ }).click();
	await page.getByRole("menuitemcheckbox", { name: "Send with every message" }).click();
	expect(await chat.requests("setInstructions")).toEqual([{ isOn: false }]);
	await page.setViewportSize({ width: 600, height: 600 });
	await expect(more).toBeHidden();
	await expect(page.getByRole("switch", { name: "Browsing" })).toBeVisible();
});

test("a chip of instructions shows the whole paths of all its files, at any width", async ({
	chat,
}) => {
	const names = ["AGENTS.md", "packages/some-very-long-name-of-a-package/src/deeper/AGENTS.md"];
	const instructions = { names, size: 2_100, isSent: true, note: null };
	await chat.open({ ...emptyChat, composer: { ...emptyChat.composer, instructions } });
	for (const width of [150, 300, 600]) {
		await chat.page.setViewportSize({ width, height: 600 });
		const name = chat.page.locator(".instructions-name");
		await expect(name).toContainText(names.join(", "));
		expect(await name.evaluate(each => each.scrollWidth <= each.clientWidth)).toBe(true);
	}
});

test("the project's instructions are a chip that leaves them out of the chat, and sends them again", async ({
	chat,
}) => {
	const show = (isSent: boolean, note: string | null = null): Promise<void> => {
		const instructions = { names: ["AGENTS.md", "web/AGENTS.md"], size: 2_100, isSent, note };
		return chat.push({ type: "composer", composer: { ...emptyChat.composer, instructions } });
	};
	await chat.open(emptyChat);
	const list = chat.page.getByRole("list", { name: "Project instructions" });
	await expect(list).toHaveCount(0);
	await show(true, "AGENTS.md is not sent: it may contain secrets.");
	await expect(list).toContainText("AGENTS.md, web/AGENTS.md");
	await expect(list).toContainText("it may contain secrets");
	await list.getByRole("button", { name: /^Leave out / }).click();
	await show(false);
	await expect(list).toContainText("not sent");
	await list.getByRole("button", { name: /^Send / }).click();
	await list.getByRole("button", { name: "AGENTS.md, web/AGENTS.md", exact: true }).click();
	expect(await chat.requests("setInstructions")).toEqual([{ isOn: false }, { isOn: true }]);
	expect(await chat.requests("openInstructions")).toEqual([{}]);
});

test("the workspace's own AGENTS.md is an icon whose menu opens it and leaves it out of the chat", async ({
	chat,
}) => {
	const instructions = { names: ["AGENTS.md"], size: 2_100, isSent: true, note: null };
	await chat.open({ ...emptyChat, composer: { ...emptyChat.composer, instructions } });
	await expect(chat.page.getByRole("list", { name: "Project instructions" })).toHaveCount(0);
	const icon = chat.page.getByRole("button", {
		name: "AGENTS.md, sent with every message (2.1 KB)",
	});
	await icon.click();
	await chat.page.getByRole("menuitemcheckbox", { name: "Send with every message" }).click();
	await icon.click();
	await chat.page.getByRole("menuitem", { name: "Open" }).click();
	expect(await chat.requests("setInstructions")).toEqual([{ isOn: false }]);
	expect(await chat.requests("openInstructions")).toEqual([{}]);
});

for (const [fontName, font] of Object.entries(broughtFonts)) {
	test(`the composer's row never overlaps, whatever it shows, in a font that is ${fontName}`, async ({
		chat,
	}) => {
		await useFont(chat.page, font);
		await chat.open(emptyChat);
		for (const [sceneName, scene] of Object.entries(scenes)) {
			await chat.page.setViewportSize({ width: 600, height: 600 });
			await chat.push({ type: "reset", state: scene });
			await chat.page.locator(".composer textarea").fill("And now?");
			await chat.page.evaluate(() => document.fonts.ready);
			expect(await chat.page.evaluate(() => document.fonts.check('13px "Brought"'))).toBe(true);
			for (const width of [600, 300, 210, 150]) {
				await chat.page.setViewportSize({ width, height: 600 });
				const found = {
					sceneName,
					width,
					overlapping: await overlapping(chat.page, ".composer-bar"),
					wordsOutside: await wordsOutside(chat.page, ".page-footer"),
					stickingOut: await stickingOut(chat.page),
					unreachable: await unreachable(chat.page),
				};
				expect(found).toEqual({
					sceneName,
					width,
					overlapping: [],
					wordsOutside: [],
					stickingOut: [],
					unreachable: [],
				});
			}
		}
	});
}
