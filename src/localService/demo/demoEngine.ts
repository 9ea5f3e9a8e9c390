import type { Clock } from "../../common/async.ts";
import type { ChatRequest } from "../../client/contract/schemas.ts";
import type { Engine, EngineEvent } from "../engine.ts";
import { paceText } from "./pace.ts";
import type { ServerTools } from "../tools/serverTools.ts";
import { commands } from "./commands.ts";
import type { DemoAnswer, DemoQuestion } from "./demoAnswer.ts";
import { answerUnknownCommand } from "./help.ts";
import { answerOrdinaryQuestion, answerWhatItIs } from "./ordinaryAnswer.ts";
import { planFileAnswer, planToolAnswer, type DemoToolAnswer } from "./toolAnswer.ts";

/** Dependencies of the demo engine. */
export interface DemoEngineDependencies {
	readonly clock: Clock;
	/** Characters per second of a streamed answer, read for each; 0 is as fast as possible. */
	readonly charactersPerSecond: () => number;
}

/** Slow enough to watch single words come, and to stop in time. */
const slowCharactersPerSecond = 12;

/**
 * The engine that answers when nothing is set up: fixed rules, no language model, the same answer to the same
 * conversation every time. It says so, and can show every feature and every failure of a chat.
 */
export function createDemoEngine({ clock, charactersPerSecond }: DemoEngineDependencies): Engine {
	const speedOf = (pace: DemoAnswer["pace"], { stream }: ChatRequest): number => {
		if (stream !== true || pace === "fast") {
			return 0;
		}
		return pace === "slow" ? slowCharactersPerSecond : charactersPerSecond();
	};
	return {
		async *answer(request, signal, tools): AsyncGenerator<EngineEvent, void, undefined> {
			const toolAnswer = planWithTools(questionOf(request), tools);
			if (toolAnswer) {
				for await (const { text, pace } of toolAnswer(signal)) {
					yield { type: "message-start", role: "assistant" };
					yield* deltasOf(text, speedOf(pace, request), clock, signal);
					yield { type: "message-end" };
				}
				return;
			}
			const answer = answerQuestion(request);
			const speed = speedOf(answer.pace, request);
			for (const event of answer.events) {
				if (event.type === "text-delta") {
					yield* deltasOf(event.text, speed, clock, signal);
				} else {
					yield event;
				}
			}
		},
	};
}

async function* deltasOf(
	text: string,
	speed: number,
	clock: Clock,
	signal: AbortSignal,
): AsyncGenerator<EngineEvent, void, undefined> {
	for await (const delta of paceText(text, speed, clock, signal)) {
		yield { type: "text-delta", text: delta };
	}
}

/** Commands, and what the demo is, are answered whatever tools and files come with them. */
function planWithTools(question: DemoQuestion, tools: ServerTools): DemoToolAnswer | undefined {
	if (commandPattern.test(question.text)) {
		return undefined;
	}
	const plan = planToolAnswer(question, tools);
	const asksWhatItIs = question.text !== "" && answerWhatItIs(question) !== undefined;
	return plan ?? (asksWhatItIs ? undefined : planFileAnswer(question, tools));
}

const commandPattern = /^\s*(\/[a-z]+)(?!\/)(?:\s+([\s\S]*))?$/i;

/** The text with a command of the demo as it is without the one that it is listed under; `/demo` alone asks for help. */
function withoutPrefix(text: string): string {
	const [whole, rest = ""] = /^\s*\/demo(?:\s+([\s\S]*))?$/i.exec(text) ?? [];
	return whole === undefined ? text : `/${rest.trim() || "help"}`;
}

function questionOf(request: ChatRequest): DemoQuestion {
	const questions = request.messages
		.filter(message => message.role === "user")
		.map(message => message.content);
	return { text: withoutPrefix(questions.at(-1)?.trim() ?? ""), request, questions };
}

/** Returns the demo's whole answer to a request. Throws `HttpFailure` where it is asked to fail with a status. */
export function answerQuestion(request: ChatRequest): DemoAnswer {
	const question = questionOf(request);
	const [, name, text = ""] = commandPattern.exec(question.text) ?? [];
	if (name === undefined) {
		return answerOrdinaryQuestion(question);
	}
	const command = commands.find(candidate => candidate.name === name.toLowerCase());
	return command ? command.answer({ ...question, text }) : answerUnknownCommand(name, commands);
}
