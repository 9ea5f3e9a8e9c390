import { startModelHub, type ModelHub } from "../helpers/modelHub.ts";
import { whyNoLlama } from "../realModel/llamaPackage.ts";
import { tinyModel } from "../realModel/tinyModel.ts";
import { workbenchAddress } from "../host/editorServer.ts";
import type { Frame, Locator } from "@playwright/test";
import { answered, answers, ask, conversation } from "./chatView.ts";
import { expect, test as base } from "./fixtures.ts";
import { logsOf, untilChatKept } from "./keptState.ts";
import { takePictures, takeThemePictures } from "./pictures.ts";
import { openWorkbench, type Workbench } from "./workbench.ts";

const chatTemplate =
	"{% for m in messages %}<s>{{ m.role }}: {{ m.content }}\n{% endfor %}{% if add_generation_prompt %}<s>assistant:{% endif %}";

/** So long that an answer without an end is not over while a test looks at it. */
const longContext = 65_536;

const test = base.extend<{ readonly hub: ModelHub }>({
	// oxlint-disable-next-line no-empty-pattern -- Playwright reads the pattern to learn what a fixture needs.
	hub: async ({}, use) => {
		const hub = await startModelHub(tinyModel({ seed: 5, isEndless: false, chatTemplate }));
		await use(hub);
		hub.close();
	},
	settings: async ({ hub }, use) => {
		await use({
			// Another journey may run an Ollama on this machine meanwhile, which would be offered first.
			"cutaway.localService.engine": "embedded",
			"cutaway.localService.modelHub": hub.url,
			"cutaway.localService.contextLength": longContext,
		});
	},
});

// A downloaded model stays.
test.use({ isAlone: true });

const question = (workbench: Workbench): Locator => workbench.page.getByRole("dialog");

/** Gets the model that the hub has, which then answers. */
async function getModel(workbench: Workbench): Promise<Frame> {
	const chat = await workbench.openChat();
	await chat.getByRole("button", { name: "Get a Model (530 MB)…" }).click();
	await question(workbench).getByRole("button", { name: "Download" }).click();
	await expect(
		workbench.notifications().filter({ hasText: "is downloaded and answers now" }),
	).toBeVisible();
	return chat;
}

test("an answer that runs here can be stopped, another question waits for it, and a reload keeps what came", async ({
	workbench,
	hub,
	testFolder,
}) => {
	test.skip(whyNoLlama !== undefined, whyNoLlama);
	hub.replace(tinyModel({ seed: 5, isEndless: true, contextLength: longContext, chatTemplate }));
	const before = await getModel(workbench);
	const message = before.getByRole("textbox", { name: "Message" });
	const stopped = conversation(before).getByText(/^Stopped\. The text so far is kept/);
	await ask(before, "Take your time");
	await expect(answers(before).last()).toContainText(/[a-z]+ [a-z]+/);
	await message.fill("And then?");
	await message.press("Enter");
	await expect(message).toHaveValue("");
	await before.getByRole("button", { name: "Stop", exact: true }).click();
	await expect(stopped).toBeVisible();
	await before.getByRole("button", { name: "Send next", exact: true }).click();
	await expect(answers(before)).toHaveCount(2);
	await expect(answers(before).last()).toContainText(/[a-z]+ [a-z]+/);
	await untilChatKept(workbench, testFolder);
	await expect.poll(() => logsOf(testFolder)).toMatch(/And then\?[^]*"text"/);
	await workbench.reload();
	const chat = await workbench.chatFrame();
	await expect(
		conversation(chat).getByText(/Interrupted: the chat was closed, or its window reloaded/),
	).toBeVisible();
	await expect(answers(chat).last()).toContainText(/[a-z]+ [a-z]+/);
});

test("from an empty chat to an answer with nothing installed: one consented click, one download that two windows share, and a model answers in both", async ({
	workbench,
	editorServer,
	hub,
}) => {
	test.skip(whyNoLlama !== undefined, whyNoLlama);
	const { page } = workbench;
	const chat = await workbench.openChat();
	const get = chat.getByRole("button", { name: "Get a Model (530 MB)…" });
	await expect(get).toBeVisible();
	expect(hub.asked).toEqual([]);
	await takePictures(workbench, editorServer, "model-here-offered");

	hub.faults.bytesPerSecond = 5_000;
	await get.click();
	const question = page.getByRole("dialog");
	await expect(question).toContainText("Apache-2.0");
	await expect(question).toContainText("530 MB from 127.0.0.1");
	// Nothing can be dragged below the question.
	await takeThemePictures(workbench, editorServer, "model-here-question");
	await question.getByRole("button", { name: "Download" }).click();
	await expect(chat.getByText(/^Downloading Qwen3\.5 0\.8B… [1-9]\d*%/)).toBeVisible();
	await expect(chat.getByText(/KB of \d+ KB/)).toBeVisible();
	await expect(page.locator(".statusbar-item", { hasText: /Qwen3\.5 0\.8B \d+%/ })).toBeVisible();
	await takePictures(workbench, editorServer, "model-here-progress");

	// The other window goes on with the part, and is not asked again.
	await chat.getByRole("button", { name: "Cancel Download" }).click();
	const goOn = { name: "Continue Download" };
	await expect(chat.getByRole("button", goOn)).toBeVisible();
	const other = await openWorkbench(await page.context().newPage(), {
		address: workbenchAddress(editorServer, workbench.folder),
		folder: workbench.folder,
		theme: "dark",
	});
	const otherChat = await other.openChat();
	await otherChat.getByRole("button", goOn).click();
	await expect(otherChat.getByText(/^Downloading Qwen3\.5 0\.8B…/)).toBeVisible();
	await chat.getByRole("button", goOn).click();
	await expect(chat.getByText(/^Downloading Qwen3\.5 0\.8B…/)).toBeVisible();
	const message = chat.getByRole("textbox", { name: "Message" });
	await message.fill("Read the first line of the file.");
	hub.faults.bytesPerSecond = undefined;
	for (const window of [workbench, other]) {
		await expect(
			window.notifications().filter({ hasText: "is downloaded and answers now" }),
		).toBeVisible();
	}
	const ofFile = hub.asked.filter(asked => asked.includes("/storage/"));
	expect(ofFile.map(asked => asked.includes("bytes="))).toEqual([false, true]);

	await expect(message).toHaveValue("Read the first line of the file.");
	await message.press("Enter");
	await answered(chat);
	await ask(otherChat, "And the last one?");
	await answered(otherChat);
	for (const window of [chat, otherChat]) {
		await expect(answers(window).last()).toContainText(/[a-z]+ [a-z]+/);
	}
	await takePictures(workbench, editorServer, "model-here-answer");
});
