import { cp, readdir, rename } from "node:fs/promises";
import { join } from "node:path";
import type { Frame, Page } from "@playwright/test";
import { ensureEditorBuild } from "../host/editorBuild.ts";
import { type EditorServer, startEditorServer, workbenchAddress } from "../host/editorServer.ts";
import { sampleWorkspace } from "../host/project.ts";
import { answered, answers, ask } from "./chatView.ts";
import { expect, test } from "./fixtures.ts";
import { themes } from "./themes.ts";
import { openWorkbench, type Workbench } from "./workbench.ts";

const slow = { "cutaway.localService.charactersPerSecond": 300 };

test.use({ settings: slow });

/** The chat's frame in mid-answer, marked, so that the one that takes its place is told from it. */
async function streamingChat(workbench: Workbench): Promise<Frame> {
	const chat = await workbench.openChat();
	await ask(chat, "/markdown");
	await expect(answers(chat).first()).toContainText(/\w{3}/);
	await chat.evaluate(() => document.documentElement.setAttribute("data-dead", ""));
	return chat;
}

/** Does something deadly to the page; resolves with how long it took until an answer shows in another document, in ms. */
async function timeToRevival(page: Page, kill: () => Promise<unknown>): Promise<number> {
	const start = Date.now();
	await kill();
	const hasAnswer = (frame: Frame): Promise<boolean> =>
		frame
			.evaluate(
				() =>
					!document.documentElement.hasAttribute("data-dead") &&
					(document.querySelector("[aria-label=Assistant]")?.textContent ?? "").length > 20,
			)
			.catch(() => false);
	await expect
		.poll(async () => (await Promise.all(page.frames().map(hasAnswer))).includes(true), {
			intervals: [10],
			timeout: 20_000,
		})
		.toBe(true);
	return Date.now() - start;
}

const deaths: Readonly<Record<string, (chat: Frame) => Promise<void>>> = {
	"a script that breaks at every step": chat =>
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

/** Kills the page in mid-stream and looks for what must be there afterwards; says how long it was missed. */
async function diesAndIsMadeGood(
	workbench: Workbench,
	name: string,
	kill: (chat: Frame) => Promise<unknown>,
): Promise<void> {
	const dying = await streamingChat(workbench);
	await dying.getByRole("textbox", { name: "Message" }).fill("Not sent yet");
	const ms = await timeToRevival(workbench.page, () => kill(dying));
	console.log(`${name}: repainted after ${ms} ms`);
	const chat = await workbench.chatFrame();
	const message = chat.getByRole("textbox", { name: "Message" });
	await expect(message).toHaveValue("Not sent yet");
	await expect(message).toBeFocused();
	await answered(chat);
	await expect(chat.getByText(/Interrupted/)).toHaveCount(0);
	await expect(chat.getByRole("article", { name: "You" })).toHaveCount(1);
}

for (const [name, kill] of Object.entries(deaths)) {
	test(`L4: ${name} is made good in mid-stream, and the draft and the cursor are there`, ({
		workbench,
	}) => diesAndIsMadeGood(workbench, name, kill));
}

test("a page that is busy for seconds with what a person did is not made anew when it answers again in time", async ({
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

test("Reload Chat View makes the page anew on a person's word, and the answer goes on", async ({
	workbench,
}) => {
	await streamingChat(workbench);
	const ms = await timeToRevival(workbench.page, () =>
		workbench.runCommand("Cutaway: Reload Chat View"),
	);
	console.log(`a person's word: repainted after ${ms} ms`);
	await answered(await workbench.chatFrame());
});

/** An editor server with a copy of the installed extension of its own, whose files a test may move. */
async function serverOfItsOwn(folder: string): Promise<{ server: EditorServer; script: string }> {
	const extensionsFolder = join(folder, "extensions");
	await cp(process.env["CUTAWAY_E2E_EXTENSIONS"] ?? "", extensionsFolder, { recursive: true });
	const names = await readdir(extensionsFolder);
	const name = names.find(entry => entry.startsWith("cutaway.cutaway-")) ?? "";
	const server = await startEditorServer({
		build: await ensureEditorBuild(),
		dataFolder: join(folder, "other"),
		extensionsFolder,
		settings: { "workbench.colorTheme": themes.dark },
	});
	return { server, script: join(extensionsFolder, name, "dist", "media", "chat.js") };
}

test("L4: a script that is not there is asked for again, then named in words with a way back, which leads back", async ({
	page,
	testFolder,
}) => {
	test.setTimeout(120_000);
	const { server, script } = await serverOfItsOwn(testFolder);
	try {
		await rename(script, `${script}.away`);
		const folder = join(testFolder, "workspace");
		await cp(sampleWorkspace, folder, { recursive: true });
		const address = workbenchAddress(server, folder);
		const workbench = await openWorkbench(page, { address, folder, theme: "dark" });
		await workbench.runCommand("Cutaway: Open Chat");
		const resting = await workbench.frameWith(".resting");
		await expect(resting.getByText("Cutaway: Reload Chat View")).toBeVisible();
		await expect(resting.locator("script[nonce]")).toHaveCount(0);
		const notice = workbench.notifications().filter({ hasText: "stopped working" });
		await expect(notice).toBeVisible();
		await workbench.screenshot("revival-given-up");
		await workbench.setSideBarWidth(300);
		await workbench.screenshot("revival-given-up");
		await rename(`${script}.away`, script);
		await notice.getByRole("button", { name: "Reload Chat View" }).click();
		await expect((await workbench.chatFrame()).getByRole("textbox")).toBeVisible();
	} finally {
		await server.stop();
	}
});
