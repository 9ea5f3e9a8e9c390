import type { AttachmentsView } from "../../src/shared/attachments.ts";
import { type ChatPage, expect, test } from "./fixtures.ts";
import { overlapping, wordsOutside } from "./room.ts";
import { attachmentOf, emptyChat, manyAttachments, streaming, toolRun } from "./states.ts";

const gone = {
	type: "failed",
	sentence: "This file no longer exists. Restore it and retry, or remove it.",
	serviceMessage: null,
	canRetry: true,
	mayBeCharged: false,
} as const;

test.describe("Chips", () => {
	test("leave no gap within the name of a file", async ({ chat }) => {
		const names = ["report.docx", "data.sqlite3", "quarterly.docx", "a.ts:12-48", "orders.csv"];
		await chat.open({
			...emptyChat,
			attachments: { ...manyAttachments, items: names.map(name => attachmentOf(name)) },
		});
		const gaps = await chat.page.locator(".file-name").evaluateAll(all =>
			all.map(name => {
				const widths = [...name.children].map(part => {
					const range = document.createRange();
					range.selectNodeContents(part);
					return part.getBoundingClientRect().width - range.getBoundingClientRect().width;
				});
				return Math.max(...widths);
			}),
		);
		expect(gaps).toHaveLength(names.length);
		expect(Math.max(...gaps)).toBeLessThan(1);
	});

	test("are one line each in a side bar, and say how much room is taken from half of it on @core", async ({
		chat,
	}) => {
		const items = [
			attachmentOf("orders.csv", { canSwitchUse: true }),
			attachmentOf("pricing.ts:12-48", { use: "read" }),
			attachmentOf("a very long name of a table that goes on and on.csv", { canSwitchUse: true }),
			attachmentOf("a very long name of a table that was uploaded before.csv", {
				state: { type: "uploaded", isReused: true },
			}),
			attachmentOf("a very long name of a spreadsheet that goes on and on.xlsx", {
				state: { type: "uploading", sentBytes: 2_100_000, isDelayed: false },
			}),
		];
		const withTaken = (characters: number): AttachmentsView => ({
			...manyAttachments,
			items,
			offeredModel: null,
			budget: {
				characters,
				limit: 2e5,
			},
		});
		await chat.page.setViewportSize({ width: 300, height: 600 });
		await chat.open({ ...emptyChat, attachments: withTaken(100_000) });
		for (const chip of await chat.page.locator(".attachment").all()) {
			const lines = (await chip.getByText("Already uploaded").count()) + 1;
			expect((await chip.boundingBox())?.height).toBeLessThan(lines * 24 + 12);
		}
		const use = chat.page.getByRole("switch", { name: "For Python: orders.csv" });
		expect((await use.boundingBox())?.width, "an icon without a word").toBeLessThan(30);
		expect(await overlapping(chat.page, ".attachments")).toEqual([]);
		expect(await wordsOutside(chat.page, ".attachments")).toEqual([]);
		for (const button of await chat.page.getByRole("button", { name: /^Remove/ }).all()) {
			const { x = 0, width = 0 } = (await button.boundingBox()) ?? {};
			expect(x + width).toBeLessThanOrEqual(300);
		}
		await expect(chat.page.getByRole("meter")).toHaveCount(0);
		await chat.push({ type: "attachments", attachments: withTaken(100_001) });
		await expect(chat.page.getByRole("meter")).toBeVisible();
	});

	test("of an image shows the image, asked for once; one that waits for a yes is not asked for", async ({
		chat,
	}) => {
		const pixel =
			"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
		const items = [
			attachmentOf("beans.png", { kind: "image" }),
			attachmentOf("secret.png", {
				kind: "image",
				state: { type: "unconfirmed", sentence: "Outside the workspace" },
			}),
		];
		const attachments = { ...manyAttachments, items, offeredModel: null };
		await chat.open(emptyChat);
		await chat.answer("attachedImage", { base64: pixel });
		await chat.push({ type: "attachments", attachments });
		const picture = chat.page.locator(".attachment-image");
		await expect(picture).toHaveCount(1);
		await expect(picture).toBeVisible();
		await expect(chat.page.locator(".attachment").first().locator("> .codicon")).toBeHidden();
		expect(await picture.evaluate((each: HTMLCanvasElement) => [each.width, each.height])).toEqual([
			40, 40,
		]);
		await chat.push({ type: "attachments", attachments: { ...attachments, budget: null } });
		expect(await chat.requests("attachedImage")).toEqual([{ id: items[0]?.id }]);
	});

	test("of what is selected in the editor is dashed and attaches it on a click", async ({
		chat,
	}) => {
		const attachments = { ...emptyChat.attachments, selection: "cart.ts:36-42" };
		await chat.open({ ...emptyChat, attachments });
		const pill = chat.page.locator(".attachment.offered");
		expect(await pill.evaluate(each => getComputedStyle(each).borderTopStyle)).toBe("dashed");
		await pill.getByRole("button", { name: "Attach the selection cart.ts:36-42" }).click();
		expect(await chat.requests("attachSelection")).toEqual([{}]);
		await chat.push({ type: "attachments", attachments: emptyChat.attachments });
		await expect(pill).toHaveCount(0);
	});

	test("T30: say how many characters are hidden in them, and show them on a click", async ({
		chat,
	}) => {
		const items = [
			attachmentOf("notes.md", { use: "read", hidden: 13 }),
			attachmentOf("one.md", { use: "read", hidden: 1 }),
			attachmentOf("plain.md", { use: "read" }),
		];
		await chat.page.setViewportSize({ width: 300, height: 600 });
		await chat.open({
			...emptyChat,
			attachments: { ...manyAttachments, items, offeredModel: null },
		});
		await expect(chat.page.locator(".attachment-hidden")).toHaveText([
			/13 hidden characters/,
			/1 hidden character\s*$/,
		]);
		await chat.page.getByRole("button", { name: "13 hidden characters" }).focus();
		await chat.page.keyboard.press("Enter");
		expect(await chat.requests("showHidden")).toEqual([{ id: "notes.md" }]);
	});

	test("say name, size and state, and are worked with the keyboard alone @core", async ({
		chat,
	}) => {
		await chat.open({ ...emptyChat, attachments: manyAttachments });
		const list = chat.page.getByRole("list", { name: "Attachments", exact: true });
		await expect(list.locator(":scope > li")).toHaveCount(7);
		await expect(list).toContainText("Uploading 42%");
		await expect(chat.page.getByText("141,204 of 200,000 characters")).toBeVisible();
		await chat.page.getByRole("switch", { name: "For Python: orders.csv" }).focus();
		await chat.page.keyboard.press("Space");
		expect(await chat.requests("setAttachmentUse")).toEqual([{ ids: ["orders.csv"], use: "read" }]);
		await chat.page.keyboard.press("Tab");
		await expect(chat.page.getByRole("button", { name: "Remove orders.csv" })).toBeFocused();
		await chat.page.keyboard.press("Enter");
		expect(await chat.requests("removeAttachments")).toEqual([{ ids: ["orders.csv"] }]);
		await chat.page.getByRole("button", { name: "Retry archive.zip" }).click();
		expect(await chat.requests("retryAttachment")).toEqual([{ id: "archive.zip" }]);
		await chat.page.getByRole("button", { name: "Review .env" }).click();
		expect(await chat.requests("confirmAttachment")).toEqual([{ id: ".env" }]);
	});

	test("are opened by a click on their name, removed by Delete, and say path and size when hovered @core", async ({
		chat,
	}) => {
		const canOpen = true as const;
		const address = { path: "https://a.example/b", kind: "page", size: 2048 } as const;
		const items = [
			attachmentOf("A page", { ...address, canOpen }),
			attachmentOf("cart.ts", { kind: "text", size: 2048, canOpen }),
		];
		await chat.open({ ...emptyChat, attachments: { ...manyAttachments, items } });
		for (const name of ["A page", "cart.ts"]) {
			await chat.page.getByRole("button", { name, exact: true }).click();
		}
		expect(await chat.requests("openAttachment")).toEqual([{ id: "A page" }, { id: "cart.ts" }]);
		await chat.page.keyboard.press("Control+Delete");
		await chat.page.keyboard.down("Delete");
		// A held key repeats.
		await chat.page.keyboard.down("Delete");
		await chat.page.keyboard.up("Delete");
		expect(await chat.requests("removeAttachments")).toEqual([{ ids: ["cart.ts"] }]);
		const titles = chat.page.locator(".attachment, .attachment [title]:not(.icon-button)");
		expect(await titles.evaluateAll(all => all.map(each => each.getAttribute("title")))).toEqual([
			"https://a.example/b · 2.0 KB",
			"data/cart.ts · 2.0 KB",
		]);
	});

	test("are removed by Delete on anything in them, a folder's file alone by Delete in its row", async ({
		chat,
	}) => {
		await chat.open({ ...emptyChat, attachments: manyAttachments });
		await chat.page.getByRole("button", { name: "Remove beans.png" }).focus();
		await chat.page.keyboard.press("Backspace");
		await chat.page.keyboard.press("Delete");
		const files = chat.page.locator("summary", { hasText: "3 files" });
		await files.click();
		await chat.page.getByRole("button", { name: "Remove b.csv" }).focus();
		await chat.page.keyboard.press("Delete");
		await files.focus();
		await chat.page.keyboard.press("Delete");
		expect(await chat.requests("removeAttachments")).toEqual([
			{ ids: ["beans.png"] },
			{ ids: ["b.csv"] },
			{ ids: ["a.csv", "b.csv", "c.csv"] },
		]);
	});

	test("that were sent open their file, lines or page, and are plain text without one @core", async ({
		chat,
	}) => {
		const sent = { size: 10, use: "read", isLost: false } as const;
		const opened = { ...sent, canOpen: true } as const;
		const attachments = [
			{ ...opened, name: "cart.ts:36-42", path: "src/cart.ts", kind: "selection" as const },
			{ ...opened, name: "A page", path: "https://a.example/b", kind: "page" as const },
			{ ...sent, name: "Rounding", path: "Rounding", kind: "chat" as const },
			{ ...sent, name: "Untitled-1:3-5", path: "Untitled-1", kind: "selection" as const },
			{ ...sent, name: "image.png", path: "image.png", kind: "image" as const },
		];
		await chat.open({ ...emptyChat, turns: [{ ...toolRun, attachments }] });
		await chat.page.getByRole("button", { name: "cart.ts:36-42" }).click();
		await chat.page.getByRole("button", { name: "A page" }).click();
		await expect(chat.page.locator(".sent-attachment")).toHaveCount(5);
		await expect(chat.page.locator(".sent-attachment button")).toHaveCount(2);
		expect(await chat.requests("openFile")).toEqual([
			{ label: "src/cart.ts", line: 36, endLine: 42 },
		]);
		expect(await chat.requests("openLink")).toEqual([{ url: "https://a.example/b" }]);
	});

	test("have the icon of what they are", async ({ chat }) => {
		const kinds = {
			"A page": { kind: "page" },
			"A chat": { kind: "chat" },
			"cart.ts": { kind: "text" },
			"README.md": { kind: "text" },
			"orders.csv": { kind: "data" },
			problems: { kind: "problems" },
		} as const;
		const items = Object.entries(kinds).map(([name, kind]) => attachmentOf(name, kind));
		await chat.open({ ...emptyChat, attachments: { ...manyAttachments, items } });
		const icons = chat.page.locator(".attachment > .codicon");
		expect(await icons.evaluateAll(all => all.map(({ classList }) => classList[1]))).toEqual(
			["globe", "comment-discussion", "file-code", "markdown", "table", "warning"].map(
				name => `codicon-${name}`,
			),
		);
	});

	test("keep the end of a long name, and the button that removes them, at any width", async ({
		chat,
	}) => {
		const name = "calculateVolumeDiscountForReturningCustomers.service.ts:136-142";
		const items = [attachmentOf(name, { kind: "selection", use: "read", canOpen: true })];
		await chat.open({ ...emptyChat, attachments: { ...manyAttachments, items } });
		const remove = chat.page.getByRole("button", { name: `Remove ${name}` });
		for (const width of [600, 300, 200]) {
			await chat.page.setViewportSize({ width, height: 600 });
			await expect(chat.page.locator(".attachment-name")).toHaveText(name);
			const [end, button] = await Promise.all(
				[chat.page.locator(".file-name > :last-child"), remove].map(each => each.boundingBox()),
			);
			expect((end?.x ?? 0) + (end?.width ?? 0)).toBeLessThanOrEqual(button?.x ?? 0);
			expect((button?.x ?? 0) + (button?.width ?? 0)).toBeLessThanOrEqual(width);
		}
		await expect(chat.page.locator(".file-name > :last-child")).toHaveText(/.ts:136-142$/);
	});

	test("of long names are two on a line of a narrow view, unless they would look alike", async ({
		chat,
	}) => {
		const names = ["chatHistoryRows.ts", "promptContentOfClips.ts", "README.md", "videoPrompt.ts"];
		const alike = ["invoiceOfMarch.csv", "invoiceInMarch.csv", "pricing.ts:120-1480"];
		const items = [...names, ...alike].map(name => attachmentOf(name, { use: "read" }));
		const attachments = { ...manyAttachments, items, offeredModel: null, budget: null };
		await chat.page.setViewportSize({ width: 300, height: 900 });
		await chat.open({ ...emptyChat, attachments });
		const lines = await chat.page
			.locator(".attachment")
			.evaluateAll(all => all.map(each => each.getBoundingClientRect().top));
		const lineOf = (index: number) => [...new Set(lines)].indexOf(lines[index] ?? 0);
		expect(names.map((_, index) => lineOf(index))).toEqual([0, 0, 1, 1]);
		expect(alike.map((_, index) => lineOf(names.length + index))).toEqual([2, 3, 4]);
		expect(await wordsOutside(chat.page, ".attachments")).toEqual([]);
		expect(await overlapping(chat.page, ".attachments")).toEqual([]);
	});

	test("of a folder are one, with its files inside", async ({ chat }) => {
		await chat.open({ ...emptyChat, attachments: manyAttachments });
		const folder = chat.page.locator(".attachment", { hasText: "3 files" });
		await expect(folder).toHaveAttribute("title", "data · 5.9 KB");
		await folder.getByText("3 files", { exact: true }).click();
		await folder.getByRole("button", { name: "Remove b.csv" }).click();
		await folder.getByRole("button", { name: "Remove data" }).click();
		expect(await chat.requests("removeAttachments")).toEqual([
			{ ids: ["b.csv"] },
			{ ids: ["a.csv", "b.csv", "c.csv"] },
		]);
	});

	test("of a folder are one line until it is opened, beside one as high", async ({ chat }) => {
		const items = [
			...["a.csv", "b.csv"].map(name => attachmentOf(name, { folder: "data", canSwitchUse: true })),
			attachmentOf("notes.md", { use: "read" }),
		];
		const attachments = { ...manyAttachments, items, offeredModel: null, budget: null };
		await chat.open({ ...emptyChat, attachments });
		for (const width of [600, 300]) {
			await chat.page.setViewportSize({ width, height: 600 });
			const pills = chat.page.locator(".attachment");
			const heights = pills.evaluateAll(all =>
				all.map(each => Math.round(each.getBoundingClientRect().height)),
			);
			expect(new Set(await heights).size).toBe(1);
			const [icon, name] = await Promise.all(
				["> .codicon", "> .attachment-name"].map(part => pills.first().locator(part).boundingBox()),
			);
			expect((name?.x ?? 0) - (icon?.x ?? 0) - (icon?.width ?? 0)).toBeLessThan(8);
			await pills.getByText("2 files").click();
			const file = pills.first().getByText("a.csv");
			await expect(file).toBeVisible();
			expect(await overlapping(chat.page, ".attachments")).toEqual([]);
			await pills.getByText("2 files").click();
			await expect(file).toBeHidden();
		}
	});

	test("that are new are brought into sight, and more beyond the edge fades", async ({ chat }) => {
		const items = Array.from({ length: 12 }, (_, index) =>
			attachmentOf(`a-module-with-a-long-name-${index}.ts`, { use: "read" }),
		);
		const withItems = (count: number): AttachmentsView => ({
			...emptyChat.attachments,
			items: items.slice(0, count),
			selection: "cart.ts:36-42",
		});
		await chat.page.setViewportSize({ width: 300, height: 600 });
		await chat.open({ ...emptyChat, attachments: withItems(1) });
		const list = chat.page.locator(".attachments");
		await expect(list.locator("li").first()).toHaveText("cart.ts:36-42");
		const mask = () => list.evaluate(each => getComputedStyle(each).maskImage);
		expect(await mask()).toBe("none");
		await chat.push({ type: "attachments", attachments: withItems(12) });
		await expect(list.locator(".attachment").last()).toBeInViewport({ ratio: 0.9 });
		await expect.poll(mask).toContain("gradient");
	});

	test("that have a folder's name stay closed when its files are new", async ({ chat }) => {
		await chat.open(emptyChat);
		await chat.push({ type: "attachments", attachments: manyAttachments });
		const files = chat.page.locator("details.attachment-files");
		await expect(files.locator("summary")).toBeInViewport();
		await expect(files).not.toHaveAttribute("open");
	});

	test("have their whole name as the name of their button", async ({ chat }) => {
		const name = "a-module-with-a-long-name-0.ts";
		const sent = { size: 10, use: "read", isLost: false, canOpen: true, kind: "text" } as const;
		const turn = { ...toolRun, attachments: [{ ...sent, name: `sent-${name}`, path: name }] };
		const items = [attachmentOf(name, { use: "read", canOpen: true })];
		await chat.open({ ...emptyChat, turns: [turn], attachments: { ...manyAttachments, items } });
		await expect(chat.page.getByRole("button", { name, exact: true })).toBeVisible();
		await expect(
			chat.page.getByRole("button", { name: `sent-${name}`, exact: true }),
		).toBeVisible();
	});

	test("say no use before they are confirmed or after they failed", async ({ chat }) => {
		const items = [
			attachmentOf("archive.zip", { state: gone }),
			attachmentOf(".env", {
				use: "read",
				canSwitchUse: true,
				state: { type: "unconfirmed", sentence: "It may contain secrets (.env*)." },
			}),
		];
		await chat.open({ ...emptyChat, attachments: { ...manyAttachments, items } });
		await expect(chat.page.getByText("It may contain secrets (.env*).")).toBeVisible();
		await expect(chat.page.locator(".attachment-use")).toHaveCount(0);
	});

	test("are brought into sight when they fail, out of their folder too", async ({ chat }) => {
		await chat.open({ ...emptyChat, attachments: manyAttachments });
		const list = chat.page.getByRole("list", { name: "Attachments", exact: true });
		const failing = list.getByRole("listitem").filter({ hasText: "b.csv" }).last();
		await expect(failing).not.toBeInViewport();
		const items = manyAttachments.items.map(item =>
			item.id === "b.csv" ? { ...item, state: gone } : item,
		);
		await chat.push({ type: "attachments", attachments: { ...manyAttachments, items } });
		await expect(failing).toBeInViewport();
		await expect(failing).toContainText(
			"This file no longer exists. Restore it and retry, or remove it.",
		);
	});

	test("offer a model with tools when the chosen one has none", async ({ chat }) => {
		await chat.open({ ...emptyChat, attachments: manyAttachments });
		await chat.page.getByRole("button", { name: "Use llm-4-turbo-tools" }).click();
		expect(await chat.requests("setModel")).toEqual([{ model: "llm-4-turbo-tools" }]);
	});

	test("while a question is sent Stop is where Send was", async ({ chat }) => {
		await chat.open({ ...emptyChat, attachments: { ...manyAttachments, isSending: true } });
		await chat.page.getByRole("button", { name: "Stop" }).click();
		expect(await chat.requests("stop")).toHaveLength(1);
	});
});

