import { isAbortError, toError } from "../../common/errors.ts";
import type { Log } from "../../common/log.ts";
import type { EditorModelPart, EditorModelRequest, EditorModels } from "../../common/models.ts";
import type { ToWorker } from "./workerMessages.ts";

type Send = (message: Extract<ToWorker, { type: "editor-parts" | "editor-end" }>) => void;

/** The questions of the service's thread to the editor's models. */
export class EditorQuestions {
	private readonly models: EditorModels | undefined;
	private readonly send: Send;
	private readonly log: Log;
	private readonly running = new Map<number, AbortController>();

	/** Makes them; without models every answer is empty. */
	constructor(models: EditorModels | undefined, send: Send, log: Log) {
		this.models = models;
		this.send = send;
		this.log = log;
	}

	/** Ends an answer that nobody waits for; nothing more of it is sent. */
	cancel(id: number): void {
		this.running.get(id)?.abort();
	}

	/** Ends all of them, as nobody waits once the thread has ended. */
	cancelAll(): void {
		for (const stopper of this.running.values()) {
			stopper.abort();
		}
	}

	/** Asks, and sends the answer's parts and its end. Never rejects. */
	async ask(id: number, request: EditorModelRequest): Promise<void> {
		const stopper = new AbortController();
		const { signal } = stopper;
		this.running.set(id, stopper);
		const parts = new PartBatch(signal, held =>
			this.send({ type: "editor-parts", id, parts: held }),
		);
		try {
			const failure = await this.models?.answer(request, part => parts.add(part), signal);
			parts.flush();
			this.send({ type: "editor-end", id, ...(failure ? { failure: { ...failure } } : {}) });
		} catch (error) {
			if (!isAbortError(error)) {
				const words = toError(error).message;
				this.log.error("A model of the editor could not be asked", { reason: words });
				parts.flush();
				this.send({ type: "editor-end", id, failure: { reason: "failed", words } });
			}
		} finally {
			this.running.delete(id);
		}
	}
}

/** Holds parts back until the event loop turns, so that a fast model sends one message for many of them. */
class PartBatch {
	private readonly signal: AbortSignal;
	private readonly send: (parts: EditorModelPart[]) => void;
	private held: EditorModelPart[] = [];

	constructor(signal: AbortSignal, send: (parts: EditorModelPart[]) => void) {
		this.signal = signal;
		this.send = send;
	}

	add(part: EditorModelPart): void {
		if (this.held.length === 0) {
			setImmediate(() => this.flush());
		}
		this.held.push({ ...part });
	}

	flush(): void {
		const parts = this.held;
		this.held = [];
		if (parts.length > 0 && !this.signal.aborted) {
			this.send(parts);
		}
	}
}
