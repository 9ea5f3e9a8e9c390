import type { ChatRequest } from "../../client/contract/schemas.ts";
import type { EngineEvent } from "../engine.ts";

/** Answer of the demo engine, before it is cut into deltas; a `text-delta` may hold a whole message here. */
export interface DemoAnswer {
	readonly events: readonly EngineEvent[];
	/** `steady` is the speed of the setting, `fast` as fast as the caller takes it, `slow` 12 characters a second. */
	readonly pace: "steady" | "fast" | "slow";
}

/** A question together with what an answer may look at. */
export interface DemoQuestion {
	/** Text after the command's name, or the whole question where there is no command. */
	readonly text: string;
	readonly request: ChatRequest;
	/** Everything the user asked in this conversation, this question last. */
	readonly questions: readonly string[];
}

/** Something a user can type. */
export interface DemoCommand {
	/** As it is typed, with its slash. */
	readonly name: string;
	/** Placeholder of what follows the name, for the help; empty when nothing does. */
	readonly argument: string;
	/** Half a sentence for the help. */
	readonly summary: string;
	/** Answers; throws `HttpFailure` to fail with a status. */
	readonly answer: (question: DemoQuestion) => DemoAnswer;
}

/** An answer of whole messages, one for each text. */
export function sayMessages(
	texts: readonly string[],
	pace: DemoAnswer["pace"] = "steady",
): DemoAnswer {
	const events = texts.flatMap<EngineEvent>(text => [
		{ type: "message-start", role: "assistant" },
		{ type: "text-delta", text },
		{ type: "message-end" },
	]);
	return { events, pace };
}

/** An answer of one message, its lines joined. */
export function sayLines(...lines: readonly string[]): DemoAnswer {
	return sayMessages([lines.join("\n")]);
}