const offers = [
	{ id: "o1", kind: "file", label: "orders.csv", detail: "data", matches: [0, 1, 2] },
	{ id: "o2", kind: "folder", label: "orders", detail: "archive/2025", matches: [0, 1, 2] },
	{ id: "o3", kind: "selection", label: "pricing.ts:3-6", detail: "Selection", matches: [] },
];

test.describe("An @", () => {
	test("offers what matches; arrows choose, Enter and Tab take, and the word becomes the name @core", async ({
		chat,
	}) => {
		await chat.open(emptyChat);
		await chat.answer("completeAttachment", { offers });
		const message = chat.page.getByRole("textbox", { name: "Message" });
		const options = chat.page.getByRole("listbox", { name: "Attach" }).getByRole("option");
		await message.pressSequentially("Sum up @ord");
		await expect(options).toHaveCount(3);
		await expect(options.first()).toHaveAttribute("aria-selected", "true");
		await message.press("ArrowUp");
		await expect(options.last()).toHaveAttribute("aria-selected", "true");
		await expect(message).toHaveAttribute("aria-activedescendant", "attachment-offer-2");
		await message.press("ArrowDown");
		await message.press("Enter");
		await expect(message).toHaveValue("Sum up orders.csv ");
		await expect(options).toHaveCount(0);
		// One letter is one answer, so that none comes late and chooses the first offer again.
		await message.press("@");
		await expect(options).toHaveCount(3);
		await message.press("ArrowDown");
		await message.press("Tab");
		await expect(message).toHaveValue("Sum up orders.csv ");
		await expect(message).toBeFocused();
		expect(await chat.requests("attachOffer")).toEqual([{ id: "o1" }, { id: "o2" }]);
		expect(await chat.requests("sendPrompt")).toEqual([]);
	});

	test("is closed by Escape, which stops no answer then", async ({ chat }) => {
		await chat.open({ ...emptyChat, turns: [{ ...toolRun, status: streaming }] });
		await chat.answer("completeAttachment", { offers });
		const message = chat.page.getByRole("textbox", { name: "Message" });
		await message.pressSequentially("@o");
		await expect(chat.page.getByRole("listbox")).toBeVisible();
		await message.press("Escape");
		await expect(chat.page.getByRole("listbox")).toHaveCount(0);
		expect(await chat.requests("stop")).toEqual([]);
		await message.press("Escape");
		expect(await chat.requests("stop")).toHaveLength(1);
	});

	test("is taken by a click, and the cursor stays in the text", async ({ chat }) => {
		await chat.open(emptyChat);
		await chat.answer("completeAttachment", { offers });
		const message = chat.page.getByRole("textbox", { name: "Message" });
		await message.pressSequentially("See @o");
		await chat.page.getByRole("option", { name: /pricing/ }).click();
		await expect(message).toHaveValue("See pricing.ts:3-6 ");
		await expect(message).toBeFocused();
		await message.pressSequentially("here");
		await expect(message).toHaveValue("See pricing.ts:3-6 here");
	});

	test("of a file leaves the text when only blanks are before it", async ({ chat }) => {
		await chat.open(emptyChat);
		await chat.answer("completeAttachment", { offers });
		const message = chat.page.getByRole("textbox", { name: "Message" });
		const list = chat.page.getByRole("listbox", { name: "Attach" }).getByRole("option");
		for (const { id } of offers.slice(0, 2)) {
			await message.pressSequentially(" @o");
			await list.nth(offers.findIndex(offer => offer.id === id)).click();
			await expect(message).toHaveValue(/^ *$/);
		}
		await message.pressSequentially("what sells");
		await expect(message).toHaveValue(/^ *what sells$/);
		expect(await chat.requests("attachOffer")).toEqual([{ id: "o1" }, { id: "o2" }]);
	});

	test("is taken by a quick Enter only once what is written has been looked up", async ({
		chat,
	}) => {
		await chat.open(emptyChat);
		await chat.answer("completeAttachment", { offers });
		const message = chat.page.getByRole("textbox", { name: "Message" });
		await message.pressSequentially("@");
		const first = chat.page.getByRole("listbox", { name: "Attach" }).getByRole("option").first();
		await expect(first).toHaveAttribute("aria-selected", "true");
		await chat.answer("completeAttachment", { offers: offers.slice(1) });
		await message.evaluate(box => {
			if (box instanceof HTMLTextAreaElement) {
				box.value = "@pri";
				box.selectionStart = 4;
				box.dispatchEvent(new Event("input", { bubbles: true }));
				box.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true }));
			}
		});
		await expect.poll(() => chat.requests("attachOffer")).toEqual([{ id: offers[1]?.id }]);
		expect(await chat.requests("sendPrompt")).toEqual([]);
	});

	test("of an address is taken by a click, and Enter sends an address that stands alone", async ({
		chat,
	}) => {
		const address = "https://example.com/a";
		const page = { id: "p1", kind: "page", label: address, detail: "Attach page", matches: [] };
		await chat.open(emptyChat);
		await chat.answer("completeAttachment", { offers: [page] });
		const message = chat.page.getByRole("textbox", { name: "Message" });
		const option = chat.page.getByRole("option", { name: `${address}, Attach page` });
		await message.fill(`Sum up @${address}`);
		await option.click();
		await expect(message).toHaveValue("Sum up ");
		await message.fill(address);
		await expect(option).toHaveAttribute("aria-selected", "false");
		await message.press("ArrowDown");
		await message.press("Enter");
		await expect(message).toHaveValue("");
		await expect.poll(() => chat.requests("attachOffer")).toEqual([{ id: "p1" }, { id: "p1" }]);
		await message.fill(address);
		await expect(option).toBeVisible();
		await message.press("Enter");
		await expect.poll(() => chat.requests("sendPrompt")).toMatchObject([{ text: address }]);
	});

	test("of an earlier chat leaves the text once it is a pill, and is back in it when it failed", async ({
		chat,
	}) => {
		await chat.open(emptyChat);
		const offer = { id: "c", kind: "chat", label: "chat", detail: "An earlier chat", matches: [] };
		await chat.answer("completeAttachment", { offers: [offer] });
		const message = chat.page.getByRole("textbox", { name: "Message" });
		await message.pressSequentially("Go on from @cha");
		const option = chat.page.getByRole("option", { name: "chat, An earlier chat" });
		await option.click();
		await expect(message).toHaveValue("Go on from ");
		await chat.fail("attachOffer", "There are no earlier chats to attach.");
		await message.pressSequentially("@c");
		await option.click();
		await expect(chat.page.getByText("There are no earlier chats to attach.")).toBeVisible();
		await expect(message).toHaveValue("Go on from @c");
	});

	test("that matches nothing is closed by the first Enter, and the second sends", async ({
		chat,
	}) => {
		await chat.open(emptyChat);
		await chat.answer("completeAttachment", { offers: [] });
		const message = chat.page.getByRole("textbox", { name: "Message" });
		await message.pressSequentially("Ask @nobody");
		await expect(chat.page.getByText("Nothing matches “nobody”")).toBeVisible();
		await message.press("Enter");
		await expect(chat.page.getByText("Nothing matches")).toHaveCount(0);
		expect(await chat.requests("sendPrompt")).toEqual([]);
		await message.press("Enter");
		expect(await chat.requests("sendPrompt")).toEqual([{ text: "Ask @nobody" }]);
	});

	test("of a folder, the changes or the problems leaves the text", async ({ chat }) => {
		await chat.open(emptyChat);
		const message = chat.page.getByRole("textbox", { name: "Message" });
		for (const kind of ["folder", "changes", "problems"]) {
			await chat.answer("completeAttachment", {
				offers: [{ id: kind, kind, label: kind, detail: "", matches: [] }],
			});
			await message.fill("");
			await message.pressSequentially(`What is wrong? @${kind}`);
			await chat.page.getByRole("option", { name: kind }).click();
			await expect(message).toHaveValue("What is wrong? ");
		}
	});

	test("shows the end of a long name, and the icon that its pill will have", async ({ chat }) => {
		const name = "a-module-with-a-very-long-name-that-goes-on-and-on-0.ts";
		await chat.page.setViewportSize({ width: 300, height: 600 });
		const attachments = { ...emptyChat.attachments, items: [attachmentOf(name, { kind: "text" })] };
		await chat.open({ ...emptyChat, attachments });
		await chat.answer("completeAttachment", {
			offers: [{ id: "a", kind: "file", label: name, detail: "src", matches: [2, 3, 51] }],
		});
		await chat.page.getByRole("textbox", { name: "Message" }).pressSequentially("@mod");
		const option = chat.page.getByRole("option");
		await expect(option.locator(".offer-label")).toHaveText(name);
		await expect(option.locator("mark")).toHaveText(["mo", "0"]);
		const [label, end] = await Promise.all(
			[".offer-label", ".file-name > :last-child"].map(part => option.locator(part).boundingBox()),
		);
		expect(end?.width).toBeGreaterThan(20);
		expect((end?.x ?? 0) + (end?.width ?? 0)).toBeLessThanOrEqual(
			(label?.x ?? 0) + (label?.width ?? 0) + 1,
		);
		const icons = chat.page.locator(":is(.offer, .attachment) > .codicon");
		expect(await icons.evaluateAll(all => new Set(all.map(each => each.className)).size)).toBe(1);
	});
});

