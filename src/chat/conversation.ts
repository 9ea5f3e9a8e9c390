import { assertNever } from "../common/errors.ts";
import type { Clock } from "../common/async.ts";
import type { ChatAnswer, ChatEvent, RequestNotice } from "../client/contract/serviceClient.ts";
import type { ChatDetail, ChatMessage } from "../client/contract/schemas.ts";
import type { LedgerEntry } from "../tools/contract/tool.ts";
import type { AttemptStamp } from "./store/attemptRecord.ts";
import { resumeAttempt } from "./toolLoop/continuation.ts";
import type { ChatRecorder } from "./log/chatRecorder.ts";
import {
	type BlockCall,
	type ToolEnd,
	type ToolRecord,
	placeOfCall,
} from "./contract/toolRecord.ts";
import {
	addNote,
	addUsage,
	applyThought,
	textAsThought,
	thoughtStepOf,
	type ThoughtStep,
	continueAttempt,
} from "./contract/answerDetail.ts";
import {
	applyToolRecord,
	callIdOf,
	applyEvent,
	endTurn,
	replaceAnswer,
	type Turn,
	type TurnOptions,
	type TurnOutcome,
	type AnswerMessage,
	type TurnProgress,
} from "./contract/turn.ts";
import { TurnTree, type TurnTreeState, type TurnVersions } from "./contract/turnTree.ts";
import type { RequestedCall } from "./toolLoop/requestedCalls.ts";
import type { CallState } from "./toolLoop/toolLoop.ts";
import type { StoreError } from "../storage/fileSystem.ts";

export interface ConversationDependencies {
	readonly tree: TurnTreeState;
	readonly recorder: ChatRecorder;
	readonly clock: Clock;
	readonly fire: (change: ChatSessionChange) => void;
}

/** The turns of a chat. Every step changes the state, then the record, then notifies listeners. */
export class Conversation {
	private readonly recorder: ChatRecorder;
	private readonly clock: Clock;
	private readonly fire: (change: ChatSessionChange) => void;
	private readonly tree: TurnTree;

	constructor({ tree, recorder, clock, fire }: ConversationDependencies) {
		this.tree = new TurnTree(tree);
		this.recorder = recorder;
		this.clock = clock;
		this.fire = fire;
	}

	/** The shown turns, from which requests are built. */
	get turns(): readonly Turn[] {
		return this.tree.turns;
	}

	/** All turns, including hidden ones. */
	get everyTurn(): readonly Turn[] {
		return this.tree.everyTurn;
	}

	/** The last turn, which can change. Throws `RangeError` if there is none. */
	get last(): Turn {
		return this.changeLast(last => last);
	}

	get nextTurn(): number {
		return this.tree.nextNumber;
	}

	/** The number of the last shown turn; 0 if there is none. */
	get lastNumber(): number {
		return this.tree.lastNumber;
	}

	/** Returns the number of the turn before a shown or hidden turn; undefined if it doesn't exist. */
	numberBefore(turnId: string): number | undefined {
		const number = this.tree.numberOf(turnId);
		return number === undefined ? undefined : this.tree.afterOf(number);
	}

	versionsOf(turnId: string): TurnVersions {
		return this.tree.versionsOf(turnId);
	}

	/** First fields of a record for the next attempt at the last turn. */
	get place(): AttemptStamp {
		return { at: this.clock.now(), turn: this.lastNumber };
	}

	/** Adds a question. Call it after its record is written. `after` is the number of the turn it follows. */
	addTurn(turn: Turn, after: number): void {
		const isNext = after === this.tree.lastNumber;
		this.tree.add(this.tree.nextNumber, turn, after);
		this.fire(
			isNext
				? { type: "turn-added", turn }
				: { type: "branch-shown", after: this.tree.get(after)?.id },
		);
	}

	/** Shows another version of a turn, and the turns last shown after it. */
	showVersion(turnId: string, isRecorded: boolean): void {
		const number = this.tree.numberOf(turnId);
		if (number === undefined) {
			return;
		}
		this.tree.show(number);
		if (isRecorded) {
			this.recorder.add({ type: "branch-shown", at: this.clock.now(), shown: number });
		}
		this.fire({ type: "branch-shown", after: this.tree.get(this.tree.afterOf(number))?.id });
	}

