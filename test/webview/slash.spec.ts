import type { SlashOffer } from "../../src/shared/slash.ts";
import { expect, test } from "./fixtures.ts";
import { emptyChat } from "./states.ts";

const offer = (insert: string, detail: string, change: Partial<SlashOffer> = {}): SlashOffer => ({
	id: insert,
	kind: "command",
	label: insert.trim(),
	detail,
	matches: [],
	insert,
	takesMore: insert.endsWith(" "),
	...change,
});
const offers = [
	offer("/new", "Start a new chat"),
	offer("/model ", "Choose the model of this chat"),
	offer("/review ", "Reviews code", { kind: "prompt" }),
	offer("/explain ", "Explains code", { kind: "prompt" }),
];

test("a slash opens the list; the arrows choose and Enter runs what needs nothing more @core", async ({
	chat,
}) => {
	await chat.open(emptyChat);
	await chat.answer("completeCommand", { offers });
	await chat.answer("runCommand", { type: "started", sentence: "This is a new chat." });
	const { page } = chat;
	const message = page.getByRole("textbox", { name: "Message" });
	await message.pressSequentially("/");
	const list = page.getByRole("listbox", { name: "Commands" });
	await expect(list.getByRole("option")).toHaveCount(4);
	await expect(list.getByRole("option", { name: "/new, Start a new chat" })).toHaveAttribute(
		"aria-selected",
		"true",
	);
	await message.press("ArrowDown");
	await message.press("ArrowUp");
	await message.press("Enter");
	await expect(message).toHaveValue("");
	await expect(page.getByText("This is a new chat.")).toBeVisible();
	expect(await chat.requests("runCommand")).toEqual([{ text: "/new" }]);
	expect(await chat.requests("sendPrompt")).toEqual([]);
});

test("Tab writes a command without running it, and one that takes more waits for it", async ({
	chat,
}) => {
	await chat.open(emptyChat);
	await chat.answer("completeCommand", { offers });
	const message = chat.page.getByRole("textbox", { name: "Message" });
	const options = chat.page.getByRole("listbox", { name: "Commands" }).getByRole("option");
	await message.pressSequentially("/");
	await expect(options).toHaveCount(4);
	await message.press("Tab");
	await expect(message).toHaveValue("/new");
	await message.fill("");
	await message.pressSequentially("/");
	await expect(options).toHaveCount(4);
	await message.press("ArrowDown");
	await message.press("Enter");
	await expect(message).toHaveValue("/model ");
	expect(await chat.requests("runCommand")).toEqual([]);
	await expect.poll(() => chat.requests("completeCommand")).toContainEqual({ query: "model " });
});

test("a prompt fills the composer with its words, to be read before they are sent @core", async ({
	chat,
}) => {
	await chat.open(emptyChat);
	await chat.answer("completeCommand", { offers: [] });
	const filled = { type: "fill", text: "Review src/a.ts", sentence: "Read it, then press Enter." };
	await chat.answer("runCommand", filled);
	const message = chat.page.getByRole("textbox", { name: "Message" });
	await message.fill("/review kindly");
	await message.press("Enter");
	await expect(message).toHaveValue("Review src/a.ts");
	await expect(chat.page.getByText("Read it, then press Enter.")).toBeVisible();
	expect(await chat.requests("sendPrompt")).toEqual([]);
	await message.press("Enter");
	await expect.poll(() => chat.requests("sendPrompt")).toHaveLength(1);
});

test("an unknown command is reported and stays; two slashes send it as text", async ({ chat }) => {
	await chat.open(emptyChat);
	await chat.answer("completeCommand", { offers: [] });
	const sentence = "There is no command /etc.";
	await chat.answer("runCommand", { type: "kept", sentence });
	const message = chat.page.getByRole("textbox", { name: "Message" });
	await message.fill("/etc");
	await message.press("Enter");
	await expect(message).toHaveValue("/etc");
	await expect(chat.page.getByText(sentence)).toBeVisible();
	expect(await chat.requests("sendPrompt")).toEqual([]);
	await message.fill("//etc is what?");
	await message.press("Enter");
	await expect.poll(() => chat.requests("sendPrompt")).toMatchObject([{ text: "/etc is what?" }]);
	await message.fill("/etc/hosts is what?");
	await message.press("Enter");
	await expect.poll(() => chat.requests("sendPrompt")).toHaveLength(2);
});

test("a quick Enter runs what is written, not a command that the list offers for less", async ({
	chat,
}) => {
	await chat.open(emptyChat);
	await chat.answer("completeCommand", { offers });
	await chat.answer("runCommand", { type: "kept", sentence: "There is no command /markdown." });
	const message = chat.page.getByRole("textbox", { name: "Message" });
	await message.pressSequentially("/markdown");
	const first = chat.page.getByRole("listbox", { name: "Commands" }).getByRole("option").first();
	await expect(first).toHaveAttribute("aria-selected", "true");
	await expect(first).toContainText("/new");
	await message.press("Enter");
	await expect.poll(() => chat.requests("runCommand")).toEqual([{ text: "/markdown" }]);
});
