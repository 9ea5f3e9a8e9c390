import type { TurnAttachment } from "../../../src/attachments/attachment/turnAttachment.ts";
import { describe, expect, test } from "vitest";
import { buildChatRequest } from "../../../src/chat/chatRequest.ts";
import {
	type AnswerMessage,
	endTurn,
	startAttempt,
	startTurn,
	type Turn,
	type TurnOptions,
	type TurnOutcome,
} from "../../../src/chat/turn/turn.ts";
import { canUseServerTools, chatRequestSchema } from "../../../src/client/contract/schemas.ts";
import { ServiceError } from "../../../src/client/contract/errors.ts";
import { plainOptions } from "../../helpers/chatBench.ts";

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
			...{ kind: "file", name, path: name, mimeType: "text/csv", size: 1 },
			...{ hash: "h", fileId: "f1", account: "a" },
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
