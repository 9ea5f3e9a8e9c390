import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "@playwright/test";
import { answered, answers, ask, askInOwnChat, conversation } from "./chatView.ts";
import { test } from "./fixtures.ts";
import { closeHistory, openHistory, pressRowButton, rows } from "./historyList.ts";
import { untilDone } from "./patience.ts";
import { takeOpenedPictures, takePictures, takeThemePictures } from "./pictures.ts";

const fast = { "cutaway.localService.charactersPerSecond": 0 };
/** So slowly that it is still being written while all of its pictures are taken, on a crowded machine too. */
const slow = { "cutaway.localService.charactersPerSecond": 10 };

const chatsFolder = (testFolder: string): string =>
	join(testFolder, "data/data/User/globalStorage/cutaway.cutaway/chats");

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

test.describe("history on a disk that damaged files", () => {
	test.use({ settings: fast });

	test("is checked and repaired: what was damaged is kept as it was found, and the rest can be read", async ({
		workbench,
		editorServer,
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

		await workbench.runCommand("Cutaway: Verify and Repair History");
		const notice = workbench.notifications().filter({ hasText: "3 chats checked." });
		await expect(notice).toContainText(
			"Parts of 1 chat couldn't be read. It continues without them.",
		);
		await expect(notice).toContainText("1 file couldn't be read and was moved to quarantine.");
		await expect(notice).toContainText("Unreadable parts are kept unchanged");
		await takeOpenedPictures(workbench, editorServer, "history-repaired", fast, {
			// A notice goes away by itself unless the pointer is on it.
			open: () => notice.hover(),
		});

		const kept = await readdir(join(folder, "quarantine"));
		const bytes = await Promise.all(kept.map(name => readFile(join(folder, "quarantine", name))));
		expect(bytes).toHaveLength(2);
		expect(bytes.some(content => content.equals(noise))).toBe(true);
		expect(bytes.some(content => content.toString("utf8") === damaged.join("\n"))).toBe(true);

		await openHistory(workbench);
		await expect(rows(workbench)).toHaveCount(2);
		const repaired = rows(workbench).filter({ hasText: "First question" });
		await untilDone(async timeout => {
			if (await repaired.isVisible()) {
				await repaired.click({ timeout });
			}
			await expect(rows(workbench)).toHaveCount(0, { timeout });
		});
		const chat = await workbench.chatFrame();
		const questions = chat.getByRole("article", { name: "You", exact: true });
		await expect(questions.first()).toContainText("First question");
		await expect(questions.last()).toContainText("Third question");
		await ask(chat, "Is it writable again?");
		await answered(chat);

		await workbench.runCommand("Cutaway: Verify and Repair History");
		await expect(
			workbench.notifications().filter({ hasText: "2 chats checked. No problems found." }),
		).toBeVisible();
	});

	test("a chat is saved as Markdown and opened from what says so", async ({
		workbench,
		editorServer,
	}) => {
		await workbench.openChat();
		await askInOwnChat(workbench, "/table", "/code typescript");
		await workbench.runCommand("Cutaway: Export Chat…");
		await workbench.pickQuickInput("Markdown");
		const path = join(workbench.folder, "Table chat.md");
		await workbench.answerFileDialog(/table\.md$/, path);
		const notice = workbench.notifications().filter({ hasText: "Table chat.md" });
		await expect(notice).toBeVisible();
		await takeOpenedPictures(workbench, editorServer, "export-markdown-saved", fast, {
			open: () => notice.hover(),
		});
		await notice.getByRole("button", { name: "Open", exact: true }).click();
		await workbench.page
			.locator(".tabs-container .tab.active", { hasText: "Table chat.md" })
			.waitFor();
		await takePictures(workbench, editorServer, "export-markdown-opened", fast);
		const text = await readFile(path, "utf8");
		expect(text).toMatch(
			/^# \/table\n\n## You\n\n\/table\n\n## Assistant\n\n`llm-4-turbo-tools`\n/,
		);
		expect(text).toMatch(/^\|.+\|\n\| ?:?-+/m);
		expect(text).toMatch(/^```(?:ts|typescript)\n[^`]+\n```$/m);
	});

	test("pinned and archived chats have lists that can be read in every theme", async ({
		workbench,
		editorServer,
	}) => {
		await workbench.openChat();
		for (const question of [
			"Where do swallows winter?",
			"What is a monad?",
			"How long is a mile?",
		]) {
			await askInOwnChat(workbench, question);
		}
		await openHistory(workbench);
		await pressRowButton(workbench, "Where do swallows winter?", "Pin", timeout =>
			expect(rows(workbench).first()).toContainText("Where do swallows winter?", { timeout }),
		);
		await pressRowButton(workbench, "What is a monad?", "Archive", timeout =>
			expect(rows(workbench)).toHaveCount(2, { timeout }),
		);
		const close = (): Promise<void> => closeHistory(workbench);
		await close();
		await takeOpenedPictures(workbench, editorServer, "history-pinned", fast, {
			open: async () => {
				await openHistory(workbench);
				await expect(rows(workbench)).toHaveCount(2);
				await rows(workbench).first().hover();
			},
			close,
		});
		const archived = workbench.page.getByRole("button", { name: "Show archived chats" });
		await takeOpenedPictures(workbench, editorServer, "history-archive", fast, {
			open: async () => {
				await openHistory(workbench);
				await archived.click();
				await expect(rows(workbench)).toContainText(["What is a monad?"]);
				await expect(rows(workbench)).toHaveCount(1);
			},
			close,
		});
	});
});

test.describe("a chat whose answer is being written", () => {
	test.use({ settings: slow });

	test("is deleted only on a second word, and an undo brings it back with the text so far", async ({
		workbench,
		editorServer,
	}) => {
		const chat = await workbench.openChat();
		await ask(chat, "/markdown");
		await expect(answers(chat).first()).toContainText("Markdown of every kind");
		const dialog = workbench.page.locator(".monaco-dialog-box");
		const remove = async (): Promise<void> => {
			await openHistory(workbench);
			await pressRowButton(workbench, "/markdown", "Delete", timeout =>
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
		await expect(dialog).toContainText("“/markdown” is receiving an answer.");
		await takeThemePictures(workbench, editorServer, "history-delete-running", slow);
		await dialog.getByRole("button", { name: "Cancel", exact: true }).click();
		await expect(dialog).toHaveCount(0);
		await leaveList();
		await expect(chat.getByRole("button", { name: "Stop", exact: true })).toBeVisible();

		await workbench.setSideBarWidth(600);
		await remove();
		await expect(dialog).toBeVisible();
		await takeThemePictures(workbench, editorServer, "history-delete-running", slow, 600);
		await dialog.getByRole("button", { name: "Stop and Delete", exact: true }).click();
		await expect(chat.getByRole("article")).toHaveCount(0);
		const notice = workbench.notifications().filter({ hasText: "Deleted “/markdown”." });
		await expect(notice).toContainText("It can be restored for 30 days.");
		await notice.hover();
		await takeThemePictures(workbench, editorServer, "history-deleted-running", slow, 600);
		await leaveList();
		await notice.getByRole("button", { name: "Undo", exact: true }).click();
		await expect(answers(chat).first()).toContainText("Markdown of every kind");
		await answered(chat);
		await expect(
			conversation(chat).getByText("Stopped. The text so far is kept.", { exact: true }),
		).toBeVisible();
		await expect(chat.getByRole("button", { name: "Continue", exact: true })).toBeVisible();
		await takePictures(workbench, editorServer, "history-undeleted-running", slow);
	});
});
