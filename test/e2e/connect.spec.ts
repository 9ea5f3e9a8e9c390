import type { Frame } from "@playwright/test";
import {
	type ScriptedService,
	startScriptedService,
	writeJson,
	writeStream,
} from "../integration/service.ts";
import { answered, answers, ask, conversation } from "./chatView.ts";
import { expect, test as base } from "./fixtures.ts";
import type { Workbench } from "./workbench.ts";
import { takePictures } from "./pictures.ts";

const rightKey = "sk-right-0123456789";

const test = base.extend<{ service: ScriptedService }>({
	// oxlint-disable-next-line no-empty-pattern -- Playwright reads the pattern to learn what a fixture needs.
	service: async ({}, use) => {
		const service = await startScriptedService((request, response) => {
			if (request.headers.authorization !== `Bearer ${rightKey}`) {
				writeJson(response, 401, { error: { message: "This key is not known here." } });
			} else if (request.method === "GET") {
				writeJson(response, 404, { error: { message: "No such generation." } });
			} else {
				writeStream(response, [["Hello ", "from ", "afar."]]);
			}
		});
		await use(service);
		await service.stop();
	},
});

/** Connects through the palette; resolves with the chat once its header names the service. */
async function connect(
	workbench: Workbench,
	service: ScriptedService,
	key: string,
): Promise<Frame> {
	const chat = await workbench.openChat();
	await workbench.runCommand("Cutaway: Connect to a Service");
	await expect(
		workbench.page.getByText(
			"For Ollama and OpenAI-compatible servers, use “Choose Model…” instead.",
		),
	).toBeVisible();
	await workbench.answerQuickInput(service.baseUrl);
	await expect(workbench.page.getByText("Connect to a Service (2/2)")).toBeVisible();
	await workbench.answerQuickInput(key);
	await expect(
		chat.getByRole("button", { name: `Answers come from ${new URL(service.baseUrl).host}.` }),
	).toBeVisible();
	return chat;
}

test("H2: a remote service is connected from the palette; a wrong key is reported as such, and with the right one the same question is answered on a click", async ({
	workbench,
	editorServer,
	service,
}) => {
	const chat = await connect(workbench, service, "sk-wrong");
	await expect(
		workbench.notifications().filter({ hasText: "The key wasn't accepted" }),
	).toBeVisible();
	await workbench.runCommand("Notifications: Clear All Notifications");
	await ask(chat, "Let me in");
	await expect(conversation(chat).getByText(/The key wasn't accepted/)).toBeVisible();
	await expect(chat.getByText("This key is not known here.")).toBeVisible();
	await takePictures(workbench, editorServer, "wrong-key", {
		"cutaway.endpoint": service.baseUrl,
	});
	await chat.getByRole("button", { name: "Set API key" }).click();
	await workbench.answerQuickInput(rightKey);
	// The key store is another process: a request made before it has answered goes out with the wrong key.
	const saved = `Key for ${new URL(service.baseUrl).host} saved.`;
	await expect(workbench.notifications().filter({ hasText: saved })).toBeVisible();
	await chat.getByRole("button", { name: "Try again" }).click();
	await expect(answers(chat).first()).toContainText("Hello from afar.");
	await answered(chat);
	await workbench.runCommand("Cutaway: Check Service");
	await expect(workbench.notifications().filter({ hasText: "The key was accepted" })).toBeVisible();
	await workbench.runCommand("Notifications: Clear All Notifications");
	await takePictures(workbench, editorServer, "connected", {
		"cutaway.endpoint": service.baseUrl,
	});
	expect(await chat.locator("body").innerHTML()).not.toContain(rightKey);
	expect(service.heard.filter(({ method }) => method === "POST")).toHaveLength(2);
});

test("a service that takes its key at once is connected without a notification", async ({
	workbench,
	service,
}) => {
	await connect(workbench, service, rightKey);
	await expect(workbench.page.getByText(/Cutaway: connected to/)).toBeVisible();
	await expect(workbench.notifications()).toHaveCount(0);
});
