import type { MessageView } from "../../../src/shared/index.ts";
import { type AnswerText, GrowingAnswer, createFinishedAnswer } from "../markdown/index.ts";
import type { RenderingDependencies } from "../markdown/stream/index.ts";
import { createThoughts, type Thoughts } from "./thoughts.ts";

/** The rendered messages of a chat. They live apart from the templates, so that a fragment touches one node only. */
export interface Answers {
	/** The element that shows a message; made on first use, brought up to date afterwards. */
	elementOf(turnId: string, message: MessageView, isFinished: boolean): HTMLElement;
	/** Appends a fragment to a message that is already shown; one that is not yet shown gets it from the state. */
	append(turnId: string, index: number, text: string): void;
	readonly thoughts: Thoughts;
	/** Forgets the messages of one turn. */
	clear(turnId: string): void;
	/** Forgets everything. */
	clearAll(): void;
}

interface AnswerEntry {
	readonly answer: AnswerText;
	isFinished: boolean;
}

/** Makes an empty registry. */
export function createAnswers(tools: RenderingDependencies): Answers {
	const turns = new Map<string, Map<number, AnswerEntry>>();
	const thoughts = createThoughts();

	const create = (message: MessageView, isFinished: boolean): AnswerEntry => {
		if (isFinished) {
			return { answer: createFinishedAnswer(message.text, tools), isFinished };
		}
		const answer = new GrowingAnswer(tools);
		answer.append(message.text);
		return { answer, isFinished };
	};
	const update = (entry: AnswerEntry, message: MessageView, isFinished: boolean): void => {
		if (message.text.length > entry.answer.received) {
			entry.answer.append(message.text.slice(entry.answer.received));
		}
		if (isFinished && !entry.isFinished) {
			entry.isFinished = true;
			entry.answer.finish();
		}
	};

	return {
		elementOf: (turnId, message, isFinished) => {
			const messages = turns.get(turnId) ?? new Map<number, AnswerEntry>();
			turns.set(turnId, messages);
			const entry = messages.get(message.index);
			if (entry) {
				update(entry, message, isFinished);
				return entry.answer.element;
			}
			const created = create(message, isFinished);
			messages.set(message.index, created);
			return created.answer.element;
		},
		append: (turnId, index, text) => turns.get(turnId)?.get(index)?.answer.append(text),
		thoughts,
		clear: turnId => {
			turns.delete(turnId);
			thoughts.clear(turnId);
		},
		clearAll: () => {
			turns.clear();
			thoughts.clear();
		},
	};
}
