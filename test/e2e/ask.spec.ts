import { answered, answers, ask } from "./chatView.ts";
import { expect, test } from "./fixtures.ts";
import { untilDone } from "./patience.ts";
import { takePictures } from "./pictures.ts";

const fast = { "cutaway.localService.charactersPerSecond": 0 };

test(
	"the first question is answered by the local service with nothing set up",
	{ tag: "@core" },
	async ({ workbench, editorServer }) => {
		const chat = await workbench.openChat();
		await expect(chat.locator(".model-chosen")).toHaveText("Demo (no model)");
		await takePictures(workbench, editorServer, "empty");
		await ask(chat, "What can you do?");
		await answered(chat);
		await expect(answers(chat)).toHaveCount(1);
		await expect(answers(chat).first()).toContainText("not a language model");
		await expect(chat.getByRole("article", { name: "You" })).toContainText("What can you do?");
		await takePictures(workbench, editorServer, "first-question");
	},
);

test.describe("with the local service at full speed", () => {
	test.use({ settings: fast });

	test("Markdown of every kind is shown, and nothing in it is loaded or run", async ({
		workbench,
		editorServer,
	}) => {
		const requests: string[] = [];
		workbench.page.on("request", request => requests.push(request.url()));
		const chat = await workbench.openChat();
		await ask(chat, "/markdown");
		await answered(chat);
		const answer = answers(chat).first();
		await expect(answer.getByRole("table").first()).toBeVisible();
		await expect(answer.locator("img, script, iframe, form")).toHaveCount(0);
		expect(
			requests.filter(url => !/127\.0\.0\.1|localhost|vscode-cdn|^data:|^blob:/.test(url)),
		).toEqual([]);
		await takePictures(workbench, editorServer, "markdown", fast);
	});

	test("an answer of three messages shows three", async ({ workbench, editorServer }) => {
		const chat = await workbench.openChat();
		await ask(chat, "/messages 3");
		await answered(chat);
		await expect(answers(chat)).toHaveCount(3);
		await takePictures(workbench, editorServer, "three-messages", fast);
	});

	test("an answer of 200 KB arrives whole and the composer stays usable meanwhile", async ({
		workbench,
		editorServer,
	}) => {
		const chat = await workbench.openChat();
		await ask(chat, "/long 200");
		const message = chat.getByRole("textbox", { name: "Message" });
		await message.fill("typed while the answer was coming");
		await answered(chat);
		await expect(message).toHaveValue("typed while the answer was coming");
		const shownCharacters = () =>
			answers(chat)
				.first()
				.evaluate(article => article.textContent.length);
		await expect.poll(shownCharacters).toBeGreaterThan(150_000);
		await takePictures(workbench, editorServer, "long-answer", fast);
	});

	test("a chat of several turns can be left for a new one and found again in the history", async ({
		workbench,
	}) => {
		const chat = await workbench.openChat();
		await ask(chat, "/echo the very first question");
		await answered(chat);
		await ask(chat, "/echo a second one");
		await answered(chat);
		await workbench.titleButton("New chat").click();
		await expect(chat.getByRole("article")).toHaveCount(0);
		// New Chat's cursor may come when the chat before is gone already, and closes the list.
		await untilDone(async timeout => {
			await workbench.titleButton("History").click({ timeout });
			await workbench.pickQuickInput("the very first question", timeout);
			await expect(chat.getByRole("article", { name: "You" })).toHaveCount(2, { timeout });
		});
	});
});
