import {
	detailsHeader,
	detailsIdPattern,
	type ProgressStage,
	type DetailFrame,
} from "../../client/contract/details.ts";
import { type Clock, every } from "../../common/async.ts";
import type { IDisposable } from "../../common/disposable.ts";
import type { IncomingMessage, ServerResponse } from "node:http";
import { HttpFailure } from "../base/httpFailure.ts";
import type { EngineEvent } from "../engine.ts";

/** Takes the events of one answer in order and tells the caller what the interface's frames cannot hold. */
export interface DetailWriter {
	/** Takes an event of the answer, before it goes out itself. */
	take(event: EngineEvent): void;
	/** The answer fails: tells the listener why, as no frame could. */
	fail(failure: HttpFailure): void;
	/** The answer is over. */
	end(): void;
}

/** How long a listener waits for its answer to begin, in milliseconds: the request follows at once. */
const unclaimedMs = 30_000;
/**
 * How often a listener hears what the model does, in milliseconds: one that hears nothing for 15 seconds says so, and after a minute
 * takes the answer for dead, while a model may read or write a call for longer.
 */
const progressMs = 10_000;
/** Bytes that a listener may leave unread; one that leaves more hears no further thoughts. */
const maxUnreadBytes = 1024 * 1024;

/** The answers whose details somebody listens to, by the id that the listener made up. */
export class DetailListeners {
	private readonly clock: Clock;
	private readonly waiting = new Map<string, (send: "claim" | "end" | DetailFrame) => void>();

	/** Makes the list; what is not listened to is never kept. */
	constructor(clock: Clock) {
		this.clock = clock;
	}

	/**
	 * Listens with a response whose head `begin` writes, until the answer is over, the caller leaves, or no answer begins in time.
	 * Throws `HttpFailure` for an id that is none, or in use.
	 */
	async listen(id: string, response: ServerResponse, begin: () => void): Promise<void> {
		if (!detailsIdPattern.test(id)) {
			throw new HttpFailure(400, "bad_id", "The id of an answer has 16 to 64 letters and digits.");
		}
		if (this.waiting.has(id)) {
			throw new HttpFailure(409, "id_in_use", "Somebody listens under this id already.");
		}
		const timer = this.clock.setTimer(unclaimedMs, () => response.end());
		this.waiting.set(id, sent => {
			if (sent === "claim") {
				timer.dispose();
			} else if (sent === "end") {
				response.end();
			} else if (sent.type !== "thinking" || response.writableLength < maxUnreadBytes) {
				response.write(`data: ${JSON.stringify(sent)}\n\n`);
			}
		});
		try {
			begin();
			await new Promise(resolve => response.once("close", resolve));
		} finally {
			timer.dispose();
			this.waiting.delete(id);
		}
	}

	/** Returns the listener to the events of a request's answer; where nobody listens, it does nothing. */
	writerFor(request: IncomingMessage): DetailWriter {
		const header = request.headers[detailsHeader];
		const send = typeof header === "string" ? this.waiting.get(header) : undefined;
		send?.("claim");
		return send ? new AnswerDetailWriter(send, this.clock) : silentWriter;
	}
}

const silentWriter: DetailWriter = { take: () => {}, fail: () => {}, end: () => {} };

class AnswerDetailWriter implements DetailWriter {
	private readonly send: (sent: "end" | DetailFrame) => void;
	private readonly clock: Clock;
	private readonly telling: IDisposable;
	/** The message that is open, or comes next. */
	private index = 0;
	private thinkingSince: number | undefined;
	private stage: ProgressStage = "working";

	constructor(send: (sent: "end" | DetailFrame) => void, clock: Clock) {
		this.send = send;
		this.clock = clock;
		this.telling = every(progressMs, () => send({ type: "progress", stage: this.stage }), clock);
	}

	take(event: EngineEvent): void {
		const { index } = this;
		this.stage = event.type === "progress" ? event.stage : "working";
		switch (event.type) {
			case "thinking":
				this.thinkingSince ??= this.clock.monotonic();
				this.send({ type: "thinking", index, text: event.text });
				break;
			case "not-thinking":
				this.thinkingSince = undefined;
				this.send({ type: "not-thinking", index });
				break;
			case "usage":
			case "context":
			case "finish":
			case "progress":
				this.send(event);
				break;
			case "message-end":
				this.endThought();
				this.index += 1;
				break;
			default:
				this.endThought();
		}
	}

	fail({ message, code }: HttpFailure): void {
		this.send({ type: "failed", error: { message, code } });
	}

	end(): void {
		this.telling.dispose();
		this.endThought();
		this.send("end");
	}

	private endThought(): void {
		if (this.thinkingSince !== undefined) {
			const ms = Math.round(this.clock.monotonic() - this.thinkingSince);
			this.send({ type: "thought", index: this.index, ms });
			this.thinkingSince = undefined;
		}
	}
}
