import { answered, answers, ask } from "./chatView.ts";
import { expect, test } from "./fixtures.ts";
import { takePictures } from "./pictures.ts";

test("the first question is answered by the local service with nothing set up", async ({
	workbench,
	editorServer,
}) => {
	const chat = await workbench.openChat();
	await expect(chat.locator(".model-chosen")).toHaveText("Demo (no model)");
	await takePictures(workbench, editorServer, "empty");
	await ask(chat, "What can you do?");
	await answered(chat);
	await expect(answers(chat)).toHaveCount(1);
	await expect(answers(chat).first()).toContainText("No model is set up");
	await expect(chat.getByRole("article", { name: "You" })).toContainText("What can you do?");
	await takePictures(workbench, editorServer, "first-question");
});
