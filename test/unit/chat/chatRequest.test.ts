import type { TurnAttachment } from "../../../src/attachments/contract/turnAttachment.ts";
import { describe, expect, test, vi } from "vitest";
import { buildChatRequest, type ContextUse, contextUse } from "../../../src/chat/chatRequest.ts";
import {
	type AnswerMessage,
	endTurn,
	startAttempt,
	startTurn,
	type Turn,
	type TurnOptions,
	type TurnOutcome,
} from "../../../src/chat/contract/turn.ts";
import {
	canUseServerTools,
	chatRequestSchema,
	type ChatDetail,
} from "../../../src/client/contract/schemas.ts";
import { ServiceError } from "../../../src/client/contract/serviceError.ts";
import { plainOptions, type ChatBench, makeChatBench } from "../../helpers/chatBench.ts";

function question(prompt: string, options: Partial<TurnOptions> = {}): Turn {
	return startTurn({ id: prompt, prompt, createdAt: 0, options: { ...plainOptions, ...options } });
}

function answered(
	prompt: string,
	messages: readonly AnswerMessage[],
	outcome: TurnOutcome = { type: "completed" },
): Turn {
	return endTurn({ ...question(prompt), messages }, outcome);
}

function closed(content: string, more: Readonly<Record<string, unknown>> = {}): AnswerMessage {
	const raw = { role: "assistant", content, ...more };
	return { role: "assistant", text: content, isFinished: true, toolNames: [], raw };
}

const partial: AnswerMessage = {
	role: "assistant",
	text: "Half",
	isFinished: false,
	toolNames: [],
};
const refused = new ServiceError("tooLarge", { charge: "refused" });

describe("the context of a question", () => {
	test("is every exchange before it, each message as it came, and an answer for every call that got none", () => {
		const calls = [{ id: "c", type: "function", function: { name: "f", arguments: "{}" } }];
		const turns = [
			answered("One?", [closed("", { anyName: calls }), closed("Two.")]),
			question("And now?"),
		];
		expect(buildChatRequest(turns).messages).toEqual([
			{ role: "user", content: "One?" },
			{ role: "assistant", content: "", anyName: calls },
			{ role: "assistant", content: "Two." },
			{ role: "tool", tool_call_id: "c", content: expect.stringContaining("was not run") },
			{ role: "user", content: "And now?" },
		]);
	});

	test("has the text of an answer that was stopped, so that the roles take turns", () => {
		const turns = [
			answered("One?", [closed("First."), partial], { type: "stopped" }),
			question("Go on?"),
		];
		expect(buildChatRequest(turns).messages.map(message => message.content)).toEqual([
			"One?",
			"First.",
			"Half",
			"Go on?",
		]);
	});

	test("leaves out a question that got nothing, which could make every later one fail too", () => {
		const turns = [
			answered("A whole book", [], { type: "failed", error: refused }),
			question("Hello?"),
		];
		expect(buildChatRequest(turns).messages).toEqual([{ role: "user", content: "Hello?" }]);
	});

	test("of another attempt does not hold the attempt before it", () => {
		const turn = startAttempt(answered("One?", [closed("First.")]), {
			isStreamed: false,
			options: plainOptions,
		});
		expect(buildChatRequest([turn])).toMatchObject({
			stream: false,
			messages: [{ role: "user", content: "One?" }],
		});
	});
});

describe("what a question is asked with", () => {
	test("names server tools only for a model that can use them", () => {
		const serverTools = ["code_interpreter", "browsing"] as const;
		const ask = (model: string) =>
			buildChatRequest([question("?", { model, serverTools: [...serverTools] })]).tools;
		expect(ask("llm-3.5-turbo-tools")).toEqual(serverTools);
		expect(ask("llm-3.5-turbo")).toBeUndefined();
		expect(buildChatRequest([question("?")])).not.toHaveProperty("tools");
		expect(canUseServerTools("my-own-tools-model")).toBe(true);
		expect(canUseServerTools("llm-4-turbo")).toBe(false);
	});

	test("passes parameters through, but none that Cutaway fills in itself", () => {
		const request = buildChatRequest([
			question("?", {
				parameters: {
					temperature: 0.2,
					seed: 7,
					messages: [],
					model: "other",
					stream: false,
					tools: ["browsing"],
					custom_tools: [{}],
					functions: [{}],
					files: [{}],
				},
			}),
		]);
		expect(request).toEqual({
			temperature: 0.2,
			seed: 7,
			model: plainOptions.model,
			stream: true,
			messages: [{ role: "user", content: "?" }],
		});
		expect(chatRequestSchema.safeParse(request).success).toBe(true);
	});

	test("names files with the same bytes under both names", () => {
		const file = (name: string): TurnAttachment => ({
			kind: "file",
			name,
			path: name,
			mimeType: "text/csv",
			size: 1,
			hash: "h",
			fileId: "f1",
			account: "a",
		});
		const asked = { ...question("?"), attachments: [file("a.csv"), file("b.csv")] };
		expect(buildChatRequest([asked]).files).toEqual([
			{ file_id: "f1", name: "a.csv", type: "text/csv" },
			{ file_id: "f1", name: "b.csv", type: "text/csv" },
		]);
	});

	test("needs a question", () => {
		expect(() => buildChatRequest([])).toThrow(RangeError);
	});
});

