import { assumptions } from "../contract/assumptions.ts";
import { type ChatFrame, framesOfLines, plainTextOf, readChatFrame } from "./chatFrame.ts";
import { detailSchema, type FailedFrame } from "../contract/details.ts";
import type { ServiceErrorKind } from "../contract/errors.ts";
import type { ChatEvent, RequestNotice } from "../contract/events.ts";
import { maxMessageCharacters, plainText } from "../request/redact.ts";
import { OpenMessage } from "./openMessage.ts";

/** The largest message that is read, as the sum of its frames in UTF-16 code units. Row S20. */
const maxMessageLength = 64 * 1024 * 1024;

/** More unreadable frames than this in a stream, or this many in a row, end it. Row S10. */
const maxUnreadable = 10;
const maxUnreadableInRow = 3;

/** How a stream's answer ended: `ended` by the grammar, else the failure its end means. */
export type AnswerEnding =
	| { readonly type: "ended" }
	| {
			readonly type: "failed";
			readonly kind: ServiceErrorKind;
			readonly detail?: string;
			readonly serviceMessage?: string;
			/** What the local service reported of it. */
			readonly failed?: FailedFrame;
	  };

/** What comes of a stream: the answer's events, and what the model of the local service does meanwhile. */
export type StreamEvent = ChatEvent | Extract<RequestNotice, { readonly type: "progress" }>;

/** How much of a stream was read over, for the log. */
export interface AnswerCounts {
	/** Row S7. */
	readonly framesAfterEnd: number;
	/** Row S13. */
	readonly unknownFrames: number;
	/** Length of a last frame that was cut, in UTF-16 code units. Row S3. */
	readonly droppedLength: number;
}

/** Frames in, the events of an answer out, by the grammar `(frame* [DONE])* [END]`. docs/faults.md. */
export class AnswerAssembler {
	private readonly hasDetails: boolean;
	private events: StreamEvent[] = [];
	private open: OpenMessage | undefined;
	private outcome: AnswerEnding | undefined;
	private messageCount = 0;
	private hasSubstance = false;
	private unreadable = 0;
	private unreadableInRow = 0;
	/** Unreadable frames since the last message closed; they may have started the next one. */
	private unreadableBetween = 0;
	private framesAfterEnd = 0;
	private unknownFrames = 0;
	private droppedLength = 0;

	/** Makes an assembler; frames with details count only of a service that was asked for them. */
	constructor(hasDetails = false) {
		this.hasDetails = hasDetails;
	}

	/** Set once the answer is over, by `[END]`, by too much that is unreadable or too large, or by `close`. */
	get ending(): AnswerEnding | undefined {
		return this.outcome;
	}

	/** Whether events wait to be taken: what came held something for the user (row S22). */
	get hasContent(): boolean {
		return this.events.length > 0 || this.open?.hasPendingText === true;
	}

	get counts(): AnswerCounts {
		const { framesAfterEnd, unknownFrames, droppedLength } = this;
		return { framesAfterEnd, unknownFrames, droppedLength };
	}

	/** Takes one frame's data. A frame that the end of the stream cut short counts only when it is whole anyway. */
	accept(data: string, isTerminated: boolean): void {
		const text = data.trim();
		if (this.outcome) {
			this.framesAfterEnd++;
		} else if (text === "[DONE]") {
			this.unreadableInRow = 0;
			this.finishMessage(true);
		} else if (text === "[END]") {
			this.end();
		} else if (text !== "") {
			this.acceptFrame(data, isTerminated);
		}
	}

	/** Leaves out a frame that the connection broke inside, but for the lines before the break (rows S3, S29). */
	drop(data: string): void {
		const whole = framesOfLines(data) ? data : data.slice(0, Math.max(0, data.lastIndexOf("\n")));
		this.droppedLength = data.length - whole.length;
		this.accept(whole, true);
	}

	/** Ends the answer from outside the grammar, as a frame past the cap does (row S20). The first ending counts. */
	fail(kind: ServiceErrorKind, detail?: string): void {
		this.outcome ??= { type: "failed", kind, detail };
	}

	/** The events since the last call. Text that arrived together is one `text-delta`. */
	take(): readonly StreamEvent[] {
		this.flush();
		const taken = this.events;
		this.events = [];
		return taken;
	}

