import { cp, readdir, rename } from "node:fs/promises";
import { join } from "node:path";
import { ensureEditorBuild } from "../host/editorBuild.ts";
import { type EditorServer, startEditorServer, workbenchAddress } from "../host/editorServer.ts";
import { sampleWorkspace } from "../../scripts/project.ts";
import { diesAndIsReplaced, streamingChat, timeToRevival } from "./chatDeath.ts";
import { answered } from "./chatView.ts";
import { expect, modelTest as test } from "./fixtures.ts";
import { takePictures } from "./pictures.ts";
import { leanEditor } from "./sharedEditor.ts";
import { openWorkbench } from "./workbench.ts";

// A page that was replaced is not replaced again within a minute, and a view that was moved stays there.
test.use({ isAlone: true });

test("L4: a page whose script fails at every step is replaced in the middle of an answer; emptied right afterwards, it is reported, and Reload brings it back", async ({
	workbench,
	model,
}) => {
	await diesAndIsReplaced(workbench, model, "a script that fails at every step", chat =>
		chat.evaluate(() => {
			Reflect.defineProperty(Map.prototype, "get", {
				value: () => {
					throw new Error("Broken");
				},
			});
		}),
	);
	const chat = await workbench.chatFrame();
	await chat.evaluate(() => document.body.replaceChildren());
	const notice = workbench.notifications().filter({ hasText: "stopped working" });
	await notice.getByRole("button", { name: "Reload Chat View" }).click();
	await answered(await workbench.chatFrame());
});

test("L4: a page that is busy for seconds is kept, Reload Chat View replaces it, and a removed frame is replaced where it is, alone in the panel", async ({
	workbench,
	model,
}) => {
	const { page } = workbench;
	const first = await streamingChat(workbench, model);
	await first.chat.evaluate(() => {
		const end = performance.now() + 3000;
		while (performance.now() < end) {
			// Busy, and the window with it: both share a process here.
		}
	});
	first.finish();
	await answered(first.chat);
	await expect(first.chat.locator("[data-dead]")).toHaveCount(1);

	const asked = await timeToRevival(page, () => workbench.runCommand("Cutaway: Reload Chat View"));
	console.log(`by command: repainted after ${asked} ms`);
	await answered(await workbench.chatFrame());

	await workbench.runCommand("View: Move View");
	await page.locator(".quick-input-widget:visible input").fill("Chat");
	// VS Code has a view of the same name, which comes first.
	await page.locator(".quick-input-list .monaco-list-row", { hasText: "Chat" }).last().click();
	await workbench.pickQuickInput("New Panel Entry");
	const panel = page.locator(".part.panel");
	await expect(panel.getByRole("tab", { name: "Cutaway" })).toBeVisible();
	await workbench.runCommand("Cutaway: New Chat");
	await expect((await workbench.chatFrame()).getByRole("article")).toHaveCount(0);
	const { chat: dying, finish } = await streamingChat(workbench, model);
	const ms = await timeToRevival(page, () =>
		dying.evaluate(() => {
			setTimeout(() => window.frameElement?.remove(), 0);
		}),
	);
	finish();
	console.log(`alone in the panel: repainted after ${ms} ms`);
	await expect(panel.getByRole("tab", { name: "Cutaway", selected: true })).toBeVisible();
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
