import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { throughLocalService } from "../helpers/scriptedModel.ts";
import { answered, answers, ask } from "./chatView.ts";
import { expect, modelTest } from "./fixtures.ts";
import { takePictures } from "./pictures.ts";

/** A mirror whose files are all alike, and none the promised one. */
interface WrongMirror {
	readonly url: string;
	readonly asked: readonly string[];
}

const test = modelTest.extend<{ readonly mirror: WrongMirror }>({
	// oxlint-disable-next-line no-empty-pattern -- Playwright wants the pattern
	mirror: async ({}, use) => {
		const asked: string[] = [];
		const server = createServer(({ method, url }, response) => {
			asked.push(`${method} ${url}`);
			const bytes = Buffer.alloc(1000);
			response.writeHead(200, { "content-length": bytes.length });
			response.end(method === "HEAD" ? undefined : bytes);
		});
		await new Promise<void>(resolve => server.listen(0, "127.0.0.1", resolve));
		await use({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/py`, asked });
		server.close();
	},
	settings: ({ model, mirror }, use) =>
		use({ ...throughLocalService(model), "cutaway.localService.packageMirror": mirror.url }),
});

test("code that imports pandas asks before anything is downloaded, and runs without a file that isn't the promised one", async ({
	workbench,
	editorServer,
	settings,
	model,
	mirror,
}) => {
	const code = "print('before')\nimport pandas";
	model.script({ calls: [["code_interpreter", { code }]] }, { text: "It can't be had." });
	const chat = await workbench.openChat();
	const tool = chat.getByRole("switch", { name: "Code interpreter" });
	await tool.click();
	await expect(tool).toBeChecked();
	await ask(chat, "Which month sold most?");
	const question = chat.getByRole("group", {
		name: /^This code uses pandas\. Get 5 packages from/,
	});
	await expect(question).toContainText(new URL(mirror.url).host);
	expect(mirror.asked).toEqual([]);
	await takePictures(workbench, editorServer, "python-packages", settings);
	await question.getByRole("button", { name: "Get and Run" }).click();
	await answered(chat);
	await expect(answers(chat).last()).toContainText("It can't be had.");
	expect(mirror.asked.some(asked => /^GET .+\/full\/numpy-.+\.whl$/.test(asked))).toBe(true);
	expect(model.questions[1]).toContain("could not be downloaded: a file is not the promised one.");
	expect(model.questions[1]).toContain("before");
});
