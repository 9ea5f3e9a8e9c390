import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Frame, Locator, Page } from "@playwright/test";
import { asService } from "../helpers/scriptedModel.ts";
import { bundleMcpServer } from "../host/integrationBundle.ts";
import { answered, ask } from "./chatView.ts";
import { expect, serviceTest } from "./fixtures.ts";
import { untilDone } from "./patience.ts";
import { takePictures } from "./pictures.ts";
import type { Workbench } from "./workbench.ts";

const test = serviceTest.extend({
	settings: ({ model }, use) =>
		use({
			...asService(model),
			// The editor's own part in MCP servers goes with its chat.
			"chat.disableAIFeatures": false,
			"chat.mcp.discovery.enabled": { "cursor-workspace": true },
		}),
});

// The editor remembers a server and its tools.
test.use({ isAlone: true });

/** Names a server in a file of the open folder, such as `.vscode/mcp.json`. */
async function name(
	workbench: Workbench,
	path: string,
	key: string,
	[server, ...args]: readonly [string, ...string[]],
): Promise<void> {
	const file = join(workbench.folder, path);
	const command = await bundleMcpServer(join(workbench.folder, "..", "server"));
	await mkdir(dirname(file), { recursive: true });
	const entry = { type: "stdio", command: process.execPath, args: [command, server, ...args] };
	await writeFile(file, JSON.stringify({ [key]: { [server]: entry } }, undefined, "\t"));
}

async function chooseTool(workbench: Workbench, tool: string): Promise<void> {
	// A list that opened before the server has listed its tools lacks them.
	await untilDone(async timeout => {
		await workbench.page.keyboard.press("Escape");
		await workbench.runCommand("Cutaway: Choose Tools");
		// Cutaway's own tools fill the list, which draws what is in sight alone.
		await expect(workbench.page.getByText("All tools of Cutaway")).toBeVisible({ timeout });
		await workbench.page
			.locator(".quick-input-widget:visible .quick-input-box input")
			.fill(tool, { timeout });
		await workbench.pickQuickInput(tool, timeout);
	});
	await workbench.screenshot("mcp-tools");
	await workbench.page.keyboard.press("Enter");
}

function dialog(page: Page): Locator {
	return page.locator(".monaco-dialog-box");
}

/** Allows the request at the end of the chat. */
async function allow(chat: Frame): Promise<void> {
	await chat.getByRole("button", { name: "Allow", exact: true }).click();
}

test("T43: a tool of a workspace's server waits for Cutaway's card, then for VS Code's question, whose no is told on the card", async ({
	workbench,
	model,
	editorServer,
	settings,
}) => {
	const { page } = workbench;
	await name(workbench, ".vscode/mcp.json", "servers", ["shop"]);
	model.script(
		{ calls: [["mcp_shop_book", { seats: 2 }]] },
		{ text: "It wasn't booked." },
		{ calls: [["mcp_shop_book", { seats: 3 }]] },
	);
	await workbench.openFile(".vscode/mcp.json");
	await page.locator(".codelens-decoration a", { hasText: "Start" }).click();
	await expect(page.locator(".codelens-decoration", { hasText: "6 tools" })).toBeVisible();
	await chooseTool(workbench, "book");
	const chat = await workbench.openChat();
	await ask(chat, "Book a table for two");
	const cards = chat.getByRole("group", { name: "Tool: shop: book" });
	await expect(cards).toContainText('"seats": 2');
	await expect(dialog(page)).toHaveCount(0);
	await takePictures(workbench, editorServer, "mcp-asking", settings);
	await allow(chat);
	await expect(dialog(page)).toContainText("book");
	await workbench.screenshot("mcp-editor-asks");
	await dialog(page).getByRole("button", { name: "Cancel" }).click();
	await answered(chat);
	expect(model.questions[1]).toContain("The user said no to the editor's own question");
	await takePictures(workbench, editorServer, "mcp-declined", settings);

	await ask(chat, "Book it for three");
	await allow(chat);
	await dialog(page).getByRole("button", { name: "Yes" }).click();
	await answered(chat);
	expect(model.questions.at(-1)).toContain("Booked: 3");
});

test("T43: a server that VS Code doesn't trust yet runs only after its own question, and a no is told on the card", async ({
	workbench,
	model,
}) => {
	const { page } = workbench;
	await name(workbench, ".cursor/mcp.json", "mcpServers", ["kiosk"]);
	const act = async (action: string): Promise<void> => {
		// The list has what VS Code had read when it opened.
		await untilDone(async timeout => {
			await page.keyboard.press("Escape");
			await workbench.runCommand("MCP: List Servers");
			await workbench.pickQuickInput("kiosk", timeout);
		}, 5_000);
		await workbench.pickQuickInput(action);
	};
	await act("Start Server");
	await dialog(page).getByRole("button", { name: "Trust", exact: true }).click();
	await chooseTool(workbench, "echo");
	// What was trusted is this definition.
	await name(workbench, ".cursor/mcp.json", "mcpServers", ["kiosk", "changed"]);
	await act("Stop Server");

	const call = { calls: [["mcp_kiosk_echo", { text: "hello" }]] } as const;
	model.script(call, { text: "It didn't run." }, call, { text: "It ran." });
	const chat = await workbench.openChat();
	await ask(chat, "Say hello");
	const cards = chat.getByRole("group", { name: "Tool: kiosk: echo" });
	await expect(cards).toContainText("hello");
	await expect(dialog(page)).toHaveCount(0);
	await allow(chat);
	await expect(dialog(page)).toContainText("kiosk");
	await workbench.screenshot("mcp-trust");
	await dialog(page).getByRole("button", { name: "Do not trust" }).click();
	await answered(chat);
	await expect(cards).toContainText("MCP server has stopped");
	await workbench.screenshot("mcp-not-trusted");

	await ask(chat, "Say it again");
	await allow(chat);
	await dialog(page).getByRole("button", { name: "Trust", exact: true }).click();
	await answered(chat);
	expect(model.questions.at(-1)).toContain("Echo: hello");
});
