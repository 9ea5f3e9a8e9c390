import { expect, test, vi } from "vitest";
import type { ChatOptions } from "../../../../src/chat/log/chatMeta.ts";
import { silentLog } from "../../../../src/common/log.ts";
import type { SettingName, SettingValue } from "../../../../src/ui/base/settings.ts";
import { createFakeSettings } from "../../../helpers/fakeSettings.ts";

vi.mock("vscode", () => ({}));
const { ChatSettings } = await import("../../../../src/ui/composer/chatSettings.ts");
const { chatSettingsView, readChatSettings } =
	await import("../../../../src/ui/composer/chatSettingsForm.ts");
const { QuestionSettings: QuestionOptions } =
	await import("../../../../src/ui/chat/questionSettings.ts");

function setUp(
	values: { readonly [Name in SettingName]?: SettingValue<Name> } = {},
	memory: { value?: unknown } = {},
) {
	const settings = createFakeSettings(values);
	const kept = new Map<string, ChatOptions>();
	const chat = new ChatSettings({
		settings,
		library: {
			setOptions: (id, options) => {
				kept.set(id, options);
				return Promise.resolve();
			},
		},
		log: silentLog,
		memory: {
			get: () => memory.value,
			set: value => {
				memory.value = structuredClone(value);
				return Promise.resolve();
			},
		},
	});
	return { settings, kept, chat, memory };
}

const library = { Reviewer: "Be strict.", Poet: "Rhyme." };

test("a chat follows the settings until something is chosen in it", async () => {
	const { chat, settings } = setUp({ "chat.temperature": 0.5 });
	chat.follow("a", undefined);
	expect(chat.get("chat.temperature")).toBe(0.5);
	await chat.change({ temperature: null });
	expect(chat.get("chat.temperature")).toBeNull();
	expect(settings.get("chat.temperature")).toBe(0.5);
	expect(chat.summary()).toEqual(["Temperature –"]);
});

test("a model chosen in a chat is kept with it, and the default of the next one", async () => {
	const { chat, settings, kept } = setUp();
	chat.follow("a", undefined);
	await chat.chatStarted("a");
	expect(kept.get("a")).toEqual({ model: "llm-4-turbo-tools" });
	chat.follow("b", undefined);
	await chat.set("chat.model", "own-model");
	await chat.chatStarted("b");
	expect(settings.get("chat.model")).toBe("own-model");
	chat.follow("a", { options: kept.get("a") ?? {} });
	expect(chat.get("chat.model")).toBe("llm-4-turbo-tools");
	chat.follow("c", undefined);
	expect(chat.get("chat.model")).toBe("own-model");
});

test("what was chosen before the first question outlives a reload, and is kept with the chat once that is asked", async () => {
	const memory = {};
	const before = setUp({}, memory).chat;
	before.follow("a", undefined);
	await before.change({ systemPrompt: "Be brief." });
	const { chat, kept } = setUp({}, memory);
	chat.follow("b", undefined);
	expect(chat.systemPrompt()).toBe("Be brief.");
	await chat.change(chat.options);
	await chat.chatStarted("b");
	expect(kept.get("b")).toEqual({ systemPrompt: "Be brief.", model: "llm-4-turbo-tools" });
	chat.follow("c", undefined);
	expect(chat.options).toEqual({});
});

test("what did not reach the disk before the window went away is still the chat's", () => {
	const waiting = { chatId: "a", options: { temperature: 1 } };
	const { chat } = setUp({}, { value: waiting });
	chat.follow("a", { options: {} });
	expect(chat.options).toEqual({ temperature: 1 });
});

test("a choice in an empty chat is made once VS Code has it", async () => {
	const taken = Promise.withResolvers<void>();
	const chat = new ChatSettings({
		settings: createFakeSettings(),
		library: { setOptions: () => Promise.resolve() },
		log: silentLog,
		memory: {
			get: () => undefined,
			set: value => (value === undefined ? Promise.resolve() : taken.promise),
		},
	});
	chat.follow("a", undefined);
	const change = chat.change({ temperature: 1 });
	await Promise.resolve();
	expect(chat.options).toEqual({});
	taken.resolve();
	await change;
	expect(chat.options).toEqual({ temperature: 1 });
});

test("choices that cannot be kept are not taken", async () => {
	const settings = createFakeSettings();
	const chat = new ChatSettings({
		settings,
		library: { setOptions: () => Promise.reject(new Error("The disk is full.")) },
		log: silentLog,
		memory: { get: () => undefined, set: () => Promise.resolve() },
	});
	chat.follow("a", { options: { temperature: 1 } });
	await expect(chat.change({})).rejects.toThrow("The disk is full.");
	expect(chat.options).toEqual({ temperature: 1 });
});

test("the system prompt is the chat's own, or the one the settings name out of the library", async () => {
	const { chat } = setUp({ "chat.systemPrompts": library, "chat.systemPrompt": "Reviewer" });
	const options = new QuestionOptions(chat);
	chat.follow("a", undefined);
	expect(options.current().systemPrompt).toBe("Be strict.");
	expect(chat.summary()).toEqual(["System prompt: Reviewer"]);
	await chat.change({ systemPrompt: "Mine" });
	expect(options.current().systemPrompt).toBe("Mine");
	expect(chat.summary()).toEqual(["Custom system prompt"]);
	await chat.change({ systemPrompt: "" });
	expect(options.current()).not.toHaveProperty("systemPrompt");
	expect(chat.summary()).toEqual(["No system prompt"]);
});

test("the form keeps only what differs from the settings", () => {
	const { chat } = setUp({ "chat.temperature": 0.5, "chat.systemPrompts": library });
	chat.follow("a", undefined);
	const { values, defaults, library: offered } = chatSettingsView(chat);
	expect(values).toEqual(defaults);
	expect(offered.map(({ name }) => name)).toEqual(["Reviewer", "Poet"]);
	expect(readChatSettings(values, chat)).toEqual({ options: { model: "llm-4-turbo-tools" } });
	const entered = {
		...values,
		temperature: "",
		topP: "0,9",
		maxTokens: "200",
		systemPrompt: "Rhyme.",
		extraParameters: '{"seed": 7}',
	};
	expect(readChatSettings(entered, chat)).toEqual({
		options: {
			model: "llm-4-turbo-tools",
			temperature: null,
			topP: 0.9,
			maxTokens: 200,
			systemPrompt: "Rhyme.",
			extraParameters: { seed: 7 },
		},
	});
});

test.each([
	["temperature", "2.1", "Temperature must be a number from 0 to 2, or empty."],
	["temperature", "warm", "Temperature must be a number from 0 to 2, or empty."],
	["topP", "-0.1", "Top P must be a number from 0 to 1, or empty."],
	["maxTokens", "1.5", "Max tokens must be a whole number of at least 1, or empty."],
	["maxTokens", "0", "Max tokens must be a whole number of at least 1, or empty."],
	["model", "  ", "A model id must have 1 to 200 characters."],
	["systemPrompt", "x".repeat(32_001), "Use at most 32,000 characters."],
	["extraParameters", '{"stream": false}', "Line 1: “stream” is set by Cutaway"],
] as const)("a value out of range is refused with its bound: %s", (name, value, sentence) => {
	const { chat } = setUp();
	chat.follow("a", undefined);
	const { values } = chatSettingsView(chat);
	const read = readChatSettings({ ...values, [name]: value }, chat);
	const faults = "faults" in read ? read.faults : [];
	expect(faults.map(fault => fault.name)).toEqual([name]);
	expect(faults[0]?.sentence).toContain(sentence);
});
