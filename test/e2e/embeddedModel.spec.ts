import { startModelHub, type ModelHub } from "../helpers/modelHub.ts";
import { whyNoLlama } from "../realModel/llamaPackage.ts";
import { tinyModel } from "../realModel/tinyModel.ts";
import { answered, answers, ask } from "./chatView.ts";
import { expect, test as base } from "./fixtures.ts";
import { takePictures } from "./pictures.ts";

const chatTemplate =
	"{% for m in messages %}<s>{{ m.role }}: {{ m.content }}\n{% endfor %}{% if add_generation_prompt %}<s>assistant:{% endif %}";

const test = base.extend<{ readonly hub: ModelHub }>({
	// oxlint-disable-next-line no-empty-pattern -- Playwright reads the pattern to learn what a fixture needs.
	hub: async ({}, use) => {
		const hub = await startModelHub(tinyModel({ seed: 5, isEndless: false, chatTemplate }));
		await use(hub);
		hub.close();
	},
	settings: async ({ hub }, use) => {
		await use({ "cutaway.localService.modelHub": hub.url });
	},
});

test("from an empty chat to an answer with nothing installed: one consented click, one download, and a model answers here", async ({
	workbench,
	editorServer,
	hub,
}) => {
	test.skip(whyNoLlama !== undefined, whyNoLlama);
	const { page } = workbench;
	const chat = await workbench.openChat();
	const get = chat.getByRole("button", { name: "Get a Model (530 MB) and Run It Here…" });
	await expect(get).toBeVisible();
	expect(hub.asked).toEqual([]);
	await takePictures(workbench, editorServer, "model-here-offered");

	hub.faults.bytesPerSecond = 100_000;
	await get.click();
	const question = page.getByRole("dialog");
	await expect(question).toContainText("Apache-2.0");
	await expect(question).toContainText("530 MB from 127.0.0.1");
	await takePictures(workbench, editorServer, "model-here-question");
	await question.getByRole("button", { name: "Download" }).click();
	const progress = workbench.notifications().filter({ hasText: "Downloading Qwen3.5 0.8B" });
	await expect(progress).toContainText(/KB of \d+ KB/);
	await takePictures(workbench, editorServer, "model-here-progress");
	hub.faults.bytesPerSecond = undefined;
	await expect(
		workbench.notifications().filter({ hasText: "is downloaded and answers now" }),
	).toBeVisible();

	await ask(chat, "Read the first line of the file.");
	await answered(chat);
	await expect(answers(chat).last()).toContainText(/[a-z]+ [a-z]+/);
	await takePictures(workbench, editorServer, "model-here-answer");
});