	/** The bytes are over: settles what an answer without `[END]` means (rows S1–S5). */
	close(failed?: FailedFrame): void {
		const cut = this.open ? "interrupted" : "endedEarly";
		const kind = this.hasSubstance ? cut : this.withoutSubstance("noText");
		this.outcome ??= { type: "failed", kind, ...(failed ? { failed } : {}) };
	}

	private acceptFrame(data: string, isTerminated: boolean): void {
		const text = plainTextOf(data);
		if (text !== undefined) {
			this.open ??= this.begin(undefined);
			this.open.addText(text, data.length);
			this.frameAdded(true);
			return;
		}
		const frame = readChatFrame(data);
		const lines = frame === undefined ? framesOfLines(data) : undefined;
		if (lines) {
			lines.forEach(line => this.accept(line, true));
		} else if (frame === undefined && !isTerminated) {
			this.drop(data);
		} else if (frame === undefined) {
			this.countUnreadable();
		} else if (frame === "empty") {
			this.unreadableInRow = 0;
		} else if (frame.isUnknown) {
			this.unreadableInRow = 0;
			this.acceptUnknown(frame.cutaway);
		} else {
			this.addFrame(frame, data.length);
		}
		if (typeof frame === "object" && frame.errorWords !== undefined) {
			const serviceMessage = plainText(frame.errorWords, maxMessageCharacters);
			this.outcome ??= { type: "failed", kind: "rejected", serviceMessage };
		}
	}

	private acceptUnknown(cutaway: unknown): void {
		const detail = this.hasDetails ? detailSchema.safeParse(cutaway).data : undefined;
		if (detail === undefined) {
			this.unknownFrames++;
		} else if (detail.type === "failed") {
			this.close(detail);
		} else {
			this.flush();
			const index = this.open?.index ?? this.messageCount;
			this.events.push(detail.type === "progress" ? detail : { type: "detail", index, detail });
		}
	}

	private addFrame(frame: ChatFrame, length: number): void {
		if (this.open?.isFollowedBy(frame)) {
			this.finishMessage(false);
		}
		this.open ??= this.begin(frame.fields.role);
		const isPlaced = this.open.add(frame, length);
		this.frameAdded(isPlaced && !frame.hasUnreadableField);
	}

	private frameAdded(isReadable: boolean): void {
		this.hasSubstance ||= this.open?.hasSubstance === true;
		if (isReadable) {
			this.unreadableInRow = 0;
		} else {
			this.countUnreadable();
		}
		if (this.open && this.open.length > maxMessageLength) {
			this.fail("answerTooLarge");
		}
	}

	private begin(role: string | null | undefined): OpenMessage {
		const message = new OpenMessage(this.messageCount++, role || assumptions.answerRole);
		message.markUnreadable(this.unreadableBetween);
		this.unreadableBetween = 0;
		this.events.push({ type: "message-start", index: message.index, role: message.role });
		return message;
	}

	private finishMessage(hasDone: boolean): void {
		this.flush();
		this.events.push(...(this.open?.finish(hasDone) ?? []));
		this.open = undefined;
	}

	private flush(): void {
		if (this.open) {
			this.events.push(...this.open.takeText());
		}
	}

	private countUnreadable(): void {
		this.unreadable++;
		this.unreadableInRow++;
		if (this.open) {
			this.open.markUnreadable(1);
		} else {
			this.unreadableBetween++;
		}
		if (this.unreadable > maxUnreadable || this.unreadableInRow >= maxUnreadableInRow) {
			const kind = this.hasSubstance ? "interrupted" : "unreadable";
			this.fail(kind, "too many parts could not be read");
		}
	}

	/** `[END]`: rows S6, S9, and S10 where what could not be read may have been a message. */
	private end(): void {
		if (this.open) {
			this.finishMessage(false);
			this.fail("endedEarly");
		} else if (this.unreadableBetween > 0) {
			this.fail(this.messageCount > 0 ? "endedEarly" : "unreadable", "a part could not be read");
		} else if (this.hasSubstance) {
			this.events.push({ type: "stream-end", isStreamed: true });
			this.outcome = { type: "ended" };
		} else {
			this.fail(this.withoutSubstance("empty"));
		}
	}

	/** What came may have held text where it could not be read. */
	private withoutSubstance(kind: "empty" | "noText"): ServiceErrorKind {
		return this.unreadable > 0 ? "unreadable" : kind;
	}
}