vi.mock("vscode", () => ({}));
const { summarizeChat } = await import("../../../src/ui/chat/chatQuestions.ts");

async function answer(bench: ChatBench, text: string, ...details: readonly ChatDetail[]) {
	const call = await bench.ask("Why?");
	call.send(...details.map(detail => ({ type: "detail", index: 0, detail }) as const));
	call.sendMessage(text);
	await bench.ended();
}

const told: readonly ChatDetail[] = [
	{ type: "usage", input: 900, output: 100 },
	{ type: "context", tokens: 4096 },
];
const tools = [
	{ name: "read", description: "Reads a file", parameters: { type: "object", properties: {} } },
] as const;

function total({ parts }: ContextUse): number {
	return Object.values(parts).reduce((sum, part) => sum + part, 0);
}

test("how much of a context is taken is what the model's server reported for the last answer", async () => {
	const bench = await makeChatBench();
	expect(contextUse(bench.session.turns, plainOptions)).toBeUndefined();
	await answer(bench, "Because.".repeat(100), ...told);
	const options = { ...plainOptions, systemPrompt: "Be brief. ".repeat(20) };
	const use = contextUse(bench.session.turns, options, tools);
	expect(use).toMatchObject({ taken: 1000, contextLength: 4096, isReported: true });
	expect(use?.parts).toMatchObject({ results: 0 });
	expect(use?.parts.messages).toBeGreaterThan(use?.parts.instructions ?? 0);
	expect(use?.parts.tools).toBeGreaterThan(0);
	expect(Math.abs(total(use as ContextUse) - 1000)).toBeLessThan(5);
	await bench.session.close();
	expect(contextUse((await bench.reopen()).turns, options, tools)).toEqual(use);
});

test("the last request counts, not the sum of an answer's requests", async () => {
	const bench = await makeChatBench();
	await answer(bench, "One", { type: "usage", input: 700, output: 50 }, ...told);
	expect(bench.session.turns[0]?.usage).toMatchObject({ input: 1600, output: 150, taken: 1000 });
	expect(contextUse(bench.session.turns, plainOptions)?.taken).toBe(1000);
});

test("what came after the last report is estimated in proportion, and says so", async () => {
	const bench = await makeChatBench();
	await answer(bench, "x".repeat(4000), ...told);
	await answer(bench, "y".repeat(4000));
	const use = contextUse(bench.session.turns, plainOptions);
	expect(use?.isReported).toBe(false);
	expect(use?.taken).toBeGreaterThan(1950);
	expect(use?.taken).toBeLessThan(2050);
});

test("a context is never taken from another model", async () => {
	const bench = await makeChatBench();
	await answer(bench, "One", ...told);
	const options = { ...plainOptions, model: "another" };
	expect(contextUse(bench.session.turns, options)).toBeUndefined();
});

test("a server that tells the context and no tokens has four characters counted as one", async () => {
	const bench = await makeChatBench();
	await answer(bench, "x".repeat(4000), { type: "context", tokens: 4096 });
	expect(contextUse(bench.session.turns, plainOptions)).toMatchObject({
		taken: 1001,
		isReported: false,
	});
});

function summaryOf(bench: ChatBench, options = plainOptions) {
	return summarizeChat({
		session: bench.session,
		questions: {
			sendQueued: async ({ id, text, options: asked, attachments }) => {
				expect(await bench.session.send(text, asked, attachments, id)).toMatchObject({
					type: "started",
				});
				return id;
			},
		},
		options: { settled: () => Promise.resolve(options) },
	});
}

test("a summary is asked for as a message of its own, without tools of the service", async () => {
	const bench = await makeChatBench();
	await answer(bench, "Because.");
	const summary = summaryOf(bench, { ...plainOptions, serverTools: ["browsing"] });
	await expect.poll(() => bench.client.calls.length).toBe(2);
	const call = bench.client.calls[1];
	expect(call?.request.tools).toBeUndefined();
	call?.sendMessage("It is settled.\n");
	expect(await summary).toBe("Summary of an earlier chat:\n\nIt is settled.\n\n");
	expect(bench.session.turns.at(-1)?.prompt).toMatch(/^Summarize this chat/);
});

test("an answer that was stopped is no summary", async () => {
	const bench = await makeChatBench();
	await answer(bench, "Because.");
	const summary = summaryOf(bench);
	await expect.poll(() => bench.client.calls.length).toBe(2);
	bench.session.stop();
	expect(await summary).toBeUndefined();
});

test("nothing is asked where nothing was answered, or where the demo would answer", async () => {
	const bench = await makeChatBench();
	await expect(summaryOf(bench)).rejects.toThrow("This chat has no answers to summarize.");
	await answer(bench, "Because.");
	await expect(summaryOf(bench, { ...plainOptions, isDemo: true })).rejects.toThrow(
		"The demo can't summarize.",
	);
	expect(bench.client.calls).toHaveLength(1);
});
