import { AbortError } from "../../src/common/errors.ts";
import type { Engine, EngineEvent } from "../../src/localService/engine.ts";
import { describeCode, describeRun } from "../../src/localService/python/servedPython.ts";

/** The question whose answer begins and never ends, until the caller leaves. */
export const endless = "Go on";

/** An engine that answers with the question's own words, after the blocks of Python in it ran, where the request allows that. */
export const echoEngine: Engine = {
	async *answer({ messages }, signal, python) {
		const question = messages.findLast(({ role }) => role === "user")?.content ?? "";
		for (const [, code = ""] of question.matchAll(/^```py\w*\n([\s\S]*?)\n```$/gm)) {
			if (python) {
				yield* say(describeCode(code));
				yield* say(describeRun(await python.run(code, signal)));
			}
		}
		if (question !== endless) {
			yield* say(question);
			return;
		}
		yield* say(question).slice(0, 2);
		await new Promise((_resolve, reject) => {
			signal.addEventListener("abort", () => reject(new AbortError()));
		});
	},
};

/** An engine that gives these events to every request, or fails as it is told at their end. */
export function playing(events: readonly EngineEvent[], failure?: Error): Engine {
	return {
		async *answer() {
			yield* events;
			if (failure) {
				throw await Promise.resolve(failure);
			}
		},
	};
}

/** A message as an engine gives it. */
export function say(...texts: readonly string[]): readonly EngineEvent[] {
	return [
		{ type: "message-start", role: "assistant" },
		...texts.map((text): EngineEvent => ({ type: "text-delta", text })),
		{ type: "message-end" },
	];
}
