import type { Frame } from "@playwright/test";
import { answered, ask, askInOwnChat } from "./chatView.ts";
import { expect, test } from "./fixtures.ts";
import { openHistory, pressRowButton, rows } from "./historyList.ts";
import { untilDone } from "./patience.ts";
import { takeOpenedPictures } from "./pictures.ts";
import type { Workbench } from "./workbench.ts";

const fast = { "cutaway.localService.charactersPerSecond": 0 };

test.use({ settings: fast });

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

test(
	"a search finds an old message and leads to it",
	{ tag: "@core" },
	async ({ workbench, editorServer }) => {
		const chat = await workbench.openChat();
		await ask(chat, "Tell me about the zanzibar leopard");
		await answered(chat);
		for (const question of ["/markdown", "/markdown", "And what else?"]) {
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
		await takeOpenedPictures(workbench, editorServer, "history-search", fast, {
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
	},
);

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
