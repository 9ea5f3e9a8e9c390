import { answered, answers, ask, conversation } from "./chatView.ts";
import { expect, test } from "./fixtures.ts";
import { takePictures } from "./pictures.ts";

/** So slowly that no step of a crowded machine outlasts the answer. */
const slow = { "cutaway.localService.charactersPerSecond": 40 };

test.use({ settings: slow });

test(
	"Stop in mid-answer keeps the text and says so",
	{ tag: "@core" },
	async ({ workbench, editorServer }) => {
		const chat = await workbench.openChat();
		await ask(chat, "/markdown");
		await expect(answers(chat).first()).toContainText(/\w{3}/);
		await chat.getByRole("button", { name: "Stop" }).click();
		await answered(chat);
		await expect(conversation(chat).getByText(/Stopped\. The text so far is kept/)).toBeVisible();
		const kept = await answers(chat).first().textContent();
		expect((kept ?? "").length).toBeGreaterThan(3);
		await takePictures(workbench, editorServer, "stopped", slow);
	},
);

test(
	"L1: after a reload in mid-answer the chat is there, marked as interrupted, with its text",
	{ tag: "@core" },
	async ({ workbench, editorServer }) => {
		const before = await workbench.openChat();
		await ask(before, "/markdown");
		await expect(async () => {
			expect((await answers(before).first().textContent())?.length ?? 0).toBeGreaterThan(400);
		}).toPass();
		await workbench.reload();
		const chat = await workbench.chatFrame();
		await expect(
			conversation(chat).getByText(/Interrupted: the chat was closed, or its window reloaded/),
		).toBeVisible();
		await expect
			.poll(async () => (await answers(chat).first().textContent())?.length ?? 0)
			.toBeGreaterThan(200);
		await expect(chat.getByRole("button", { name: "Try again" }).first()).toBeVisible();
		await takePictures(workbench, editorServer, "reloaded", slow);
	},
);

test("L3: a view hidden and shown in mid-answer shows everything that came meanwhile", async ({
	workbench,
}) => {
	const before = await workbench.openChat();
	await ask(before, "/messages 2");
	await expect(answers(before).first()).toContainText(/\w{3}/);
	await workbench.runCommand("View: Toggle Secondary Side Bar Visibility");
	await workbench.page.waitForTimeout(1500);
	await workbench.runCommand("View: Toggle Secondary Side Bar Visibility");
	const chat = await workbench.chatFrame();
	await answered(chat);
	await expect(answers(chat)).toHaveCount(2);
	await expect(answers(chat).last()).toContainText(/\w{3}/);
	await expect(conversation(chat).getByText(/Interrupted/)).toHaveCount(0);
});
