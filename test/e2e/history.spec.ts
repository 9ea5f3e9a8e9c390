import { answered, ask, askInOwnChat } from "./chatView.ts";
import { expect, test } from "./fixtures.ts";
import { takeOpenedPictures } from "./pictures.ts";
import type { Workbench } from "./workbench.ts";

const fast = { "cutaway.localService.charactersPerSecond": 0 };

test.use({ settings: fast });

const rows = (workbench: Workbench) =>
	workbench.page.locator(".quick-input-list .monaco-list-row:visible");

const inputBox = (workbench: Workbench) =>
	workbench.page.locator(".quick-input-widget:visible .quick-input-box input");

const row = (workbench: Workbench, label: string) => rows(workbench).filter({ hasText: label });

/** Presses a button of a row by its name; it shows while the pointer is on the row. */
async function press(workbench: Workbench, label: string, button: string): Promise<void> {
	const target = row(workbench, label).first();
	await target.hover();
	await target.locator(`[aria-label="${button}"]`).click();
}

async function openHistory(workbench: Workbench): Promise<void> {
	await workbench.chatFrame();
	await workbench.titleButton("History").click();
	await expect(rows(workbench).first()).toBeVisible();
}

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
	await press(workbench, "Where do swallows winter?", "Pin");
	await expect(rows(workbench).first()).toContainText("Where do swallows winter?");
	await workbench.screenshot("history");
	await press(workbench, "What is a monad?", "Rename…");
	await expect(inputBox(workbench)).toHaveValue("What is a monad?");
	await workbench.answerQuickInput("Burritos");
	await expect(row(workbench, "Burritos")).toHaveCount(1);
	await press(workbench, "Burritos", "Archive");
	await expect(row(workbench, "Burritos")).toHaveCount(0);
	await press(workbench, "How long boils an egg?", "Delete");
	await expect(rows(workbench)).toHaveCount(1);
	const chat = await workbench.chatFrame();
	await expect(chat.getByRole("article", { name: "You" })).toHaveCount(0);
	await workbench
		.notifications()
		.filter({ hasText: "Deleted" })
		.getByRole("button", { name: "Undo" })
		.click();
	await expect(chat.getByRole("article", { name: "You" })).toContainText("How long boils an egg?");
	await openHistory(workbench);
	await expect(rows(workbench)).toHaveCount(2);
	await workbench.page.getByRole("button", { name: "Show archived chats" }).click();
	await expect(row(workbench, "Burritos")).toHaveCount(1);
	await workbench.screenshot("history-archived");
	await press(workbench, "Burritos", "Unarchive");
	await expect(rows(workbench)).toContainText(["No archived chats"]);
	await workbench.page.keyboard.press("Escape");
});

test("a search finds an old message and leads to it", async ({ workbench, editorServer }) => {
	const chat = await workbench.openChat();
	await ask(chat, "Tell me about the zanzibar leopard");
	await answered(chat);
	for (const question of ["/markdown", "/markdown", "And what else?"]) {
		await ask(chat, question);
		await answered(chat);
	}
	await askInOwnChat(workbench, "Something else");
	const input = workbench.page.locator(".quick-input-widget:visible input");
	const hit = rows(workbench).filter({ hasText: "zanzibar leopard" });
	const search = async (): Promise<void> => {
		await workbench.runCommand("Cutaway: Search Chats…");
		await input.fill("Zánzibar LEOPARD");
		await expect(hit).toHaveCount(2);
	};
	await takeOpenedPictures(workbench, editorServer, "history-search", fast, {
		open: search,
		close: () => workbench.page.keyboard.press("Escape"),
	});
	await search();
	await hit.last().click();
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
	await workbench.runCommand("Cutaway: Export Chat…");
	await workbench.pickQuickInput("JSON");
	const file = `${workbench.folder}/kept.json`;
	await workbench.answerFileDialog(/First question\.json$/, file);
	await expect(workbench.notifications().filter({ hasText: "kept.json" })).toBeVisible();
	await workbench.runCommand("Cutaway: Import Chat…");
	await workbench.answerFileDialog(/\/$/, file);
	await openHistory(workbench);
	await expect(rows(workbench)).toHaveCount(3);
	await workbench.screenshot("history-imported");
	await workbench.page.keyboard.press("Escape");
});
