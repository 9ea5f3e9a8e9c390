import type { Page } from "@playwright/test";
import type { ChatViewState } from "../../src/protocol/chat.ts";
import { expect, test } from "./fixtures.ts";
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

/** What reaches beyond the page's sides, unless it stands in a frame of its own that scrolls. */
function stickingOut(page: Page): Promise<string[]> {
	return page.evaluate(() => {
		const scrolls = (element: Element): boolean =>
			element.matches("pre, .table-frame, .screen-reader-only, select, textarea") ||
			(element.parentElement !== null && scrolls(element.parentElement));
		return [...document.querySelectorAll("main *")]
			.filter(element => !scrolls(element))
			.filter(element => {
				const { left, right, width } = element.getBoundingClientRect();
				return width > 0 && (left < -0.5 || right > document.documentElement.clientWidth + 0.5);
			})
			.map(
				element => `${element.localName}.${element.className}: ${element.outerHTML.slice(0, 90)}`,
			);
	});
}

/** The names of controls that a pointer cannot get at: they have no room, or something else lies over them. */
async function unreachable(page: Page): Promise<string[]> {
	return page.evaluate(() => {
		const controls = [...document.querySelectorAll("button, select, textarea, summary, a, input")];
		return controls
			.filter(control => control.checkVisibility())
			.filter(control => {
				control.scrollIntoView({ block: "center" });
				const { left, top, width, height } = control.getBoundingClientRect();
				const hit = document.elementFromPoint(left + width / 2, top + height / 2);
				return (
					width < 16 || height < 12 || !(hit && (control.contains(hit) || hit.contains(control)))
				);
			})
			.map(control => control.ariaLabel ?? control.textContent.trim());
	});
}

for (const width of [150, 210]) {
	for (const [name, state] of Object.entries(scenes)) {
		test(`${width} px wide, as at 200 % zoom: ${name} has room and every control can be pressed`, async ({
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
