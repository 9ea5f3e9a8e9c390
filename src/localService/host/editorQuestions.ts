import { isAbortError, toError } from "../../common/errors.ts";
import type { Log } from "../../common/log.ts";
import type { EditorModelPart, EditorModelRequest, EditorModels } from "../../common/models.ts";
import type { EditorReply } from "../editorModels/editorLink.ts";

type Send = (message: EditorReply) => void;

/** Forwards the service thread's requests to the editor's models. */
export class EditorQuestions {
	private readonly models: EditorModels | undefined;
	private readonly send: Send;
	private readonly log: Log;
	private readonly running = new Map<number, AbortController>();

	/** Without `models`, every answer is empty. */
	constructor(models: EditorModels | undefined, send: Send, log: Log) {
		this.models = models;
		this.send = send;
		this.log = log;
	}

	/** Cancels an answer. Nothing further of it is sent. */
	cancel(id: number): void {
		this.running.get(id)?.abort();
	}

	/** Cancels all answers after the thread has ended. */
	cancelAll(): void {
		for (const stopper of this.running.values()) {
			stopper.abort();
		}
	}

	/** Sends a request and forwards the parts of the answer and its end. Never rejects. */
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
			this.send({ type: "editor-end", id, failure });
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

/** Batches parts until the next turn of the event loop, so that a fast model causes fewer messages. */
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