test.describe("A pasted image that a model would not see", () => {
	/** Pastes an image of noise, which no format makes small, as a PNG or a BMP. */
	const paste = (chat: ChatPage, kind: "png" | "bmp", side: number): Promise<number> =>
		chat.page.locator("main").evaluate(
			async (main, { kind, side }) => {
				const canvas = new OffscreenCanvas(side, side);
				const context = canvas.getContext("2d");
				const pixels = new ImageData(side, side);
				for (let start = 0; start < pixels.data.length; start += 65_536) {
					crypto.getRandomValues(pixels.data.subarray(start, start + 65_536));
				}
				context?.putImageData(pixels, 0, 0);
				const head = new DataView(new ArrayBuffer(54));
				head.setUint16(0, 0x424d);
				head.setUint32(10, 54, true);
				head.setUint32(14, 40, true);
				head.setInt32(18, side, true);
				head.setInt32(22, side, true);
				head.setUint16(26, 1, true);
				head.setUint16(28, 32, true);
				const bytes = kind === "png" ? [await canvas.convertToBlob()] : [head, pixels.data];
				const clipboardData = new DataTransfer();
				const file = new File(bytes, `shot.${kind}`, { type: `image/${kind}` });
				clipboardData.items.add(file);
				main.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true }));
				return file.size;
			},
			{ kind, side },
		);
	test("is made smaller, or becomes one that it sees", async ({ chat }) => {
		const attachments = { ...emptyChat.attachments, seesImages: true as const };
		await chat.open({ ...emptyChat, attachments });
		expect(await paste(chat, "png", 1500)).toBeGreaterThan(4_000_000);
		await expect.poll(() => chat.requests("beginTransfer")).toHaveLength(1);
		await paste(chat, "bmp", 20);
		await expect.poll(() => chat.requests("beginTransfer")).toHaveLength(2);
		const [large, bitmap] = await chat.requests("beginTransfer");
		expect(large).toMatchObject({ name: "shot.jpeg", type: "image/jpeg" });
		expect((large as { size: number }).size).toBeLessThanOrEqual(4_000_000);
		expect(bitmap).toMatchObject({ name: "shot.png", type: "image/png" });
	});

	test("stays as it is for a model that sees none", async ({ chat }) => {
		await chat.open(emptyChat);
		const size = await paste(chat, "bmp", 20);
		await expect
			.poll(() => chat.requests("beginTransfer"))
			.toEqual([{ name: "shot.bmp", type: "image/bmp", size }]);
	});
});

