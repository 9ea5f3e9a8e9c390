import type { ChatMessage } from "../../client/contract/schemas.ts";
import { offeredNames } from "../http/requestParameters.ts";
import { type DemoAnswer, type DemoQuestion, sayLines } from "./demoAnswer.ts";
import { nameAsCode } from "../tools/toolMessages.ts";
import { demoScenarios, repeatLastResult } from "./demoScenarios.ts";

/** Answers a plain request with tools of the caller's, where it offers them; undefined for any other question. */
export function answerWithTools({ text, request }: DemoQuestion): DemoAnswer | undefined {
	const offered = new Set(offeredNames(request));
	for (const scenario of demoScenarios) {
		const match = scenario.pattern.exec(text);
		const first = match && scenario.first(match);
		if (match && first && offered.has(first.name)) {
			const results = resultsSince(request.messages);
			const use = results.length === 0 ? first : scenario.next?.(results, match);
			return use && offered.has(use.name)
				? callTool(use.name, JSON.stringify(use.input), request.messages.length)
				: sayLines(scenario.say?.(results) ?? repeatLastResult(results));
		}
	}
	return undefined;
}

/** Calls the tool that a command names, with the JSON behind the name as it was typed, then passes its result on. */
export function answerCall({ text, request }: DemoQuestion): DemoAnswer {
	const [, name = "", input = ""] = /^(\S*)\s*([\s\S]*)$/.exec(text.trim()) ?? [];
	const results = resultsSince(request.messages);
	if (results.length > 0) {
		return sayLines(repeatLastResult(results));
	}
	const offered = offeredNames(request);
	if (!offered.includes(name)) {
		const names = offered.map(nameAsCode).join(", ");
		return sayLines(
			"Type `/call`, the name of a tool that the request offers, and its arguments as JSON.",
			"",
			offered.length > 0 ? `It offers ${names}.` : "It offers none.",
		);
	}
	return callTool(name, input === "" ? "{}" : input, request.messages.length);
}

/** The results of the tools called for the last question, in order. */
function resultsSince(messages: readonly ChatMessage[]): string[] {
	const asked = messages.findLastIndex(({ role }) => role === "user");
	return messages
		.slice(asked + 1)
		.filter(({ role }) => role === "tool" || role === "function")
		.map(({ content }) => content);
}

/** The id is made of the conversation's length, so that the same conversation gives the same answer. */
function callTool(name: string, input: string, length: number): DemoAnswer {
	return {
		pace: "steady",
		events: [
			{ type: "message-start", role: "assistant" },
			{ type: "tool-call", id: `call-${length}`, name, arguments: input },
			{ type: "message-end" },
		],
	};
}
