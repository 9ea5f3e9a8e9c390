import type { ChatPage } from "./fixtures.ts";
import { expect, test } from "./fixtures.ts";
import { emptyChat, turnOf } from "./states.ts";

const message = ({ page }: ChatPage) => page.locator(".composer-text");
const options = ({ page }: ChatPage) => page.getByRole("listbox").getByRole("option");

const file = { id: "1", kind: "file", label: "src/orders.ts", detail: "", matches: [] };
const command = {
	id: "/new",
	kind: "command",
	label: "/new",
	detail: "Start a new chat",
	matches: [],
	insert: "/new",
	takesMore: false,
};

for (const [written, kept] of [
	["参考@ord", "参考src/orders.ts "],
	["参考＠ord", "参考src/orders.ts "],
	// A message doesn't start with the name of its attachment.
	["＠ord", ""],
] as const) {
	test(`${written} opens the list of files, and Enter attaches what it offers`, async ({
		chat,
	}) => {
		await chat.open(emptyChat);
		await chat.answer("completeAttachment", { offers: [file] });
		await message(chat).pressSequentially(written);
		await expect(options(chat)).toHaveCount(1);
		await message(chat).press("Enter");
		await expect.poll(() => chat.requests("attachOffer")).toEqual([{ id: "1" }]);
		await expect(message(chat)).toHaveValue(kept);
	});
}

test("an address in the text opens no list", async ({ chat }) => {
	await chat.open(emptyChat);
	await message(chat).pressSequentially("a@b größe@b");
	await expect(message(chat)).toHaveValue("a@b größe@b");
	expect(await chat.requests("completeAttachment")).toEqual([]);
});

test("a slash of full width opens the commands and runs what is written", async ({ chat }) => {
	await chat.open(emptyChat);
	await chat.answer("completeCommand", { offers: [command] });
	await chat.answer("runCommand", { type: "started" });
	await message(chat).pressSequentially("／");
	await expect(options(chat)).toHaveCount(1);
	await message(chat).press("Escape");
	await message(chat).pressSequentially("new");
	await message(chat).press("Enter");
	await expect.poll(() => chat.requests("runCommand")).toEqual([{ text: "/new" }]);
});

/** Runs in the page: ends a composition with Enter as Safari does, which tells of the key after the end. */
function endComposition(box: Element): void {
	box.dispatchEvent(new CompositionEvent("compositionstart", { bubbles: true }));
	box.dispatchEvent(new CompositionEvent("compositionend", { bubbles: true, data: "日本" }));
	const key = { key: "Enter", keyCode: 229, bubbles: true, cancelable: true };
	box.dispatchEvent(new KeyboardEvent("keydown", key));
}

test("Enter that ends a composition sends nothing, also where the end is told first @core", async ({
	chat,
}) => {
	await chat.open({ ...emptyChat, turns: [turnOf("Before", [])] });
	await message(chat).fill("日本");
	await message(chat).evaluate(endComposition);
	await chat.page.getByRole("button", { name: "Edit" }).click();
	const edit = chat.page.locator(".question-editor-text");
	await edit.fill("日本");
	await edit.evaluate(endComposition);
	await expect(edit).toHaveValue("日本");
	await expect(message(chat)).toHaveValue("日本");
	expect(await chat.requests("sendPrompt")).toEqual([]);
	expect(await chat.requests("editQuestion")).toEqual([]);
	// The next Enter is one to send with.
	await message(chat).press("Enter");
	await expect.poll(() => chat.requests("sendPrompt")).toEqual([{ text: "日本" }]);
});