test.describe("A drop", () => {
	test("of addresses hands them to the host, which decides", async ({ chat }) => {
		await chat.open(emptyChat);
		await chat.page.locator("main").evaluate(main => {
			const dataTransfer = new DataTransfer();
			dataTransfer.setData("text/uri-list", "file:///etc/passwd\r\nfile:///b.csv");
			const options = { dataTransfer, bubbles: true, cancelable: true };
			main.dispatchEvent(new DragEvent("dragenter", options));
			main.dispatchEvent(new DragEvent("drop", options));
		});
		await expect
			.poll(() => chat.requests("attachAddresses"))
			.toEqual([{ addresses: ["file:///etc/passwd", "file:///b.csv"] }]);
		await expect(chat.page.getByText("Drop to attach")).toBeHidden();
	});

	test("of files is told to nobody else, because VS Code would take it to itself", async ({
		chat,
	}) => {
		await chat.open(emptyChat);
		const heard = await chat.page.locator("main").evaluate(main => {
			const types: string[] = [];
			const carry = (file?: File): DragEventInit => {
				const dataTransfer = new DataTransfer();
				dataTransfer.setData("text/plain", "words");
				if (file) {
					dataTransfer.items.add(file);
				}
				return { dataTransfer, bubbles: true, cancelable: true };
			};
			const parts = { files: carry(new File(["x"], "a.csv")), words: carry() };
			for (const [what, options] of Object.entries(parts)) {
				for (const type of ["dragenter", "dragover", "drop"]) {
					const hear = (): void => void types.push(`${type} of ${what}`);
					window.addEventListener(type, hear);
					main.dispatchEvent(new DragEvent(type, options));
					window.removeEventListener(type, hear);
				}
			}
			return types;
		});
		expect(heard).toEqual(["dragenter of words", "dragover of words", "drop of words"]);
	});

	test("that was taken away is over once the pointer moves", async ({ chat }) => {
		await chat.open(emptyChat);
		await chat.page.locator("main").evaluate(main => {
			const dataTransfer = new DataTransfer();
			dataTransfer.items.add(new File(["x"], "a.csv"));
			main.dispatchEvent(new DragEvent("dragenter", { dataTransfer, bubbles: true }));
		});
		await expect(chat.page.getByText("Drop to attach")).toBeVisible();
		await chat.page.mouse.move(100, 100);
		await chat.page.mouse.move(120, 120);
		await expect(chat.page.getByText("Drop to attach")).toBeHidden();
	});

	test("of words is left to the text box", async ({ chat }) => {
		await chat.open(emptyChat);
		const isTaken = await chat.page.locator("main").evaluate(main => {
			const dataTransfer = new DataTransfer();
			dataTransfer.setData("text/plain", "words");
			const event = new DragEvent("dragenter", { dataTransfer, bubbles: true, cancelable: true });
			main.dispatchEvent(event);
			return event.defaultPrevented;
		});
		expect(isTaken).toBe(false);
	});
});

