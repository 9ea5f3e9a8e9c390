import {
	assumptions,
	detailSchema,
	type DetailFrame,
	type FailedFrame,
} from "../contract/schemas.ts";
import { type ChatFrame, framesOfLines, plainTextOf, readChatFrame } from "./chatFrame.ts";
import type { ServiceErrorKind } from "../contract/serviceError.ts";
import type { ChatEvent, RequestNotice } from "../contract/serviceClient.ts";
import { maxMessageCharacters, plainText } from "../request/redact.ts";
import { OpenMessage } from "./openMessage.ts";

/** The largest message, as the sum of its frames in UTF-16 code units. */
const maxMessageLength = 64 * 1024 * 1024;

/** The most unreadable frames in a stream; one more ends it, and so does this many in a row. */
const maxUnreadable = 10;
const maxUnreadableInRow = 3;

/** How an answer ended: `ended` as the protocol demands, or the failure. */
export type AnswerEnding =
	| { readonly type: "ended" }
	| {
			readonly type: "failed";
			readonly kind: ServiceErrorKind;
			readonly detail?: string;
			readonly serviceMessage?: string;
			/** The failure reported by the local service. */
			readonly failed?: FailedFrame;
	  };

/** The answer's events, and notices of the progress and the waits of the local service's model. */
export type StreamEvent =
	ChatEvent | Extract<RequestNotice, { readonly type: "progress" | "retrying" | "packages" }>;

/** Statistics of ignored parts, for the log. */
export interface AnswerCounts {
	readonly framesAfterEnd: number;
	readonly unknownFrames: number;
	/** Length of an incomplete last frame, in UTF-16 code units. */
	readonly droppedLength: number;
}

/** Turns frames into the events of an answer, by the grammar `(frame* [DONE])* [END]`. docs/faults.md. */
export class AnswerAssembler {
	private readonly hasDetails: boolean;
	private events: StreamEvent[] = [];
	private open: OpenMessage | undefined;
	private outcome: AnswerEnding | undefined;
	private messageCount = 0;
	private hasSubstance = false;
	private unreadable = 0;
	private unreadableInRow = 0;
	/** Unreadable frames since the last message ended; they may belong to the next one. */
	private unreadableBetween = 0;
	private framesAfterEnd = 0;
	private unknownFrames = 0;
	private droppedLength = 0;

	/** Creates an assembler. Set `hasDetails` if the service was asked for details; otherwise they are ignored. */
	constructor(hasDetails = false) {
		this.hasDetails = hasDetails;
	}

	/** Set once the answer has ended, by `[END]`, too many unreadable frames, a message that is too large, or `close`. */
	get ending(): AnswerEnding | undefined {
		return this.outcome;
	}

	/** Whether visible content has arrived that wasn't taken yet. */
	get hasContent(): boolean {
		return this.events.length > 0 || this.open?.hasPendingText === true;
	}

	get counts(): AnswerCounts {
		const { framesAfterEnd, unknownFrames, droppedLength } = this;
		return { framesAfterEnd, unknownFrames, droppedLength };
	}

	/** Processes a frame's data. A frame cut off by the end of the stream counts only if it is complete. */
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

	/** Processes a frame in which the connection broke. Only the lines before the break count. */
	drop(data: string): void {
		const whole = framesOfLines(data) ? data : data.slice(0, Math.max(0, data.lastIndexOf("\n")));
		this.droppedLength = data.length - whole.length;
		this.accept(whole, true);
	}

	/** Ends the answer with a failure from outside, such as a frame that is too long. Has no effect after the answer has ended. */
	fail(kind: ServiceErrorKind, detail?: string): void {
		this.outcome ??= { type: "failed", kind, detail };
	}

	/** Returns the events since the last call. Merges text into a single `text-delta`. */
	take(): readonly StreamEvent[] {
		this.flush();
		const taken = this.events;
		this.events = [];
		return taken;
	}

	/** Ends an answer without `[END]` when the body is over. */
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
			this.events.push(this.eventOf(detail));
			if (detail.type === "was-thinking") {
				this.open?.removeText();
			}
		}
	}

	private eventOf(detail: Exclude<DetailFrame, FailedFrame>): StreamEvent {
		switch (detail.type) {
			case "progress":
			case "packages":
				return detail;
			case "waiting": {
				const { ms: delayMs, attempt } = detail;
				return { type: "retrying", attempt, delayMs, reason: "rateLimited" };
			}
			default:
				return { type: "detail", index: this.open?.index ?? this.messageCount, detail };
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

	/** Handles `[END]`. If unreadable frames may have been a message, the answer is incomplete. */
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

	/** Unreadable frames may have contained text. */
	private withoutSubstance(kind: "empty" | "noText"): ServiceErrorKind {
		return this.unreadable > 0 ? "unreadable" : kind;
	}
}
