import type { Page } from "@playwright/test";
import type { ChatViewState } from "../../src/shared/chat.ts";
import { expect, test } from "./fixtures.ts";
import { ownWords, stringsIn } from "./ownWords.ts";
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

const scenes: Readonly<Record<string, ChatViewState>> = {
	"an empty chat": { ...emptyChat, toolsOff: "No folder is open." },
	"an empty chat with another service": {
		...emptyChat,
		connection: { kind: "remote", label: "service.example.com", hasKey: false },
	},
	"attachments and tools": { ...emptyChat, turns: [toolRun], attachments: manyAttachments },
	"an answer with everything": {
		...emptyChat,
		turns: [
			threeMessages,
			turnOf("Write a function.", [messageOf(richAnswer)], { videos: [cardOf()] }),
		],
	},
	"a running answer": {
		...emptyChat,
		composer: { ...emptyChat.composer, model: "llm-4-turbo", canUseServerTools: false },
		turns: [turnOf("And now?", [], { status: streaming })],
	},
	"every ending": { ...emptyChat, turns: [...endings] },
};

test.describe("In another language", () => {
	for (const [name, state] of Object.entries(scenes)) {
		test(`every word of ours is translated in ${name}, and has room when it is half as long again`, async ({
			chat,
		}) => {
			await chat.open(state, "dark", "bracketed");
			const given = stringsIn(state);
			const english = (await ownWords(chat.page)).filter(
				words => !/[⟦⟧]|^\//.test(words) && !given.some(text => text.includes(words)),
			);
			expect(english).toEqual([]);
			for (const width of [150, 300, 600]) {
				await chat.page.setViewportSize({ width, height: 900 });
				expect(await stickingOut(chat.page), `${width} px`).toEqual([]);
			}
		});
	}
});

/** What is wider than the page, apart from what scrolls by itself; and whether the page does. */
async function stickingOut(page: Page): Promise<string[]> {
	return page.evaluate(() => {
		const scrollers = "pre, .table-frame, .screen-reader-only, .conversation .tool-text";
		const { clientWidth } = document.documentElement;
		return [...document.querySelectorAll<HTMLElement>("body *")]
			.filter(element => !element.closest(scrollers) && element.checkVisibility())
			.filter(element => {
				const { left, right, width } = element.getBoundingClientRect();
				return width > 0 && (right > clientWidth + 1 || left < -1);
			})
			.map(
				element =>
					`${element.tagName} ${element.className} ${element.textContent?.trim().slice(0, 30)}`,
			);
	});
}
