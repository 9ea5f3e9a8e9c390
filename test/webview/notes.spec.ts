import type { Locator } from "@playwright/test";
import type { TurnStatus } from "../../src/shared/chat.ts";
import { violations } from "./axe.ts";
import { expect, inEveryTheme, test } from "./fixtures.ts";
import { stickingOut } from "./room.ts";
import { emptyChat, externalCard, messageOf, streaming, turnOf } from "./states.ts";

const names = "get_diagnostics, search_text, apply_edit, create_file, generate_video";
const notes = [
	{ text: "Images left out: this model can't see them" },
	{ text: "5 tools left out: too many for this model", more: names },
] as const;

test("what a model was asked without is a quiet line at the end of its answer, which expands to the names", async ({
	chat,
}) => {
	await chat.page.setViewportSize({ width: 300, height: 600 });
	await chat.open({
		...emptyChat,
		turns: [turnOf("Why?", [messageOf("Therefore.")], { status: streaming })],
	});
	await chat.push({ type: "status", turnId: "turn", status: streaming, notes: [...notes] });
	await expect(chat.page.locator(".note").filter({ hasText: notes[0].text })).toBeVisible();
	await expect(chat.page.getByRole("article", { name: "Assistant" })).toContainText("left out");
	await expect(chat.page.getByText(names)).toBeHidden();
	await chat.page.locator("summary", { hasText: notes[1].text }).press("Enter");
	await expect(chat.page.getByText(names)).toBeVisible();
	await chat.push({ type: "text", turnId: "turn", index: 0, text: " And so on." });
	await expect(chat.page.getByText(names)).toBeVisible();
	expect(await stickingOut(chat.page)).toEqual([]);
	await inEveryTheme(chat.page, async () => expect(await violations(chat.page)).toEqual([]));
	await chat.push({ type: "answer-cleared", turnId: "turn" });
	await expect(chat.page.locator(".note")).toHaveCount(0);
});

const topOf = async (part: Locator): Promise<number> => (await part.boundingBox())?.y ?? Number.NaN;

test("notes are above the actions of an answer, and below the cards that it ends with", async ({
	chat,
}) => {
	const turn = turnOf("Why?", [messageOf("Therefore.")], { notes: [...notes] });
	await chat.open({ ...emptyChat, turns: [turn] });
	const bottom = chat.page.locator(".note").last();
	const actions = chat.page.locator(".answer > .message-actions");
	await expect(actions).toBeVisible();
	expect(await topOf(actions)).toBeGreaterThan(await topOf(bottom));
	const card = { ...externalCard, after: 1 };
	await chat.open({ ...emptyChat, turns: [{ ...turn, tools: [card] }] });
	await expect(chat.page.locator(".tool-card")).toBeVisible();
	expect(await topOf(bottom)).toBeGreaterThan(await topOf(chat.page.locator(".tool-card")));
});

test("a new note is announced once, and those of a chat that is shown are not", async ({
	chat,
}) => {
	const [images, tools] = notes;
	await chat.open({
		...emptyChat,
		turns: [turnOf("Why?", [messageOf("Hm.")], { status: streaming, notes: [images] })],
	});
	const announcer = chat.page.getByRole("status").last();
	await chat.push({ type: "status", turnId: "turn", status: streaming, notes: [...notes] });
	await expect(announcer).toHaveText(tools.text);
	const stopped: TurnStatus = { state: "stopped", sentence: "Stopped.", actions: [] };
	await chat.push({ type: "status", turnId: "turn", status: stopped, notes: [...notes] });
	await expect(announcer).toHaveText(`${tools.text}Stopped.`);
});

test("a search in the chat leaves notes out", async ({ chat }) => {
	await chat.open({
		...emptyChat,
		turns: [turnOf("Why?", [messageOf("Images.")], { notes: [...notes] })],
	});
	await chat.page.getByRole("textbox", { name: "Message", exact: true }).focus();
	await chat.page.keyboard.press("ControlOrMeta+f");
	const find = chat.page.getByRole("textbox", { name: "Find in chat", exact: true });
	await find.fill("images");
	await expect(chat.page.locator(".find-count")).toContainText("1");
	await find.fill("left out");
	await expect(chat.page.locator(".find-count")).toContainText(/no/i);
});
