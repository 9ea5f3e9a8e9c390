import { assertNever } from "../common/assertNever.ts";
import type { Clock } from "../common/async.ts";
import type { ChatEvent, ChatMessage } from "../client/index.ts";
import type { LedgerEntry } from "../tools/toolLedger.ts";
import type { AttemptPlace } from "./attemptRecord.ts";
import { resumeAttempt } from "./continuation.ts";
import type { ChatSessionChange } from "./chatChange.ts";
import type { ChatRecorder } from "./chatRecorder.ts";
import { recordedMessage } from "./chatRecord.ts";
import {
	applyToolRecord,
	type BlockCall,
	type ToolEnd,
	type ToolRecord,
	toolStartedRecord,
} from "./toolRecord.ts";
import { applyEvent, endTurn, replaceAnswer, type Turn, type TurnOutcome } from "./turn.ts";

/** What a conversation is made from. */
export interface ConversationOptions {
	readonly turns: readonly Turn[];
	/** The number of the turn asked next, counted from 1. */
	readonly nextTurn: number;
	readonly recorder: ChatRecorder;
	readonly clock: Clock;
	readonly fire: (change: ChatSessionChange) => void;
}

/** The turns of a chat. Every step changes what is remembered, what is recorded and what listeners know, in that order. */
export class Conversation {
	private readonly recorder: ChatRecorder;
	private readonly clock: Clock;
	private readonly fire: (change: ChatSessionChange) => void;
	private readonly allTurns: Turn[];
	private next: number;

	constructor({ turns, nextTurn, recorder, clock, fire }: ConversationOptions) {
		this.allTurns = [...turns];
		this.next = nextTurn;
		this.recorder = recorder;
		this.clock = clock;
		this.fire = fire;
	}

	get turns(): readonly Turn[] {
		return this.allTurns;
	}

	/** The turn that changes. Throws `RangeError` before the first. */
	get last(): Turn {
		return this.changeLast(last => last);
	}

	/** The number of the turn asked next. */
	get nextTurn(): number {
		return this.next;
	}

	/** What a record of the next attempt at the last turn begins with. */
	get place(): AttemptPlace {
		return { at: this.clock.now(), turn: this.lastNumber };
	}

	/** Takes a question whose record is on disk. */
	addTurn(turn: Turn): void {
		this.next += 1;
		this.allTurns.push(turn);
		this.fire({ type: "turn-added", turn });
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

	/** Takes one event of the running stream. */
	takeEvent(event: Exclude<ChatEvent, { type: "stream-end" }>): void {
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

	/** Takes the answer to a call of a tool: one more message, which closes at once. */
	takeToolAnswer(message: ChatMessage): void {
		const index = this.allTurns.at(-1)?.messages.length ?? 0;
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
	takeAnswer(answer: readonly ChatMessage[]): void {
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
		const { id: turnId, progress } = this.changeLast(last => endTurn(last, outcome));
		if (progress.state !== "streaming") {
			const turn = this.lastNumber;
			this.recorder.add({ type: "turn-ended", at: this.clock.now(), turn, progress });
			void this.recorder.save();
		}
		this.fire({ type: "turn-progress", turnId, progress });
	}

	/** The number of the turn that changes: always the last one. */
	private get lastNumber(): number {
		return this.next - 1;
	}

	private noteTool(record: ToolRecord): void {
		this.recorder.add(record);
		this.applyToTurns(record);
	}

	private applyToTurns(record: ToolRecord): void {
		this.allTurns.forEach((turn, index) => {
			this.allTurns[index] = applyToolRecord(turn, record);
		});
	}

	private changeLast(change: (turn: Turn) => Turn): Turn {
		const last = this.allTurns.at(-1);
		if (!last) {
			throw new RangeError("There is no turn to change");
		}
		const changed = change(last);
		this.allTurns[this.allTurns.length - 1] = changed;
		return changed;
	}
}
