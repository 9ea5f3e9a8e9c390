import { assertNever } from "../common/assertNever.ts";
import type { Clock } from "../common/async.ts";
import type { ChatAnswer, ChatEvent, RequestNotice } from "../client/contract/events.ts";
import type { ChatDetail } from "../client/contract/details.ts";
import type { ChatMessage } from "../client/contract/schemas.ts";
import type { LedgerEntry } from "../tools/tool/toolLedger.ts";
import type { AttemptStamp } from "./store/attemptRecord.ts";
import { resumeAttempt } from "./tools/continuation.ts";
import type { ChatRecorder } from "./log/chatRecorder.ts";
import { recordedMessage } from "./log/chatRecord.ts";
import {
	type BlockCall,
	type ToolEnd,
	type ToolRecord,
	toolStartedRecord,
	placeOfCall,
} from "./turn/toolRecord.ts";
import { addUsage, applyThought, thoughtStepOf, type ThoughtStep } from "./turn/answerDetail.ts";
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
} from "./turn/turn.ts";
import { TurnTree, type TurnTreeState, type TurnVersions } from "./turn/turnTree.ts";
import { continueAttempt } from "./turn/continuedAnswer.ts";
import type { RequestedCall } from "./tools/requestedCalls.ts";
import type { CallState } from "./tools/toolLoop.ts";
import type { StoreError } from "../storage/storeError.ts";

/** Dependencies of a conversation. */
export interface ConversationDependencies {
	readonly tree: TurnTreeState;
	readonly recorder: ChatRecorder;
	readonly clock: Clock;
	readonly fire: (change: ChatSessionChange) => void;
}

