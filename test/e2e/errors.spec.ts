import { answered, answers, ask, conversation } from "./chatView.ts";
import { expect, serviceTest as test } from "./fixtures.ts";
import { takePictures } from "./pictures.ts";
import type { ModelAnswer } from "../helpers/scriptedModel.ts";

const opening = "This answer begins well, gets as far as this line, ";

/** What a user sees after each way in which a service can fail quickly. */
const endings: readonly (readonly [name: string, answer: ModelAnswer, sentence: RegExp])[] = [
	["400", { status: 400 }, /rejected the request/],
	["401", { status: 401 }, /The key wasn't accepted/],
	["403", { status: 403 }, /Not allowed for this key/],
	["404", { status: 404 }, /doesn't know this address/],
	["409", { status: 409 }, /couldn't accept the request now/],
	["413", { status: 413 }, /too large for the service/],
	["500", { status: 500 }, /The service failed/],
	["503", { status: 503, headers: { "Retry-After": "20" } }, /The service is busy/],
	[
		"a connection that breaks",
		{ text: opening, ending: "cut" },
		/Interrupted: the connection broke\. The text so far is kept/,
	],
	["an end that is missing", { text: opening, ending: "early" }, /Ended early/],
	["nothing", { body: "data: [END]\n\n", type: "text/event-stream" }, /Empty answer/],
	[
		"an unreadable part",
		{ body: "data: {{{{\n\ndata: [END]\n\n", type: "text/event-stream" },
		/Partly unreadable|Interrupted/,
	],
	[
		"a web page",
		{ body: "<!doctype html><title>Guests</title>", type: "text/html" },
		/Received a web page instead of an answer/,
	],
	[
		"a refusal with status 200",
		{ body: '{"success":false,"error":{"message":"No."}}', type: "application/json" },
		/The service rejected the request/,
	],
];

test("every ending has a name, a sentence and, where something can be done, a button", async ({
	workbench,
	editorServer,
	settings,
	model,
}) => {
	const chat = await workbench.openChat();
	for (const [name, answer, sentence] of endings) {
		await test.step(name, async () => {
			model.script(answer);
			await ask(chat, `What about ${name}?`);
			await answered(chat);
			await expect(conversation(chat).getByText(sentence).last()).toBeVisible();
		});
	}
	await takePictures(workbench, editorServer, "errors", settings);
});

test("«Show the error» asks once more without streaming and its answer is the answer", async ({
	workbench,
	editorServer,
	settings,
	model,
}) => {
	const whole = { messages: [{ role: "assistant", content: "This is the whole answer." }] };
	model.script(
		{ text: opening, ending: "cut" },
		{ body: JSON.stringify(whole), type: "application/json" },
	);
	const chat = await workbench.openChat();
	await ask(chat, "And then?");
	await answered(chat);
	await chat.getByRole("button", { name: "Show the error" }).click();
	await expect(answers(chat).last()).toContainText("This is the whole answer.");
	await answered(chat);
	await expect(conversation(chat).getByText(/Interrupted/)).toHaveCount(0);
	await takePictures(workbench, editorServer, "show-the-error", settings);
});

test("H8: a wait the service asks for counts down and can be stopped", async ({
	workbench,
	model,
}) => {
	// It outlasts every step of a crowded machine.
	model.script({ status: 429, message: "Too many requests.", headers: { "Retry-After": "45" } });
	const chat = await workbench.openChat();
	await ask(chat, "Is there room?");
	await expect(chat.getByText(/Trying again in \d+ s/)).toBeVisible();
	await chat.getByRole("button", { name: "Stop" }).click();
	await answered(chat);
	await ask(chat, "And on we go");
	await answered(chat);
	await expect(conversation(chat).getByText(/^Stopped/)).toBeVisible();
	await expect(chat.getByText(/Answering|Trying again in/)).toHaveCount(0);
});
