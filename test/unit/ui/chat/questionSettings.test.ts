import { expect, test, vi } from "vitest";
import { QuestionSettings } from "../../../../src/ui/chat/questionSettings.ts";
import { createFakeSettings } from "../../../helpers/fakeSettings.ts";
import type { ChatSettings } from "../../../../src/ui/composer/chatSettings.ts";

vi.mock("vscode", () => ({}));

/** Settings whose writes take until `release` is called. */
function slowSettings() {
	const values: Record<string, unknown> = {
		endpoint: "",
		"chat.model": "llm-4-turbo-tools",
		"chat.serverTools": ["browsing"],
		"chat.temperature": null,
		"chat.topP": null,
		"chat.maxTokens": null,
		"chat.extraParameters": {},
	};
	const waiting: (() => void)[] = [];
	const set = (name: string, value: unknown) =>
		new Promise<void>(resolve => {
			waiting.push(() => {
				values[name] = value;
				resolve();
			});
		});
	const get = (name: string) => values[name];
	const settings = { get, set, choose: set, defaults: { get, set }, systemPrompt: () => "" };
	const releaseAll = async (): Promise<void> => {
		for (let turn = 0; turn < 10; turn += 1) {
			waiting.splice(0).forEach(release => release());
			await Promise.resolve();
		}
	};
	return { settings: settings as unknown as ChatSettings, releaseAll };
}

test("a question asked right after a switch goes with what the switch shows", async () => {
	const { settings, releaseAll } = slowSettings();
	const options = new QuestionSettings(settings);
	void options.setServerTool("browsing", false);
	void options.setModel("llm-3.5-turbo-tools");
	const asked = options.settled();
	await releaseAll();
	expect(await asked).toMatchObject({ model: "llm-3.5-turbo-tools", serverTools: [] });
});

test("two quick switches both count", async () => {
	const { settings, releaseAll } = slowSettings();
	const options = new QuestionSettings(settings);
	void options.setServerTool("code_interpreter", true);
	void options.setServerTool("browsing", false);
	const asked = options.settled();
	await releaseAll();
	expect((await asked).serverTools).toEqual(["code_interpreter"]);
});

test("the project's instructions are read again for each question", async () => {
	const settings = { get: () => [], systemPrompt: () => "" };
	let text = "old";
	const project = {
		sent: () => [{ name: "AGENTS.md", text }],
		refresh: async () => {
			text = await Promise.resolve("as it is on the disk");
		},
	};
	const options = new QuestionSettings(settings as unknown as ChatSettings, project);
	expect((await options.settled()).instructions).toEqual([
		{ name: "AGENTS.md", text: "as it is on the disk" },
	]);
	project.sent = () => [];
	expect(await options.settled()).not.toHaveProperty("instructions");
});

test.each([
	["", "llm-4-turbo", true],
	["", "ollama/qwen3:8b", undefined],
	["https://llm.example/", "llm-4-turbo", undefined],
])(
	"with the endpoint «%s» and the model %s, an answer of the demo is marked as one: %s",
	(endpoint, model, isDemo) => {
		const values: Record<string, unknown> = {
			endpoint,
			"chat.model": model,
			"chat.serverTools": [],
		};
		const settings = { get: (name: string) => values[name], systemPrompt: () => "" };
		const options = new QuestionSettings(settings as unknown as ChatSettings);
		expect(options.current().isDemo).toBe(isDemo);
	},
);

test("T36: of the local service Cutaway reads the pages itself; another service is asked to", () => {
	const read = (endpoint: string, model = "llm-4-turbo-tools") => {
		const settings = createFakeSettings({
			endpoint,
			"chat.model": model,
			"chat.serverTools": ["code_interpreter", "browsing"],
		});
		const chat = { ...settings, systemPrompt: () => "" } as unknown as ChatSettings;
		return new QuestionSettings(chat).current();
	};
	expect(read("")).toMatchObject({ serverTools: ["code_interpreter"], mayBrowse: true });
	expect(read("", "llm-4-turbo")).not.toHaveProperty("mayBrowse");
	const remote = read("https://service.example");
	expect(remote.serverTools).toEqual(["code_interpreter", "browsing"]);
	expect(remote).not.toHaveProperty("mayBrowse");
});
