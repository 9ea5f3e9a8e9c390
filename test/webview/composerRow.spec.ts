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
			choices: ["System prompt", "Temperature 0.2"],
		},
	},
	answering,
	queue: {
		...answering,
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
			all.map(part => {
				const { top, bottom } = part.getBoundingClientRect();
				return (top + bottom) / 2;
			}),
		);
	expect(middles.length).toBeGreaterThan(4);
	expect(new Set(middles).size).toBe(1);
});

for (const [fontName, font] of Object.entries(broughtFonts)) {
	for (const [sceneName, scene] of Object.entries(scenes)) {
		test(`the composer's row never overlaps, ${sceneName}, in a font that is ${fontName}`, async ({
			chat,
		}) => {
			await useFont(chat.page, font);
			await chat.page.setViewportSize({ width: 600, height: 600 });
			await chat.open(scene);
			await chat.page.locator(".composer textarea").fill("And now?");
			await chat.page.evaluate(() => document.fonts.ready);
			expect(await chat.page.evaluate(() => document.fonts.check('13px "Brought"'))).toBe(true);
			for (const width of [600, 300, 210, 150]) {
				await chat.page.setViewportSize({ width, height: 600 });
				const found = {
					width,
					overlapping: await overlapping(chat.page, ".composer-bar"),
					wordsOutside: await wordsOutside(chat.page, ".page-footer"),
					stickingOut: await stickingOut(chat.page),
					unreachable: await unreachable(chat.page),
				};
				expect(found).toEqual({
					width,
					overlapping: [],
					wordsOutside: [],
					stickingOut: [],
					unreachable: [],
				});
			}
		});
	}
}
