import type { Clock } from "../../common/async.ts";
import type { ChatRequest } from "../../client/index.ts";
import type { Engine, EngineEvent } from "../engine.ts";
import { paceText } from "../pace.ts";
import { commands } from "./commands.ts";
import type { DemoAnswer, DemoQuestion } from "./demoAnswer.ts";
import { answerOrdinaryQuestion } from "./ordinaryAnswer.ts";
import { answerUnknownCommand } from "./help.ts";

/** What the demo engine depends on. */
export interface DemoEngineOptions {
	readonly clock: Clock;
	/** Characters per second of a streamed answer, read for each; 0 is as fast as possible. */
	readonly charactersPerSecond: () => number;
}

/** Slow enough to watch single words come, and to stop in time. */
const slowCharactersPerSecond = 12;

/**
 * The engine that answers when nothing is set up: fixed rules, no language model, the same answer to the same
 * conversation every time. It says so, and can show every feature and every failure of a chat. Design §10.
 */
export function createDemoEngine({ clock, charactersPerSecond }: DemoEngineOptions): Engine {
	const speedOf = (answer: DemoAnswer, request: ChatRequest): number => {
		if (request.stream !== true || answer.pace === "fast") {
			return 0;
		}
		return answer.pace === "slow" ? slowCharactersPerSecond : charactersPerSecond();
	};
	return {
		async *answer(request, signal): AsyncGenerator<EngineEvent, void, undefined> {
			const answer = answerQuestion(request);
			const speed = speedOf(answer, request);
			for (const event of answer.events) {
				if (event.type !== "text-delta") {
					yield event;
					continue;
				}
				for await (const text of paceText(event.text, speed, clock, signal)) {
					yield { type: "text-delta", text };
				}
			}
		},
	};
}

/** What the demo says to a request, whole. Throws `HttpFailure` where it is asked to fail with a status. */
export function answerQuestion(request: ChatRequest): DemoAnswer {
	const questions = request.messages
		.filter(message => message.role === "user")
		.map(message => message.content);
	const question: DemoQuestion = { text: questions.at(-1)?.trim() ?? "", request, questions };
	const [, name, text = ""] = /^\s*(\/[a-z]+)(?!\/)(?:\s+([\s\S]*))?$/i.exec(question.text) ?? [];
	if (name === undefined) {
		return answerOrdinaryQuestion(question);
	}
	const command = commands.find(candidate => candidate.name === name.toLowerCase());
	return command ? command.answer({ ...question, text }) : answerUnknownCommand(name, commands);
}
