import { createHash } from "node:crypto";
import type { ChatMessage } from "../../client/index.ts";

/** What remembers a state by the conversation it belongs to. */
export interface Conversations<State> {
	/**
	 * The state of the conversation that `messages` continue, or one that `make` begins; from now on it is found by these
	 * messages as well. The interface has no id of a conversation, so the messages themselves are it: see `Turn`.
	 */
	take(messages: readonly ChatMessage[], make: () => State): Found<State>;
}

/** A state, with what hears its answer. */
export interface Found<State> {
	readonly state: State;
	/** Whether the conversation had a state already. */
	readonly isContinued: boolean;
	/** Hears every message that is said in answer to these messages, so that they are known when they come back. */
	say(message: string): void;
}

/**
 * A question with all that came before it, and what was answered. Two conversations that began alike are told apart by
 * their answers: those that come back must have been said, in whole or as a beginning where the person stopped them.
 */
interface Turn<State> {
	readonly digest: string;
	readonly said: string[];
	readonly state: State;
}

/** Turns remembered; a conversation of ten questions has ten. */
const maxTurns = 500;

/** Makes a memory of conversations, the oldest forgotten first. */
export function createConversations<State>(): Conversations<State> {
	let turns: Turn<State>[] = [];
	return {
		take: (messages, make) => {
			const found = findTurn(turns, messages);
			const turn: Turn<State> = {
				digest: digestOf(messages.slice(0, lastQuestion(messages) + 1)),
				said: [],
				state: found ? found.state : make(),
			};
			turns = [turn, ...turns].slice(0, maxTurns);
			return {
				state: turn.state,
				isContinued: found !== undefined,
				say: message => turn.said.push(message),
			};
		},
	};
}

/** The latest turn that a question before the last one was. The first question of a conversation continues nothing. */
function findTurn<State>(
	turns: readonly Turn<State>[],
	messages: readonly ChatMessage[],
): Turn<State> | undefined {
	let end = lastQuestion(messages);
	while (end > 0) {
		const question = lastQuestion(messages.slice(0, end));
		if (question < 0) {
			return undefined;
		}
		const digest = digestOf(messages.slice(0, question + 1));
		const answers = messages.slice(question + 1, end).map(({ content }) => content);
		const turn = turns.find(
			candidate =>
				candidate.digest === digest && answers.every(answer => isSaid(answer, candidate.said)),
		);
		if (turn) {
			return turn;
		}
		end = question;
	}
	return undefined;
}

function lastQuestion(messages: readonly ChatMessage[]): number {
	return messages.findLastIndex(({ role }) => role === "user");
}

function isSaid(answer: string, said: readonly string[]): boolean {
	return said.some(message => message.startsWith(answer));
}

function digestOf(messages: readonly ChatMessage[]): string {
	const texts = messages.map(({ role, content }) => [role, content]);
	return createHash("sha256").update(JSON.stringify(texts)).digest("base64");
}
