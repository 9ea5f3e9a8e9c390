import { beforeEach, expect, test, vi } from "vitest";
import { silentLog } from "../../../../src/common/log.ts";
import type { EditorModelPart } from "../../../../src/common/modelSetup.ts";
import { createEditorModels } from "../../../../src/ui/models/editorModels.ts";
import { editorMessages, editorTools } from "../../../../src/ui/models/editorMessages.ts";

const { selectChatModels, showInformationMessage, sendRequest, classes } = vi.hoisted(() => {
	class LanguageModelTextPart {
		readonly value: string;
		constructor(value: string) {
			this.value = value;
		}
	}
	class LanguageModelToolCallPart {
		readonly callId: string;
		readonly name: string;
		readonly input: object;
		constructor(callId: string, name: string, input: object) {
			this.callId = callId;
			this.name = name;
			this.input = input;
		}
	}
	class LanguageModelToolResultPart {
		readonly callId: string;
		readonly content: readonly unknown[];
		constructor(callId: string, content: readonly unknown[]) {
			this.callId = callId;
			this.content = content;
		}
	}
	class LanguageModelDataPart {
		readonly data: Uint8Array;
		readonly mimeType: string;
		constructor(data: Uint8Array, mimeType: string) {
			this.data = Uint8Array.from(data);
			this.mimeType = mimeType;
		}
		static image(data: Uint8Array, mimeType: string) {
			return new LanguageModelDataPart(data, mimeType);
		}
	}
	class LanguageModelError extends Error {
		readonly code: string;
		constructor(message: string, code: string) {
			super(message);
			this.code = code;
		}
	}
	class CancellationTokenSource {
		readonly token = {};
		cancel(): void {
			sendRequest.canceled = true;
		}
		dispose(): void {}
	}
	const classes = {
		LanguageModelTextPart,
		LanguageModelToolCallPart,
		LanguageModelToolResultPart,
		LanguageModelDataPart,
		LanguageModelError,
		CancellationTokenSource,
	};
	const request = vi.fn<(...asked: unknown[]) => Promise<{ stream: AsyncIterable<unknown> }>>();
	const sendRequest = Object.assign(request, { canceled: false });
	return {
		selectChatModels: vi.fn<() => Promise<readonly object[]>>(),
		showInformationMessage: vi.fn<() => Promise<string | undefined>>(),
		sendRequest,
		classes,
	};
});
vi.mock("vscode", () => ({
	...classes,
	LanguageModelChatMessage: {
		User: (content: unknown) => ({ role: "user", content }),
		Assistant: (content: unknown) => ({ role: "assistant", content }),
	},
	LanguageModelChatToolMode: { Auto: "auto", Required: "required" },
	lm: { selectChatModels },
	window: { showInformationMessage },
}));

async function* streamOf(parts: readonly unknown[]): AsyncGenerator {
	yield* parts;
}

const large = { vendor: "acme", id: "large", name: "Large", maxInputTokens: 8192, sendRequest };
const hello = { model: "acme/large", messages: [{ role: "user", content: "Hi" }] };

beforeEach(() => {
	vi.resetAllMocks();
	selectChatModels.mockResolvedValue([large]);
	sendRequest.mockImplementation(async () => {
		return await Promise.resolve({ stream: streamOf([new classes.LanguageModelTextPart("Yes")]) });
	});
});

function open(known?: unknown) {
	let allowed = known;
	const memory = {
		get: () => allowed,
		set: (providers: readonly string[]) => (allowed = providers),
	};
	const models = createEditorModels({ allowed: memory, log: silentLog });
	const parts: EditorModelPart[] = [];
	return {
		parts,
		memory,
		ask: (request: object = {}, signal = new AbortController().signal) =>
			models.answer({ ...hello, ...request }, part => parts.push(part), signal),
	};
}

test("a provider is allowed once, and then for all its models and chats", async () => {
	showInformationMessage.mockResolvedValue("Allow");
	const { ask, memory, parts } = open();
	expect(await ask()).toBeUndefined();
	expect(await ask()).toBeUndefined();
	expect(showInformationMessage).toHaveBeenCalledTimes(1);
	expect(memory.get()).toEqual(["acme"]);
	expect(parts).toEqual([
		{ type: "context", tokens: 8192 },
		{ type: "text", text: "Yes" },
		{ type: "context", tokens: 8192 },
		{ type: "text", text: "Yes" },
	]);
});

test.each([
	["is declined", () => Promise.resolve(undefined)],
	["cannot be shown", () => Promise.reject(new Error("refused to show dialog"))],
])("nothing is sent when the question %s, and the next message asks again", async (_, asked) => {
	showInformationMessage.mockImplementation(asked);
	const { ask, memory } = open();
	expect(await ask()).toMatchObject({ reason: "notAllowed" });
	expect(await ask()).toMatchObject({ reason: "notAllowed" });
	expect(showInformationMessage).toHaveBeenCalledTimes(2);
	expect(sendRequest).not.toHaveBeenCalled();
	expect(memory.get()).toBeUndefined();
});

