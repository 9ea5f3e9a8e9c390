import type { MessageView } from "../../../src/shared/chat.ts";
import { type AnswerText, GrowingAnswer, createFinishedAnswer } from "../markdown/answer.ts";
import type { RenderingDependencies } from "../markdown/stream/liveText.ts";
import { Thoughts } from "./thoughts.ts";

interface AnswerEntry {
	readonly answer: AnswerText;
	isFinished: boolean;
}

/** The rendered messages of a chat. They are kept outside the templates, so that a text fragment changes a single node. */
export class Answers {
	readonly thoughts = new Thoughts();
	private readonly tools: RenderingDependencies;
	private readonly turns = new Map<string, Map<number, AnswerEntry>>();

	constructor(tools: RenderingDependencies) {
		this.tools = tools;
	}

	/** Returns the element of a message. Creates it on first use, and updates it afterwards. */
	elementOf(turnId: string, message: MessageView, isFinished: boolean): HTMLElement {
		const messages = this.turns.get(turnId) ?? new Map<number, AnswerEntry>();
		this.turns.set(turnId, messages);
		const entry = messages.get(message.index);
		if (entry) {
			update(entry, message, isFinished);
			return entry.answer.element;
		}
		const created = this.create(message, isFinished);
		messages.set(message.index, created);
		return created.answer.element;
	}

	/** Appends text to a rendered message. Other messages get it from the state. */
	append(turnId: string, index: number, text: string): void {
		this.turns.get(turnId)?.get(index)?.answer.append(text);
	}

	clear(turnId: string): void {
		this.turns.delete(turnId);
		this.thoughts.clear(turnId);
	}

	clearAll(): void {
		this.turns.clear();
		this.thoughts.clearAll();
	}

	private create(message: MessageView, isFinished: boolean): AnswerEntry {
		if (isFinished) {
			return { answer: createFinishedAnswer(message.text, this.tools), isFinished };
		}
		const answer = new GrowingAnswer(this.tools);
		answer.append(message.text);
		return { answer, isFinished };
	}
}

function update(entry: AnswerEntry, message: MessageView, isFinished: boolean): void {
	if (message.text.length > entry.answer.received) {
		entry.answer.append(message.text.slice(entry.answer.received));
	}
	if (isFinished && !entry.isFinished) {
		entry.isFinished = true;
		entry.answer.finish();
	}
}
