import { readdir, readFile, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import type { Frame, Locator } from "@playwright/test";
import { answered, answers, ask, askInOwnChat, conversation } from "./chatView.ts";
import { expect, modelTest as test } from "./fixtures.ts";
import { closeHistory, openHistory, pressRowButton, rows } from "./historyList.ts";
import { chatsFolder } from "./keptState.ts";
import { untilDone } from "./patience.ts";
import { takeOpenedPictures, takePictures, takeThemePictures } from "./pictures.ts";
import type { Workbench } from "./workbench.ts";

const inputBox = (workbench: Workbench) =>
	workbench.page.locator(".quick-input-widget:visible .quick-input-box input");

const row = (workbench: Workbench, label: string) => rows(workbench).filter({ hasText: label });

const message = (chat: Frame) => chat.getByRole("textbox", { name: "Message", exact: true });

test("chats are renamed, pinned, archived, deleted and restored from the history, also beside a narrow side bar", async ({
	workbench,
}) => {
	await workbench.openChat();
	for (const question of [
		"Where do swallows winter?",
		"What is a monad?",
		"How long boils an egg?",
	]) {
		await askInOwnChat(workbench, question);
	}
	await workbench.setSideBarWidth(300);
	await openHistory(workbench);
	await expect(rows(workbench)).toHaveCount(3);
	await pressRowButton(workbench, "Where do swallows winter?", "Pin", timeout =>
		expect(rows(workbench).first()).toContainText("Where do swallows winter?", { timeout }),
	);
	await workbench.screenshot("history");
	await pressRowButton(workbench, "What is a monad?", "Rename…", timeout =>
		expect(inputBox(workbench)).toHaveValue("What is a monad?", { timeout }),
	);
	await workbench.answerQuickInput("Burritos");
	await expect(row(workbench, "Burritos")).toHaveCount(1);
	await pressRowButton(workbench, "Burritos", "Archive", timeout =>
		expect(row(workbench, "Burritos")).toHaveCount(0, { timeout }),
	);
	const undo = workbench
		.notifications()
		.filter({ hasText: "Deleted" })
		.getByRole("button", { name: "Undo" });
	await pressRowButton(workbench, "How long boils an egg?", "Delete", timeout =>
		expect(undo).toBeVisible({ timeout }),
	);
	// VS Code takes a notification off the screen after ten seconds, unless the pointer is on it.
	await undo.hover();
	await expect(rows(workbench)).toHaveCount(1);
	const chat = await workbench.chatFrame();
	await expect(chat.getByRole("article", { name: "You" })).toHaveCount(0);
	await undo.click();
	await expect(chat.getByRole("article", { name: "You" })).toContainText("How long boils an egg?");
	// The cursor comes after the chat, and closes a list that is open by then.
	await expect(message(chat)).toBeFocused();
	await openHistory(workbench);
	await expect(rows(workbench)).toHaveCount(2);
	await workbench.page.getByRole("button", { name: "Show archived chats" }).click();
	await expect(row(workbench, "Burritos")).toHaveCount(1);
	await workbench.screenshot("history-archived");
	await pressRowButton(workbench, "Burritos", "Unarchive", timeout =>
		expect(rows(workbench)).toContainText(["No archived chats"], { timeout }),
	);
	await workbench.page.keyboard.press("Escape");
});

test("a search finds an old message and leads to it", async ({
	workbench,
	editorServer,
	settings,
	model,
}) => {
	const long = { text: "Words that nobody looks for.\n\n".repeat(60) };
	model.script({ text: "It is shy." }, long, long);
	const chat = await workbench.openChat();
	await ask(chat, "Tell me about the zanzibar leopard");
	await answered(chat);
	for (const question of ["Where does it live?", "And its food?", "And what else?"]) {
		await ask(chat, question);
		await answered(chat);
	}
	await askInOwnChat(workbench, "Something else");
	const input = workbench.page.getByPlaceholder("Search all messages");
	const hit = rows(workbench).filter({ hasText: "zanzibar leopard" });
	const search = async (): Promise<void> => {
		await workbench.runCommand("Cutaway: Search Chats…");
		await input.fill("Zánzibar LEOPARD");
		await expect(hit).toHaveCount(2);
	};
	await takeOpenedPictures(workbench, editorServer, "history-search", settings, {
		open: search,
		close: async () => {
			await input.press("Escape");
			await expect(rows(workbench)).toHaveCount(0);
		},
	});
	await search();
	// A click at the moment the findings are drawn again is lost.
	await untilDone(async timeout => {
		if (await hit.last().isVisible()) {
			await hit.last().click({ timeout });
		}
		await expect(rows(workbench)).toHaveCount(0, { timeout });
	});
	const again = await workbench.chatFrame();
	await expect(again.getByText("Tell me about the zanzibar leopard").first()).toBeInViewport();
	await workbench.screenshot("history-found");
	await workbench.runCommand("Cutaway: Search Chats…");
	await input.fill("qwertyuiop");
	await expect(rows(workbench)).toContainText(["Nothing found"]);
	await workbench.page.keyboard.press("Escape");
});

test("a chat is duplicated from an answer, exported as JSON and imported again", async ({
	workbench,
}) => {
	const chat = await workbench.openChat();
	for (const question of ["First question", "Second question"]) {
		await ask(chat, question);
		await answered(chat);
	}
	await chat
		.getByRole("article", { name: "Assistant" })
		.first()
		.getByRole("button", { name: "Duplicate from here" })
		.click();
	await expect(chat.getByRole("article", { name: "You" })).toHaveCount(1);
	await openHistory(workbench);
	await expect(rows(workbench)).toHaveCount(2);
	await row(workbench, "First question").last().click();
	await expect(chat.getByRole("article", { name: "You" })).toHaveCount(2);
	// The cursor comes after the chat, and closes a list that is open by then.
	await expect(message(chat)).toBeFocused();
	await workbench.runCommand("Cutaway: Export Chat…");
	await workbench.pickQuickInput("JSON");
	const file = `${workbench.folder}/kept.json`;
	await workbench.answerFileDialog(/First question\.json$/, file);
	await expect(workbench.notifications().filter({ hasText: "kept.json" })).toBeVisible();
	await workbench.runCommand("Cutaway: Import Chat…");
	await workbench.answerFileDialog(/\/$/, file);
	// The list closes again when the imported chat is given the focus after it opened.
	await untilDone(async timeout => {
		await workbench.titleButton("History").click({ timeout });
		await expect(rows(workbench)).toHaveCount(3, { timeout });
	});
	await workbench.screenshot("history-imported");
	await workbench.page.keyboard.press("Escape");
});

/** The log that holds a text. */
async function logWith(folder: string, text: string): Promise<string> {
	for (const name of (await readdir(folder)).filter(entry => entry.endsWith(".jsonl"))) {
		const path = join(folder, name);
		if ((await readFile(path, "utf8")).includes(text)) {
			return path;
		}
	}
	throw new Error(`No chat holds ${text}.`);
}

test("a chat that the disk damaged opens with what can be read, is kept as it was found, and goes on", async ({
	workbench,
	editorServer,
	settings,
	testFolder,
}) => {
	const folder = chatsFolder(testFolder);
	await workbench.openChat();
	await askInOwnChat(workbench, "First question", "The damaged one", "Third question");
	await askInOwnChat(workbench, "All of this is lost");
	await askInOwnChat(workbench, "A chat that is well");

	const partly = await logWith(folder, "The damaged one");
	const lines = (await readFile(partly, "utf8")).split("\n");
	const hit = lines.findIndex(line => line.includes("The damaged one"));
	const damaged = lines.with(hit, (lines[hit] ?? "").replace("damaged", "d\u0000m\u0000ged"));
	await writeFile(partly, damaged.join("\n"));
	const wholly = await logWith(folder, "All of this is lost");
	const noise = Buffer.alloc(4096, 0xa7);
	await writeFile(wholly, noise);

	const open = async (row: Locator): Promise<void> => {
		await openHistory(workbench);
		await untilDone(async timeout => {
			if (await row.isVisible()) {
				await row.click({ timeout });
			}
			await expect(rows(workbench)).toHaveCount(0, { timeout });
		});
	};
	await open(rows(workbench).filter({ hasText: "First question" }));
	const chat = await workbench.chatFrame();
	await expect(chat.getByText(`${basename(partly)}.unreadable-1`)).toBeVisible();
	const questions = chat.getByRole("article", { name: "You", exact: true });
	await expect(questions.first()).toContainText("First question");
	await expect(questions.last()).toContainText("Third question");
	await takePictures(workbench, editorServer, "history-damaged", settings);
	await ask(chat, "Is it writable again?");
	await answered(chat);
	expect(await readFile(`${partly}.unreadable-1`, "utf8")).toBe(damaged.join("\n"));

	await open(rows(workbench).filter({ hasText: "Couldn't be read" }));
	await expect(chat.getByText(`${basename(wholly)}.unreadable-1`)).toBeVisible();
	expect(await readFile(`${wholly}.unreadable-1`)).toEqual(noise);
});

test("a chat is saved as Markdown and opened from what says so", async ({
	workbench,
	editorServer,
	settings,
	model,
}) => {
	model.script(
		{ text: "| Product | Sum |\n| --- | --: |\n| Beans | 3 |" },
		{ text: "```ts\nconst sum = 3;\n```" },
	);
	await workbench.openChat();
	await askInOwnChat(workbench, "A table", "And code");
	await workbench.runCommand("Cutaway: Export Chat…");
	await workbench.pickQuickInput("Markdown");
	const path = join(workbench.folder, "Table chat.md");
	await workbench.answerFileDialog(/A table\.md$/, path);
	const notice = workbench.notifications().filter({ hasText: "Table chat.md" });
	await expect(notice).toBeVisible();
	await takeOpenedPictures(workbench, editorServer, "export-markdown-saved", settings, {
		open: () => notice.hover(),
	});
	await notice.getByRole("button", { name: "Open", exact: true }).click();
	await workbench.page
		.locator(".tabs-container .tab.active", { hasText: "Table chat.md" })
		.waitFor();
	await takePictures(workbench, editorServer, "export-markdown-opened", settings);
	const text = await readFile(path, "utf8");
	expect(text).toMatch(/^# A table\n\n## You\n\nA table\n\n## Assistant\n\n`lm\/scripted`\n/);
	expect(text).toMatch(/^\|.+\|\n\| ?:?-+/m);
	expect(text).toMatch(/^```(?:ts|typescript)\n[^`]+\n```$/m);
});

test("a chat whose answer is being written is deleted only on a second word, and an undo brings it back with the text so far", async ({
	workbench,
	editorServer,
	settings,
	model,
}) => {
	model.script({ text: "Text of every kind, to come.", until: new Promise(() => undefined) });
	const chat = await workbench.openChat();
	await ask(chat, "Take your time");
	await expect(answers(chat).first()).toContainText("Text of every kind");
	const dialog = workbench.page.locator(".monaco-dialog-box");
	const remove = async (): Promise<void> => {
		await openHistory(workbench);
		await pressRowButton(workbench, "Take your time", "Delete", timeout =>
			expect(dialog).toBeVisible({ timeout }),
		);
	};
	// The list comes back once the step that took its place is over.
	const leaveList = async (): Promise<void> => {
		await expect(rows(workbench).first()).toBeVisible();
		await closeHistory(workbench);
	};
	await workbench.setSideBarWidth(300);
	await remove();
	await expect(dialog).toContainText("“Take your time” is receiving an answer.");
	await takeThemePictures(workbench, editorServer, "history-delete-running", settings);
	await dialog.getByRole("button", { name: "Cancel", exact: true }).click();
	await expect(dialog).toHaveCount(0);
	await leaveList();
	await expect(chat.getByRole("button", { name: "Stop", exact: true })).toBeVisible();

	await workbench.setSideBarWidth(600);
	await remove();
	await expect(dialog).toBeVisible();
	await takeThemePictures(workbench, editorServer, "history-delete-running", settings, 600);
	await dialog.getByRole("button", { name: "Stop and Delete", exact: true }).click();
	await expect(chat.getByRole("article")).toHaveCount(0);
	const notice = workbench.notifications().filter({ hasText: "Deleted “Take your time”." });
	await expect(notice).toContainText("It can be restored for 30 days.");
	await notice.hover();
	await takeThemePictures(workbench, editorServer, "history-deleted-running", settings, 600);
	await leaveList();
	await notice.getByRole("button", { name: "Undo", exact: true }).click();
	await expect(answers(chat).first()).toContainText("Text of every kind");
	await answered(chat);
	await expect(
		conversation(chat).getByText("Stopped. The text so far is kept.", { exact: true }),
	).toBeVisible();
	await expect(chat.getByRole("button", { name: "Continue", exact: true })).toBeVisible();
	await takePictures(workbench, editorServer, "history-undeleted-running", settings);
});
