import {
	type ScriptedService,
	startScriptedService,
	writeJson,
	writeStream,
} from "../integration/service.ts";
import { answered, answers, ask, conversation } from "./chatView.ts";
import { expect, test } from "./fixtures.ts";
import { takePictures } from "./pictures.ts";

const fast = { "cutaway.localService.charactersPerSecond": 0 };

test.use({ settings: fast });

/** What a user sees after `/fail KIND`, for every kind the local service can show quickly. */
const endings: readonly (readonly [kind: string, sentence: RegExp])[] = [
	["400", /rejected this message/],
	["401", /Key not accepted/],
	["403", /Not allowed for this key/],
	["404", /doesn't offer chat/],
	["409", /couldn't accept the message now/],
	["413", /too large for the service/],
	["500", /The service failed/],
	["503", /The service is busy/],
	["cut", /Interrupted: the connection broke\. The text so far is kept/],
	["early", /Ended early/],
	["empty", /Empty answer/],
	["garbage", /Partly unreadable|Interrupted/],
	["html", /Received a web page instead of an answer/],
	["refused", /The service rejected this message/],
];

test("every ending has a name, a sentence and, where something can be done, a button", async ({
	workbench,
	editorServer,
}) => {
	const chat = await workbench.openChat();
	for (const [kind, sentence] of endings) {
		await test.step(kind, async () => {
			await ask(chat, `/fail ${kind}`);
			await answered(chat);
			await expect(conversation(chat).getByText(sentence).last()).toBeVisible();
		});
	}
	await takePictures(workbench, editorServer, "errors", fast);
});

test("«Show the error» asks once more without streaming and its answer is the answer", async ({
	workbench,
	editorServer,
}) => {
	const chat = await workbench.openChat();
	await ask(chat, "/fail cut-once");
	await answered(chat);
	await chat.getByRole("button", { name: "Show the error" }).click();
	await answered(chat);
	await expect(conversation(chat).getByText(/Interrupted/)).toHaveCount(0);
	await expect(answers(chat)).not.toHaveCount(0);
	await takePictures(workbench, editorServer, "show-the-error", fast);
});

const waitingTest = test.extend<{ readonly service: ScriptedService }>({
	// oxlint-disable-next-line no-empty-pattern -- Playwright reads the pattern to learn what a fixture needs.
	service: async ({}, use) => {
		let asked = 0;
		const service = await startScriptedService((_, response) => {
			asked += 1;
			if (asked > 1) {
				writeStream(response, [["Done."]]);
				return;
			}
			// A wait that outlasts every step of a crowded machine; the local service asks for three seconds.
			response.setHeader("Retry-After", "45");
			writeJson(response, 429, { error: { message: "Too many requests." } });
		});
		await use(service);
		await service.stop();
	},
});

waitingTest.describe("with a service that asks for a wait", () => {
	waitingTest.use({
		settings: async ({ service }, use) => {
			await use({ "cutaway.endpoint": service.baseUrl, "cutaway.chat.serverTools": [] });
		},
	});

	waitingTest(
		"H8: a wait the service asks for counts down and can be stopped",
		async ({ workbench }) => {
			const chat = await workbench.openChat();
			await ask(chat, "Is there room?");
			await expect(chat.getByText(/Trying again in \d+ s/)).toBeVisible();
			await chat.getByRole("button", { name: "Stop" }).click();
			await answered(chat);
			await ask(chat, "And on we go");
			await answered(chat);
			await expect(conversation(chat).getByText(/^Stopped/)).toBeVisible();
			await expect(chat.getByText(/Answering|Trying again in/)).toHaveCount(0);
		},
	);
});