test("what another version kept as allowed allows nothing", async () => {
	showInformationMessage.mockResolvedValue(undefined);
	expect(await open({ acme: true }).ask()).toMatchObject({ reason: "notAllowed" });
});

test("Stop while the user is asked ends the wait, and nothing is sent", async () => {
	const stopping = new AbortController();
	showInformationMessage.mockImplementation(async () => {
		stopping.abort();
		return await new Promise<never>(() => {});
	});
	await expect(open().ask({}, stopping.signal)).rejects.toThrow();
	expect(sendRequest).not.toHaveBeenCalled();
});

test("thoughts, calls and text are told apart, and data is left out", async () => {
	const parts = [
		{ value: ["Well", ", "] },
		{ value: "hm" },
		{ mimeType: "application/x-usage", data: new Uint8Array(2) },
		new classes.LanguageModelToolCallPart("c1", "look", { at: 1 }),
		new classes.LanguageModelTextPart("Seen"),
	];
	sendRequest.mockResolvedValue({ stream: streamOf(parts) });
	const bench = open(["acme"]);
	expect(await bench.ask()).toBeUndefined();
	expect(bench.parts).toEqual([
		{ type: "context", tokens: 8192 },
		{ type: "thinking", text: "Well, " },
		{ type: "thinking", text: "hm" },
		{ type: "call", id: "c1", name: "look", arguments: '{"at":1}' },
		{ type: "text", text: "Seen" },
	]);
});

const named = (name: string, message: string): Error => Object.assign(new Error(message), { name });
test.each([
	[new classes.LanguageModelError("x", "NotFound"), "gone"],
	[new classes.LanguageModelError("x", "NoPermissions"), "notAllowed"],
	[new classes.LanguageModelError("x", "Blocked"), "blocked"],
	[named("ChatQuotaExceeded", "x"), "quota"],
	[named("ChatRateLimited", "x"), "rate"],
	[new Error("Broken"), "failed"],
])("%o is told as %s", async (error, reason) => {
	sendRequest.mockRejectedValue(error);
	expect(await open(["acme"]).ask()).toMatchObject({ reason });
});

const seen = {
	role: "user",
	content: [
		{ type: "text", text: "Look" },
		{ type: "image_url", image_url: { url: "data:image/png;base64,AQID" } },
	],
};

test("images go to the editor's models as data, and nothing else does in their place", () => {
	expect(editorMessages([{ role: "system", content: "Be brief." }, seen])).toEqual([
		{
			role: "user",
			content: [
				new classes.LanguageModelTextPart("Be brief.\n\nLook"),
				new classes.LanguageModelDataPart(new Uint8Array([1, 2, 3]), "image/png"),
			],
		},
	]);
	const elsewhere = { type: "image_url", image_url: { url: "https://a.example/cat.png" } };
	expect(() => editorMessages([{ role: "user", content: [elsewhere] }])).toThrow();
});

test("a model that is gone, and one without tools or eyes, are told before anything is sent", async () => {
	const look = { type: "function", function: { name: "look" } };
	selectChatModels.mockResolvedValue([{ ...large, capabilities: { supportsToolCalling: false } }]);
	expect(await open(["acme"]).ask({ tools: [look] })).toMatchObject({ reason: "noTools" });
	selectChatModels.mockResolvedValue([{ ...large, capabilities: { supportsImageToText: false } }]);
	expect(await open(["acme"]).ask({ messages: [seen] })).toMatchObject({ reason: "noImages" });
	selectChatModels.mockResolvedValue([]);
	expect(await open(["acme"]).ask()).toMatchObject({ reason: "gone" });
	expect(sendRequest).not.toHaveBeenCalled();
});

test("system prompts lead the first message of the user, and results are the user's in one message", () => {
	const call = (id: string) => ({
		id,
		type: "function",
		function: { name: "look", arguments: "{}" },
	});
	const messages = editorMessages([
		{ role: "system", content: "Be brief." },
		{ role: "user", content: "Look" },
		{ role: "assistant", content: "", tool_calls: [call("a"), call("b")] },
		{ role: "tool", tool_call_id: "a", content: "A cat" },
		{ role: "tool", tool_call_id: "b", content: "A dog" },
		{ role: "user", content: "And?" },
	]);
	const result = (id: string, text: string) =>
		new classes.LanguageModelToolResultPart(id, [new classes.LanguageModelTextPart(text)]);
	expect(messages).toEqual([
		{ role: "user", content: "Be brief.\n\nLook" },
		{
			role: "assistant",
			content: ["a", "b"].map(id => new classes.LanguageModelToolCallPart(id, "look", {})),
		},
		{ role: "user", content: [result("a", "A cat"), result("b", "A dog")] },
		{ role: "user", content: "And?" },
	]);
});

test("a tool that must be called is offered alone, since the editor requires no other", () => {
	const tools = ["look", "listen"].map(name => ({ type: "function", function: { name } }));
	const choice = { type: "function", function: { name: "listen" } };
	expect(editorTools({ ...hello, tools, tool_choice: choice })).toMatchObject({
		tools: [{ name: "listen" }],
		toolMode: "required",
	});
	expect(editorTools({ ...hello, tools, tool_choice: "required" }).toolMode).toBe("auto");
});