/** The turns of a chat. Every step changes what is remembered, what is recorded and what listeners know, in that order. */
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

	/** The turns that are shown: what a request is made of. */
	get turns(): readonly Turn[] {
		return this.tree.turns;
	}

	/** All turns, those that are not shown included. */
	get everyTurn(): readonly Turn[] {
		return this.tree.everyTurn;
	}

	/** The turn that changes. Throws `RangeError` before the first. */
	get last(): Turn {
		return this.changeLast(last => last);
	}

	/** The number of the turn asked next. */
	get nextTurn(): number {
		return this.tree.nextNumber;
	}

	/** The number of the last turn that is shown; 0 when there is none. */
	get lastNumber(): number {
		return this.tree.lastNumber;
	}

	/** The number of the turn that a shown or hidden turn follows; undefined when there is no such turn. */
	numberBefore(turnId: string): number | undefined {
		const number = this.tree.numberOf(turnId);
		return number === undefined ? undefined : this.tree.afterOf(number);
	}

	/** The versions of a turn. */
	versionsOf(turnId: string): TurnVersions {
		return this.tree.versionsOf(turnId);
	}

	/** First fields of a record of the next attempt at the last turn. */
	get place(): AttemptStamp {
		return { at: this.clock.now(), turn: this.lastNumber };
	}

	/** Takes a question whose record is on disk; `after` is the number of the turn it follows. */
	addTurn(turn: Turn, after: number): void {
		const isNext = after === this.tree.lastNumber;
		this.tree.add(this.tree.nextNumber, turn, after);
		this.fire(
			isNext
				? { type: "turn-added", turn }
				: { type: "branch-shown", after: this.tree.get(after)?.id },
		);
	}

	/** Shows another version of a turn, and what was shown behind it. */
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

	/** Takes the next attempt at the last question, whose record is on disk. */
	addAttempt(turn: Turn): void {
		this.changeLast(() => turn);
		if (turn.isStreamed) {
			this.fire({ type: "answer-cleared", turnId: turn.id });
		}
		this.fire({ type: "turn-progress", turnId: turn.id, progress: turn.progress });
	}

	/** Takes the attempt under way again, whose record is on disk, with answers for the calls that got none. */
	resume(resumed: Parameters<typeof resumeAttempt>[1], missing: readonly ChatMessage[]): void {
		const { id } = this.changeLast(last => resumeAttempt(last, resumed));
		this.fire({ type: "turn-resumed", turnId: id });
		missing.forEach(message => this.takeToolAnswer(message));
	}

	/** Takes the answer going on where it was cut off, whose record is on disk. */
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

	/** Takes one event of the running stream. */
	takeEvent(event: Exclude<ChatEvent, { type: "stream-end" | "detail" }>): void {
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

	/** Takes a detail of the running stream that came after so many messages of the turn. */
	takeDetail(detail: ChatDetail, after: number): void {
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
		}
	}

	/** Takes the answer to a call of a tool: one more message, which closes at once. */
	takeToolAnswer(message: ChatMessage): void {
		const index = this.turns.at(-1)?.messages.length ?? 0;
		this.takeEvent({ type: "message-start", index, role: message.role });
		this.takeEvent({ type: "text-delta", index, text: message.content });
		this.takeEvent({
			type: "message-end",
			index,
			message,
			isClosed: true,
			unreadableFrames: 0,
			hasReplacedBytes: false,
		});
	}

	/** Resolves once a call of a tool is on the medium; throws `StoreError` when it cannot be kept. */
	async beginTool(entry: LedgerEntry): Promise<void> {
		const record = toolStartedRecord(this.clock.now(), entry);
		await this.recorder.commit([record]);
		this.applyToTurns(record);
	}

	/** Takes a click on a code block of any turn. */
	addBlockCall(call: BlockCall): void {
		this.noteTool({ type: "block-called", at: this.clock.now(), call });
	}

	/** Takes the end of a call of any turn. */
	endTool(end: ToolEnd): void {
		this.noteTool({ type: "tool-ended", at: this.clock.now(), end });
	}

	/** Writes what waits, as far as the disk lets it. */
	save(): Promise<void> {
		return this.recorder.save();
	}

	/** Takes an answer that came whole; it takes the place of the text so far. */
	takeAnswer(answer: ChatAnswer): void {
		const { id: turnId, messages } = this.changeLast(last => replaceAnswer(last, answer));
		const recorded = messages.map(recordedMessage);
		this.recorder.add({ type: "answer-replaced", turn: this.lastNumber, messages: recorded });
		this.fire({ type: "answer-cleared", turnId });
		messages.forEach((message, index) => {
			this.fire({ type: "message-started", turnId, index, message });
			this.fire({ type: "message-finished", turnId, index, message });
		});
	}

	/** Ends the running attempt. */
	end(outcome: TurnOutcome): void {
		const { id: turnId, progress, usage } = this.changeLast(last => endTurn(last, outcome));
		if (progress.state !== "streaming") {
			const turn = this.lastNumber;
			this.recorder.add({
				type: "turn-ended",
				at: this.clock.now(),
				turn,
				progress,
				usage,
			});
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

/** One step of a conversation, in the order it happened. */
export type ChatSessionChange =
	| { readonly type: "turn-added"; readonly turn: Turn }
	/** Behind this turn, which is undefined for the beginning of the chat, other turns are shown than before. */
	| { readonly type: "branch-shown"; readonly after: string | undefined }
	| {
			readonly type: "message-started";
			readonly turnId: string;
			readonly index: number;
			/** As it begins: empty in a stream, whole when the answer came whole. */
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
	/** The model thinks on, has thought, or did not think but answer. */
	| { readonly type: "thought"; readonly turnId: string; readonly step: ThoughtStep }
	/** The answer so far is dropped for another one. */
	| { readonly type: "answer-cleared"; readonly turnId: string }
	/** An attempt goes on from the messages it has now, which may be fewer than before. */
	| { readonly type: "turn-resumed"; readonly turnId: string }
	| { readonly type: "turn-progress"; readonly turnId: string; readonly progress: TurnProgress }
	| { readonly type: "notice"; readonly turnId: string; readonly notice: RequestNotice }
	/** The state of a tool call. */
	| {
			readonly type: "tool-call";
			readonly turnId: string;
			readonly call: RequestedCall;
			readonly state: CallState;
	  }
	| { readonly type: "title"; readonly title: string }
	/** The chat goes on in memory; what is not saved is tried again (L6). */
	| { readonly type: "store-failed"; readonly error: StoreError }
	| { readonly type: "store-recovered" };
