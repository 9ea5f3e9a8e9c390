import { createHash } from "node:crypto";
import type { ChatMessage } from "../../client/contract/schemas.ts";

/** A state, with what hears its answer. */
export interface FoundState<State> {
	readonly state: State;
	/** Takes every message that answers these messages, so that they are known when they come back. */
	say(message: string): void;
}

/**
 * A question with all that came before it, and what was answered. Two conversations that began alike are told apart by
 * their answers: those that come back must have been sent, in whole or as a beginning where the user stopped them.
 */
interface KnownTurn<State> {
	readonly digest: string;
	readonly replies: string[];
	readonly state: State;
}

/** Turns remembered; a conversation of ten questions has ten. */
const maxTurns = 500;

/** Memory of a state by the conversation it belongs to, the oldest forgotten first. */
export class Conversations<State> {
	private turns: readonly KnownTurn<State>[] = [];

	/**
	 * The state of the conversation that `messages` continue, or one that `make` begins; from now on it is found by these
	 * messages as well. The interface has no id of a conversation, so the messages themselves are it: see `KnownTurn`. Where
	 * they fit several conversations none of these is continued; `make` is told their states.
	 */
	take(
		messages: readonly ChatMessage[],
		make: (ambiguous: readonly State[]) => State,
	): FoundState<State> {
		const digests = digestsOf(messages);
		const question = messages.findLastIndex(({ role }) => role === "user");
		const states = findStates(this.turns, messages, digests);
		const [only] = states;
		const turn: KnownTurn<State> = {
			digest: digests[question] ?? "",
			replies: [],
			state: only !== undefined && states.length === 1 ? only : make(states),
		};
		this.turns = [turn, ...this.turns].slice(0, maxTurns);
		return { state: turn.state, say: message => turn.replies.push(message) };
	}
}

/**
 * The states of the latest turns that a question before the last one may have been. The first question of a conversation
 * continues nothing.
 */
function findStates<State>(
	turns: readonly KnownTurn<State>[],
	messages: readonly ChatMessage[],
	digests: readonly string[],
): readonly State[] {
	const questions = messages.flatMap(({ role }, index) => (role === "user" ? [index] : []));
	let end = questions.pop();
	for (const question of questions.toReversed()) {
		const answers = messages.slice(question + 1, end).map(({ content }) => content);
		const fitting = turns.filter(
			({ digest, replies }) =>
				digest === digests[question] && answers.every(answer => isKnownReply(answer, replies)),
		);
		if (fitting.length > 0) {
			return [...new Set(fitting.map(({ state }) => state))];
		}
		end = question;
	}
	return [];
}

function isKnownReply(answer: string, replies: readonly string[]): boolean {
	return replies.some(message => message.startsWith(answer));
}

/** For every message, a digest of it and all that came before it. */
function digestsOf(messages: readonly ChatMessage[]): readonly string[] {
	let digest = "";
	return messages.map(({ role, content }) => {
		const text = JSON.stringify([digest, role, content]);
		digest = createHash("sha256").update(text).digest("base64");
		return digest;
	});
}