test.describe("The work of tools", () => {
	test("is folded until it is opened, and its code can be copied and inserted", async ({
		chat,
	}) => {
		await chat.open({ ...emptyChat, turns: [toolRun] });
		const card = chat.page.getByRole("article", { name: "Assistant" }).first();
		await expect(card.getByText("import csv")).toBeHidden();
		await card.getByText("Ran Python").click();
		await expect(card.getByRole("button", { name: "Apply" })).toHaveCount(0);
		await card.getByRole("button", { name: "More actions" }).click();
		const offers = chat.page.getByRole("menu").locator("button");
		await expect(offers).toHaveText(["Insert at cursor", "New file"]);
		await offers.first().click();
		await card.getByRole("button", { name: "Copy code" }).click();
		expect(await chat.requests("insertCode")).toEqual([{ text: "import csv\nprint(1)\n" }]);
		expect(await chat.requests("copyCode")).toEqual([{ text: "import csv\nprint(1)\n" }]);
	});

	test("is below a question that lists what it came with", async ({ chat }) => {
		await chat.open({ ...emptyChat, turns: [toolRun] });
		const question = chat.page.getByRole("article", { name: "You" });
		await expect(question.getByRole("listitem")).toHaveText([/orders\.csv/, /pricing\.ts:12-48/]);
	});
});