	/** Starts the next attempt at the last question. Call it after its record is written. */
	addAttempt(turn: Turn): void {
		this.changeLast(() => turn);
		if (turn.isStreamed) {
			this.fire({ type: "answer-cleared", turnId: turn.id });
		}
		this.fire({ type: "turn-progress", turnId: turn.id, progress: turn.progress });
	}

	/** Resumes the current attempt, with answers for calls that have none. Call it after its record is written. */
	resume(resumed: Parameters<typeof resumeAttempt>[1], missing: readonly ChatMessage[]): void {
		const { id } = this.changeLast(last => resumeAttempt(last, resumed));
		this.fire({ type: "turn-resumed", turnId: id });
		missing.forEach(message => this.applyToolAnswer(message));
	}

	/** Continues a truncated answer. Call it after its record is written. */
	continue(options: TurnOptions): void {
		const before = this.last.messages;
		const {
			id: turnId,
			messages,
			progress,
		} = this.changeLast(last => continueAttempt(last, options));
		messages.forEach((message, index) => {
			if (!before[index]?.isFinished) {
				this.fire({ type: "message-finished", turnId, index, message });
			}
		});
		this.fire({ type: "turn-progress", turnId, progress });
	}

	applyEvent(event: Exclude<ChatEvent, { type: "stream-end" | "detail" }>): void {
		const turn = this.changeLast(last => applyEvent(last, event));
		const { index } = event;
		const message = turn.messages[index];
		if (!message) {
			return;
		}
		const place = { turnId: turn.id, index };
		switch (event.type) {
			case "message-start":
				this.recorder.addText(this.lastNumber, index, message.role, "");
				this.fire({ type: "message-started", ...place, message });
				return;
			case "text-delta":
				this.recorder.addText(this.lastNumber, index, message.role, event.text);
				this.fire({ type: "text", ...place, text: event.text });
				return;
			case "tool-call":
				return;
			case "message-end":
				this.recorder.addFinished(this.lastNumber, index, message);
				this.fire({ type: "message-finished", ...place, message });
				return;
			default:
				assertNever(event);
		}
	}

	/** Applies a detail of the running stream, after this number of messages of the turn. */
	applyDetail(detail: ChatDetail, after: number): void {
		if (detail.type === "was-thinking") {
			this.takeTextAsThought(after);
			return;
		}
		const step = thoughtStepOf(detail, after);
		if (step) {
			const { id: turnId } = this.changeLast(last => applyThought(last, step));
			if (step.text !== "") {
				this.recorder.addThought(this.lastNumber, step.after, step.text);
			} else {
				this.recorder.add({ type: "thought", turn: this.lastNumber, ...step });
			}
			this.fire({ type: "thought", turnId, step });
		} else if (detail.type === "usage" || detail.type === "context") {
			this.changeLast(last => addUsage(last, detail));
		} else if (detail.type === "note") {
			const before = this.last;
			const turn = this.changeLast(last => addNote(last, detail, this.turns));
			if (turn !== before) {
				this.fire({ type: "turn-progress", turnId: turn.id, progress: turn.progress });
			}
		}
	}

	/** Records the messages without the text that was thinking, then all thinking, because the first record removes it. */
	private takeTextAsThought(index: number): void {
		const before = this.last;
		const {
			id: turnId,
			messages,
			thoughts = [],
		} = this.changeLast(last => textAsThought(last, index));
		if (this.last === before) {
			return;
		}
		const turn = this.lastNumber;
		this.recorder.add({ type: "answer-replaced", turn, messages });
		for (const thought of thoughts) {
			this.recorder.add({ type: "thought", turn, ...thought });
		}
		// A step that drops a thought makes the view read the whole turn.
		this.fire({ type: "thought", turnId, step: { after: index, text: "", isDropped: true } });
	}

	applyToolAnswer(message: ChatMessage): void {
		const index = this.turns.at(-1)?.messages.length ?? 0;
		this.applyEvent({ type: "message-start", index, role: message.role });
		this.applyEvent({ type: "text-delta", index, text: message.content });
		this.applyEvent({
			type: "message-end",
			index,
			message,
			isClosed: true,
			unreadableFrames: 0,
			hasReplacedBytes: false,
		});
	}

