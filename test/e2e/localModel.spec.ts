import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { answered, answers, ask, conversation } from "./chatView.ts";
import { expect, modelTest as test } from "./fixtures.ts";
import { takePictures } from "./pictures.ts";
import { selectLines } from "./videoSteps.ts";

const pricing = "src/pricing.ts";
const edited = "// Prices of orders.\n";

test(
	"a local model reads for a while, edits through a tool, and a reload in the middle of its words loses nothing",
	{ tag: "@core" },
	async ({ workbench, editorServer, settings, model }) => {
		const text = (): Promise<string> => readFile(join(workbench.folder, pricing), "utf8");
		const reading = Promise.withResolvers<void>();
		model.script(
			{ calls: [["replace_selection", { text: edited }]], until: reading.promise },
			// It is left in the middle of its words.
			{ text: "The first line is a comment", until: new Promise(() => undefined) },
			{ text: "The comment is there." },
		);
		const before = await text();
		await workbench.openFile(pricing);
		const chat = await workbench.openChat();
		await selectLines(workbench, 2);
		await ask(chat, "Replace the selection with a comment");
		await expect(conversation(chat).getByText(/^Reading the prompt… \d+ s$/)).toBeVisible();
		await takePictures(workbench, editorServer, "model-reading", settings);
		reading.resolve();

		const change = chat.getByRole("group", { name: "Tool: Replace the selection" });
		const allow = change.getByRole("button", { name: "Allow", exact: true });
		await expect(allow).toBeEnabled();
		expect(await text()).toBe(before);
		await takePictures(workbench, editorServer, "model-edit", settings);
		await allow.click();
		await expect(answers(chat).last()).toContainText("The first line is a comment");
		await expect.poll(text).toMatch(/^\/\/ Prices of orders\.\n/);
		expect(model.questions).toHaveLength(2);
		expect(model.questions[1]).toContain('"role":"tool"');

		await workbench.reload();
		const again = await workbench.chatFrame();
		await expect(conversation(again).getByText(/^Interrupted/)).toBeVisible();
		await expect(answers(again).last()).toContainText("The first line is a comment");
		expect(model.questions).toHaveLength(2);
		await takePictures(workbench, editorServer, "model-reloaded", settings);
		await again.getByRole("button", { name: "Try again" }).first().click();
		await answered(again);
		await expect(answers(again).last()).toContainText("The comment is there.");
		expect(await text()).toMatch(/^\/\/ Prices of orders\.\n/);
		expect(model.questions).toHaveLength(3);
	},
);
