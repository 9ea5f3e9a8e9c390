import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { answered, answers, ask, conversation } from "./chatView.ts";
import { expect, test } from "./fixtures.ts";
import { untilDone } from "./patience.ts";
import { type OllamaService, startOllama } from "./ollamaService.ts";
import { takePictures, takeThemePictures } from "./pictures.ts";
import { startScriptedService, writeJson } from "../integration/service.ts";

const model = "qwen3:0.6b";

let ollama: OllamaService | undefined;
test.afterEach(() => ollama?.stop());

test("from no model to one that answers: got with Ollama, it runs Python on a CSV, and its failures are told", async ({
	workbench,
	editorServer,
}) => {
	const { page } = workbench;
	await writeFile(join(workbench.folder, "rain.csv"), "city,mm\nOslo,8\nBergen,34\n");
	const chat = await workbench.openChat();
	const box = chat.getByRole("region", { name: "Model", exact: true });
	await expect(box.getByRole("button")).toHaveText(["Get a Model (530 MB)…", "I Have a Key…"]);
	await takePictures(workbench, editorServer, "models-none-found");

	ollama = await startOllama();
	test.skip(ollama === undefined, "Something else listens on Ollama's port.");
	if (!ollama) {
		return;
	}
	await chat.getByRole("button", { name: "More ways to connect…" }).click();
	await workbench.pickQuickInput("Get a Model with Ollama…");
	await expect(page.getByText("Which model should Ollama download?")).toHaveCount(0);
	await expect(page.locator(".quick-input-list")).toContainText("Needs about");
	await takeThemePictures(workbench, editorServer, "models-to-get", {}, 600);
	await workbench.pickQuickInput(model);
	await expect(box).toContainText(/Downloading qwen3:0\.6b… 25%\s*130 MB of 520 MB/);
	await takeThemePictures(workbench, editorServer, "model-pulled", {}, 600);
	ollama.finishPull();
	await expect(
		workbench.notifications().filter({ hasText: "is downloaded and answers now" }),
	).toBeVisible();
	await expect(
		chat.getByRole("button", { name: new RegExp(`^Answers come from ${model}`) }),
	).toBeVisible();
	await expect(box).toHaveCount(0);
	await workbench.runCommand("Notifications: Clear All Notifications");
	// From here on the settings file names the server and the model.
	const settings = {
		"cutaway.localService.servers": [{ name: "ollama", baseUrl: "http://127.0.0.1:11434" }],
		"cutaway.chat.model": `ollama/${model}`,
	};

	ollama.script(
		{ call: ["code_interpreter", { code: "print(open('rain.csv').read().count('Oslo') + 41)" }] },
		{ text: "It rained **42 mm** in all." },
	);
	const message = chat.getByRole("textbox", { name: "Message" });
	// A focus that the palette gives back late takes keys, and closes the list for good.
	await untilDone(async timeout => {
		await message.fill("", { timeout });
		await message.fill("Sum up @rain.c", { timeout });
		await expect(chat.getByRole("option", { name: /rain\.csv/ })).toBeVisible({ timeout });
	});
	await message.press("Enter");
	// The list takes Enter until it answers what is written.
	await expect(chat.getByRole("list", { name: "Attachments", exact: true })).toContainText(
		"rain.csv",
	);
	await message.press("Enter");
	await expect(chat.getByRole("article", { name: "You" })).toHaveCount(1);
	await answered(chat);
	await expect(answers(chat).last()).toContainText("It rained 42 mm in all.");
	expect(ollama.asked[0]).toContain("city,mm");
	// What Python printed goes back to the model.
	expect(ollama.asked[1]).toContain(String.raw`\n42\n`);
	await takePictures(workbench, editorServer, "model-ran-python", settings);

	ollama.script({
		status: 400,
		error: { error: "request (92000 tokens) exceeds the available context size (40960 tokens)" },
	});
	await ask(chat, "And the whole book?");
	await expect(
		conversation(chat)
			.getByText(/Too long for this model: about 92,000 tokens, it has 40,960/)
			.first(),
	).toBeVisible();
	await expect(chat.getByText(/(?:rejected|couldn't find) a file in this chat/)).toHaveCount(0);
	await takePictures(workbench, editorServer, "model-too-long", settings);

	ollama.script({ text: "It all began when", isCutOff: true });
	await ask(chat, "Then tell a story");
	await expect(answers(chat).last()).toContainText("It all began when");
	await answered(chat);
	// The server's own words, without one more request.
	await expect(conversation(chat).getByText("to the model's server broke.")).toBeVisible();
	await takePictures(workbench, editorServer, "model-gone", settings);

	await editorServer.writeSettings({});
	await workbench.reload();
	const found = await workbench.openChat();
	await workbench.titleButton("New chat").click();
	await expect(found.getByRole("region", { name: "Model", exact: true })).toContainText(
		/qwen3:0\.6b\s*Ollama · 520 MB · 40k context · tools/,
	);
	await takePictures(workbench, editorServer, "models-found");
});

test("a mistyped address is told before it is saved, and a server is removed by its row", async ({
	workbench,
}) => {
	const { page } = workbench;
	const server = await startScriptedService(({ path }, response) => {
		const isList = path === "/v1/models";
		writeJson(response, isList ? 200 : 404, isList ? { data: [{ id: "tiny" }] } : {});
	});
	try {
		await workbench.openChat();
		await workbench.runCommand("Cutaway: Choose Model…");
		await workbench.pickQuickInput("Other address…");
		const address = page.locator(".quick-input-widget:visible input");
		await address.fill(`${server.baseUrl}/v3`);
		await address.press("Enter");
		const dialog = page.locator(".monaco-dialog-box");
		await expect(dialog).toContainText("Nothing was saved.");
		await dialog.getByRole("button", { name: "Change Address…" }).click();
		await expect(address).toHaveValue(`${server.baseUrl}/v3`);
		await address.fill(`${server.baseUrl}/v1/chat/completions`);
		await address.press("Enter");
		const row = page.locator(".quick-input-list .monaco-list-row", { hasText: "tiny" });
		await expect(row).toBeVisible();
		await row.hover();
		await row.getByRole("button", { name: /^Remove .* from the settings/ }).click();
		await expect(row).toHaveCount(0);
		await expect(
			workbench.notifications().filter({ hasText: "was removed from the settings" }),
		).toBeVisible();
	} finally {
		await server.stop();
	}
});