	/** Resolves when a tool call is recorded on disk. Throws `StoreError` if that fails. */
	async beginTool(entry: LedgerEntry): Promise<void> {
		const record = { type: "tool-started", at: this.clock.now(), entry } as const;
		await this.recorder.commit([record]);
		this.applyToTurns(record);
	}

	addBlockCall(call: BlockCall): void {
		this.noteTool({ type: "block-called", at: this.clock.now(), call });
	}

	endTool(end: ToolEnd): void {
		this.noteTool({ type: "tool-ended", at: this.clock.now(), end });
	}

	/** Writes pending records, as far as the disk allows. */
	save(): Promise<void> {
		return this.recorder.save();
	}

	/** Replaces the text so far by a complete answer. */
	applyAnswer(answer: ChatAnswer): void {
		const { id: turnId, messages } = this.changeLast(last => replaceAnswer(last, answer));
		this.recorder.add({ type: "answer-replaced", turn: this.lastNumber, messages });
		this.fire({ type: "answer-cleared", turnId });
		messages.forEach((message, index) => {
			this.fire({ type: "message-started", turnId, index, message });
			this.fire({ type: "message-finished", turnId, index, message });
		});
	}

	end(outcome: TurnOutcome): void {
		const { id: turnId, progress, usage, notes } = this.changeLast(last => endTurn(last, outcome));
		if (progress.state !== "streaming") {
			const turn = this.lastNumber;
			this.recorder.add({ type: "turn-ended", at: this.clock.now(), turn, progress, usage, notes });
			void this.recorder.save();
		}
		this.fire({ type: "turn-progress", turnId, progress });
	}

	private noteTool(record: ToolRecord): void {
		this.recorder.add(record);
		this.applyToTurns(record);
	}

	private applyToTurns(record: ToolRecord): void {
		const { turnId } = placeOfCall(callIdOf(record));
		this.tree.change(this.tree.numberOf(turnId) ?? 0, turn => applyToolRecord(turn, record));
	}

	private changeLast(change: (turn: Turn) => Turn): Turn {
		const changed = this.tree.change(this.tree.lastNumber, change);
		if (!changed) {
			throw new RangeError("There is no turn to change");
		}
		return changed;
	}
}

/** A change of a conversation. Changes are emitted in order. */
export type ChatSessionChange =
	| { readonly type: "turn-added"; readonly turn: Turn }
	/** Other turns are shown after this one, or from the start of the chat if undefined. */
	| { readonly type: "branch-shown"; readonly after: string | undefined }
	| {
			readonly type: "message-started";
			readonly turnId: string;
			readonly index: number;
			/** Its initial state: empty in a stream, complete otherwise. */
			readonly message: AnswerMessage;
	  }
	| {
			readonly type: "text";
			readonly turnId: string;
			readonly index: number;
			readonly text: string;
	  }
	| {
			readonly type: "message-finished";
			readonly turnId: string;
			readonly index: number;
			readonly message: AnswerMessage;
	  }
	/** The model continued thinking, finished, or its thinking turned out to be the answer. */
	| { readonly type: "thought"; readonly turnId: string; readonly step: ThoughtStep }
	/** The answer so far is discarded for another attempt. */
	| { readonly type: "answer-cleared"; readonly turnId: string }
	/** An attempt continues from its current messages, which may be fewer than before. */
	| { readonly type: "turn-resumed"; readonly turnId: string }
	| { readonly type: "turn-progress"; readonly turnId: string; readonly progress: TurnProgress }
	| { readonly type: "notice"; readonly turnId: string; readonly notice: RequestNotice }
	| {
			readonly type: "tool-call";
			readonly turnId: string;
			readonly call: RequestedCall;
			readonly state: CallState;
	  }
	| { readonly type: "title"; readonly title: string }
	/** The chat continues in memory, and saving is retried. */
	| { readonly type: "store-failed"; readonly error: StoreError }
	| { readonly type: "store-recovered" };
