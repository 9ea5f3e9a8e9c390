import { cp, readdir, rename } from "node:fs/promises";
import { join } from "node:path";
import type { Frame } from "@playwright/test";
import { ensureEditorBuild } from "../host/editorBuild.ts";
import { type EditorServer, startEditorServer, workbenchAddress } from "../host/editorServer.ts";
import { sampleWorkspace } from "../host/project.ts";
import { diesAndIsReplaced, slowAnswers, streamingChat, timeToRevival } from "./chatDeath.ts";
import { answered } from "./chatView.ts";
import { expect, leanEditor, test } from "./fixtures.ts";
import { takePictures } from "./pictures.ts";
import { openWorkbench } from "./workbench.ts";

test.use({ settings: slowAnswers });

const deaths: Readonly<Record<string, (chat: Frame) => Promise<void>>> = {
	"a script that fails at every step": chat =>
		chat.evaluate(() => {
			Reflect.defineProperty(Map.prototype, "get", {
				value: () => {
					throw new Error("Broken");
				},
			});
		}),
	"an emptied document": chat => chat.evaluate(() => document.body.replaceChildren()),
	"a frame that was removed": chat =>
		chat.evaluate(() => {
			setTimeout(() => window.frameElement?.remove(), 0);
		}),
};

for (const [name, kill] of Object.entries(deaths)) {
	test(`L4: ${name} is replaced in the middle of an answer, and the draft and the cursor are there`, ({
		workbench,
	}) => diesAndIsReplaced(workbench, name, kill));
}

test("L4: a view that is alone in its container is replaced in there", async ({ workbench }) => {
	const { page } = workbench;
	await workbench.openChat();
	await workbench.runCommand("View: Move View");
	await page.locator(".quick-input-widget:visible input").fill("Chat");
	// VS Code has a view of the same name, which comes first.
	await page.locator(".quick-input-list .monaco-list-row", { hasText: "Chat" }).last().click();
	await workbench.pickQuickInput("New Panel Entry");
	const panel = page.locator(".part.panel");
	await expect(panel.getByRole("tab", { name: "Cutaway" })).toBeVisible();
	const dying = await streamingChat(workbench);
	const ms = await timeToRevival(page, () => deaths["a frame that was removed"]?.(dying));
	console.log(`alone in the panel: repainted after ${ms} ms`);
	await expect(panel.getByRole("tab", { name: "Cutaway", selected: true })).toBeVisible();
	await answered(await workbench.chatFrame());
});

test("a page that is busy for seconds with what the user did is kept when it answers again", async ({
	workbench,
}) => {
	const chat = await streamingChat(workbench);
	await chat.evaluate(() => {
		const end = performance.now() + 3000;
		while (performance.now() < end) {
			// Busy, and the window with it: both share a process here.
		}
	});
	await answered(chat);
	await expect(chat.locator("[data-dead]")).toHaveCount(1);
});

test("Reload Chat View replaces the page, and the answer goes on", async ({ workbench }) => {
	await streamingChat(workbench);
	const ms = await timeToRevival(workbench.page, () =>
		workbench.runCommand("Cutaway: Reload Chat View"),
	);
	console.log(`by command: repainted after ${ms} ms`);
	await answered(await workbench.chatFrame());
});

/** An editor server with a copy of the installed extension of its own, whose files a test may move. */
async function serverOfItsOwn(folder: string): Promise<{ server: EditorServer; script: string }> {
	const extensionsFolder = join(folder, "extensions");
	await cp(process.env["CUTAWAY_E2E_EXTENSIONS"] ?? "", extensionsFolder, { recursive: true });
	const names = await readdir(extensionsFolder);
	const name = names.find(entry => entry.startsWith("cutaway.cutaway-")) ?? "";
	const server = await startEditorServer({
		...leanEditor(),
		build: await ensureEditorBuild(),
		dataFolder: join(folder, "other"),
		extensionsFolder,
	});
	return { server, script: join(extensionsFolder, name, "dist", "media", "chat.js") };
}

test("L4: a script that is missing twice is reported, and Reload brings the chat back", async ({
	page,
	testFolder,
}) => {
	const { server, script } = await serverOfItsOwn(testFolder);
	try {
		await rename(script, `${script}.away`);
		const folder = join(testFolder, "workspace");
		await cp(sampleWorkspace, folder, { recursive: true });
		const address = workbenchAddress(server, folder);
		const workbench = await openWorkbench(page, { address, folder, theme: "dark" });
		await workbench.runCommand("Cutaway: Open Chat");
		const resting = await workbench.frameWith(".crashed");
		await expect(resting.getByText("Cutaway: Reload Chat View")).toBeVisible();
		await expect(resting.locator("script[nonce]")).toHaveCount(0);
		const notice = workbench.notifications().filter({ hasText: "stopped working" });
		await expect(notice).toBeVisible();
		await takePictures(workbench, server, "chat-view-crashed", {}, ".crashed");
		await rename(`${script}.away`, script);
		await notice.getByRole("button", { name: "Reload Chat View" }).click();
		await expect((await workbench.chatFrame()).getByRole("textbox")).toBeVisible();
	} finally {
		await server.stop();
	}
});
