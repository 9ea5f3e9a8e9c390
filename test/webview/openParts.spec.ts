import type { ChatViewState } from "../../src/shared/chat.ts";
import { violations } from "./axe.ts";
import { type ChatPage, expect, inEveryTheme, test } from "./fixtures.ts";
import type { PageLanguage } from "./harness.ts";
import { ownWords, stringsIn } from "./ownWords.ts";
import { stickingOut, unreachable } from "./room.ts";
import { chatSettings, emptyChat, messageOf, turnOf } from "./states.ts";

/** A part of the page that is there only once it was opened. */
interface OpenPart {
	readonly state: ChatViewState;
	/** What the host answers, by method. */
	readonly answers?: Readonly<Record<string, unknown>>;
	/** Opens it with the keys and classes that are the same in every language; resolves once it shows. */
	readonly open: (chat: ChatPage) => Promise<void>;
}

const asked: ChatViewState = {
	...emptyChat,
	title: "Cuts",
	turns: [
		turnOf("What is a cutaway?", [messageOf("A shot you cut to and come back from.")], {
			version: { number: 2, count: 3 },
		}),
	],
};

const offers = [
	["/new", "Start a new chat, the one before stays in the history", "command"],
	["/a-prompt-with-a-rather-long-name ", "Reviews a file of this project", "prompt"],
	["/explain ", "Explains a file of this project", "prompt"],
].map(([insert = "", detail = "", kind = ""]) => ({
	id: insert,
	kind,
	label: insert.trim(),
	detail,
	matches: [],
	insert,
	takesMore: insert.endsWith(" "),
}));

async function find(chat: ChatPage, words: string, count: RegExp): Promise<void> {
	await chat.page.locator("textarea").first().focus();
	await chat.page.keyboard.press("ControlOrMeta+f");
	const field = chat.page.locator(".find-field input");
	await expect(field).toBeFocused();
	await chat.page.keyboard.type(words);
	await expect(chat.page.locator(".find-count")).toHaveText(count);
}

const openSettings = async ({ page }: ChatPage): Promise<void> => {
	const button = page.locator(".composer .codicon-settings").first();
	const more = page.getByRole("button", { name: "More options" });
	await expect(button.or(more).filter({ visible: true }).first()).toBeVisible();
	if (await more.isVisible()) {
		await more.click();
		await page.getByRole("menuitem", { name: "Chat settings" }).click();
	} else {
		await button.click();
	}
	await expect(page.locator("[role=dialog] textarea").first()).toBeFocused();
};

const parts: Readonly<Record<string, OpenPart>> = {
	"the search": { state: asked, open: chat => find(chat, "cut", /2/) },
	"a search that finds nothing": { state: asked, open: chat => find(chat, "zebra", /\p{L}/u) },
	"the settings of a chat": {
		state: asked,
		answers: { chatSettings },
		open: openSettings,
	},
	"settings of a chat that are wrong": {
		state: asked,
		answers: {
			chatSettings,
			saveChatSettings: {
				faults: [{ name: "temperature", sentence: "Temperature is a number from 0 to 2." }],
			},
		},
		open: async chat => {
			await openSettings(chat);
			const field = chat.page
				.locator("[role=dialog] input[type=text], [role=dialog] input")
				.first();
			await field.press("Enter");
			await expect(chat.page.locator("[role=dialog] [aria-invalid=true]")).toBeFocused();
		},
	},
	"the menu of models beside Retry": {
		state: asked,
		open: async ({ page }) => {
			await page.locator(".retry-menu").last().press("Enter");
			await expect(page.locator("[role=menuitem]").first()).toBeFocused();
		},
	},
	"the list of commands": {
		state: asked,
		answers: { completeCommand: { offers } },
		open: async ({ page }) => {
			await page.locator("textarea").first().pressSequentially("/");
			await expect(page.locator("[role=option]")).toHaveCount(3);
		},
	},
	"a diagram that is drawn": {
		state: {
			...emptyChat,
			turns: [turnOf("Go", [messageOf("```mermaid\ngraph TD\n  A[Ask] --> B{Enough?}\n```")])],
		},
		open: async ({ page }) => {
			await page.locator(".draw-diagram").click();
			const drawn = page.locator("iframe.diagram").contentFrame().getByText("Enough?");
			await expect(drawn).toBeVisible({ timeout: 60_000 });
		},
	},
	"a diagram that cannot be drawn": {
		state: {
			...emptyChat,
			turns: [turnOf("Go", [messageOf("```mermaid\nmindmap\n  root\n    a\n```")])],
		},
		open: async ({ page }) => {
			await page.locator(".draw-diagram").click();
			await expect(page.locator(".diagram-problem")).toBeVisible({ timeout: 60_000 });
		},
	},
	"a chat of another window": {
		state: {
			...asked,
			banner: { kind: "info", text: "This chat is open in another window.", action: "useHere" },
		},
		open: async ({ page }) => expect(page.locator(".banner-action")).toBeVisible(),
	},
	"a chat of which parts could not be read": {
		state: {
			...asked,
			banner: {
				kind: "warning",
				text: `Parts of this chat could not be read. The file is kept as it was found at /home/person/${"folder/".repeat(12)}chat.jsonl.`,
			},
		},
		open: async ({ page }) => expect(page.locator(".banner-warning")).toBeVisible(),
	},
};

async function openPart(
	chat: ChatPage,
	{ state, answers = {}, open }: OpenPart,
	language: PageLanguage = "en",
): Promise<void> {
	await chat.open(state, "dark", language);
	for (const [method, result] of Object.entries(answers)) {
		await chat.answer(method, result);
	}
	await open(chat);
}

for (const [name, part] of Object.entries(parts)) {
	test(`axe finds nothing in ${name}, in every theme`, async ({ chat }) => {
		await openPart(chat, part);
		await inEveryTheme(chat.page, async () => expect(await violations(chat.page)).toEqual([]));
	});

	for (const width of [150, 300]) {
		test(`${width} px wide, ${name} has room and every control can be pressed`, async ({
			chat,
		}) => {
			await chat.page.setViewportSize({ width, height: 600 });
			await openPart(chat, part);
			expect(await stickingOut(chat.page)).toEqual([]);
			expect(await unreachable(chat.page)).toEqual([]);
		});
	}

	test(`every word of ours is translated in ${name}, and has room`, async ({ chat }) => {
		await chat.page.setViewportSize({ width: 300, height: 600 });
		await openPart(chat, part, "bracketed");
		const given = [...stringsIn(part.state), ...stringsIn(part.answers)];
		const english = (await ownWords(chat.page)).filter(
			words => !/[⟦⟧]|^\//.test(words) && !given.some(text => text.includes(words)),
		);
		expect(english).toEqual([]);
		expect(await stickingOut(chat.page)).toEqual([]);
	});
}
