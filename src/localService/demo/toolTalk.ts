import type { ChatMessage } from "../../client/index.ts";
import { type DemoAnswer, type DemoQuestion, sayLines } from "./demoAnswer.ts";
import { errands, passOn, type ToolUse } from "./errands.ts";

/** Answers a plain request with tools of the caller's, where it offers them; undefined for any other question. */
export function answerWithTools({ text, request }: DemoQuestion): DemoAnswer | undefined {
	const offered = new Set((request.custom_tools ?? []).map(tool => tool.function.name));
	for (const errand of errands) {
		const match = errand.pattern.exec(text);
		const first = match && errand.first(match);
		if (match && first && offered.has(first.name)) {
			const results = resultsSince(request.messages);
			const use = results.length === 0 ? first : errand.next?.(results, match);
			return use && offered.has(use.name)
				? useTool(use, request.messages.length)
				: sayLines(errand.say?.(results) ?? passOn(results));
		}
	}
	return undefined;
}

/** The results of the tools called for the last question, in order. */
function resultsSince(messages: readonly ChatMessage[]): string[] {
	const asked = messages.findLastIndex(({ role }) => role === "user");
	return messages
		.slice(asked + 1)
		.filter(({ role }) => role === "tool")
		.map(({ content }) => content);
}

/** The id is made of the conversation's length, so that the same conversation gives the same answer. */
function useTool({ name, input }: ToolUse, length: number): DemoAnswer {
	return {
		pace: "steady",
		events: [
			{ type: "message-start", role: "assistant" },
			{ type: "tool-call", id: `call-${length}`, name, arguments: JSON.stringify(input) },
			{ type: "message-end" },
		],
	};
}
