import { Worker } from "node:worker_threads";
import { type Clock, throwIfAborted, untilAborted } from "../../common/async.ts";
import { isAbortError, toError } from "../../common/errors.ts";
import type { ClipLooks } from "../../common/clipLooks.ts";
import type { Log } from "../../common/log.ts";
import type {
	EditorModelPart,
	EditorModelRequest,
	EditorModels,
	ModelPlaces,
	PullFailure,
	PullProgress,
	PullRequest,
	ServerListing,
} from "../../common/modelSetup.ts";
import type { VideoEngineSetup, VideoModelListing } from "../../common/videoEngines.ts";
import type { EditorReply } from "../editorModels/editorLink.ts";
import type {
	FromWorker,
	ThreadReplies,
	ThreadReply,
	ThreadSettings,
	ToWorker,
	WorkerData,
} from "./workerMessages.ts";

export interface ServiceThreadDependencies {
	readonly workerFile: URL | string;
	readonly data: WorkerData;
	readonly clock: Clock;
	readonly editorModels: EditorModels | undefined;
	/** Returns the appearance of a clip of a prompt; undefined for an image. Never rejects. */
	readonly looksOf: (prompt: string | undefined) => Promise<ClipLooks>;
	readonly log: Log;
	/** Stops the thread at any time. */
	readonly signal: AbortSignal;
}

const startTimeoutMs = 15_000;
const pingTimeoutMs = 5_000;
const stopTimeoutMs = 2_000;
const listTimeoutMs = 60_000;

/**
 * If the service runs out of memory, only its thread ends instead of the extension host.
 * @see https://nodejs.org/api/worker_threads.html#workerresourcelimits
 */
const resourceLimits = { maxOldGenerationSizeMb: 512 } as const;

/** A worker thread whose service is listening. */
export class ServiceThread {
	readonly port: number;
	/** Resolves to the reason when the thread has ended. Never rejects. */
	readonly exited: Promise<string>;
	private readonly worker: Worker;
	private readonly inbox: Inbox;
	private readonly clock: Clock;
	private lastId = 0;
	/** The last sent settings, as JSON. */
	private settings = "";

	/** Starts the thread and waits until it listens. Rejects with the reason if it ends first or takes longer than {@link startTimeoutMs}. */
	static async start(dependencies: ServiceThreadDependencies): Promise<ServiceThread> {
		const { clock, signal } = dependencies;
		throwIfAborted(signal);
		const worker = new Worker(dependencies.workerFile, {
			workerData: dependencies.data,
			// The extension host's own flags, such as a debugger's port, must not apply to this thread.
			execArgv: [],
			name: "cutaway-local-service",
			resourceLimits,
		});
		const exited = watchExit(worker, dependencies.data.token);
		const inbox = new Inbox(worker, dependencies);
		const onAbort = (): void => stopWorker(worker, exited, clock);
		signal.addEventListener("abort", onAbort, { once: true });
		void exited.then(() => signal.removeEventListener("abort", onAbort));
		const port = await withDeadline(
			{ answer: inbox.listening, exited, clock, ms: startTimeoutMs },
			worker,
		);
		throwIfAborted(signal);
		// The thread must not keep an otherwise finished process alive.
		worker.unref();
		return new ServiceThread({ worker, inbox, exited, port, clock });
	}

	private constructor({ worker, inbox, exited, port, clock }: RunningThread) {
		this.worker = worker;
		this.inbox = inbox;
		this.exited = exited;
		this.port = port;
		this.clock = clock;
	}

	/** Sends the settings to the thread if they have changed. They apply to all later requests. */
	configure(settings: ThreadSettings): void {
		const text = JSON.stringify(settings);
		if (text !== this.settings) {
			this.settings = text;
			send(this.worker, { type: "settings", ...settings });
		}
	}

	/**
	 * Resolves when the thread has answered, confirming that it is alive and still owns its port (docs/security.md). Rejects if it has ended. Ends it
	 * and rejects if it doesn't answer within 5 s.
	 */
	async ping(): Promise<void> {
		await this.ask<"ping">(pingTimeoutMs, id => ({ type: "ping", id }));
	}

	/** Lists the available models. Rejects if the thread has ended. Ends it and rejects if it doesn't answer within a minute. */
	async listModels(places: ModelPlaces): Promise<readonly ServerListing[]> {
		return await this.ask(listTimeoutMs, id => ({ type: "list-models", id, places }));
	}

	/** Lists the models of a video engine. Rejects like `listModels`. */
	async listVideoModels(setup: VideoEngineSetup): Promise<VideoModelListing> {
		return await this.ask(listTimeoutMs, id => ({ type: "list-video-models", id, setup }));
	}

	/**
	 * Downloads a model, without a time limit. Resolves to the reason if that fails, including the end of the thread. Rejects with `AbortError` if the
	 * signal aborts.
	 */
	async pullModel(
		request: PullRequest,
		onProgress: (progress: PullProgress) => void,
		signal: AbortSignal,
	): Promise<PullFailure | undefined> {
		const { worker } = this;
		const id = this.nextId();
		const pulled = this.inbox.reply<"pull-model">(id, onProgress);
		send(worker, { type: "pull-model", id, ...request });
		const lost = this.exited.then((words): PullFailure => ({ reason: "lost", words }));
		try {
			return await untilAborted(Promise.race([pulled, lost]), signal);
		} catch (error) {
			send(worker, { type: "cancel-pull", id });
			throw error;
		}
	}

	/** Passes on the user's decision about a package question. */
	answerPackages(id: string, isAccepted: boolean): void {
		send(this.worker, { type: "answer-packages", id, isAccepted });
	}

	private nextId(): number {
		this.lastId += 1;
		return this.lastId;
	}

	/** Sends a request and waits for its reply, at most `ms` milliseconds. */
	private ask<Name extends keyof ThreadReplies>(
		ms: number,
		create: (id: number) => ToWorker & { readonly type: Name },
	): Promise<ThreadReplies[Name]> {
		const { exited, clock, worker } = this;
		const id = this.nextId();
		const answer = this.inbox.reply<Name>(id);
		send(worker, create(id));
		return withDeadline({ answer, exited, clock, ms }, worker);
	}
}

interface RunningThread {
	readonly worker: Worker;
	readonly inbox: Inbox;
	readonly exited: Promise<string>;
	readonly port: number;
	readonly clock: Clock;
}

function send(worker: Worker, message: ToWorker): void {
	worker.postMessage(message);
}

/** Removes the token from the reason, which may be any error's message. */
function watchExit(worker: Worker, token: string): Promise<string> {
	return new Promise(resolve => {
		let reason: string | undefined;
		worker.once("error", (error: unknown) => {
			reason = error instanceof Error ? error.message : String(error);
		});
		worker.once("exit", code =>
			resolve(reason?.replaceAll(token, "[redacted]") ?? `it ended with code ${code}`),
		);
	});
}

/** A request whose reply is expected. The reply has the type of its request. */
interface PendingReply {
	readonly onProgress: ((progress: PullProgress) => void) | undefined;
	end(value: ThreadReply): void;
}

class Inbox {
	private readonly log: Log;
	private readonly editor: EditorQuestions;
	private readonly sendLooks: (id: number, prompt: string | undefined) => Promise<void>;
	private readonly listeners = Promise.withResolvers<number>();
	private readonly pending = new Map<number, PendingReply>();
	readonly listening = this.listeners.promise;

	constructor(worker: Worker, { log, editorModels, looksOf }: ServiceThreadDependencies) {
		this.log = log;
		this.sendLooks = async (id, prompt) =>
			send(worker, { type: "looks", id, looks: await looksOf(prompt) });
		this.editor = new EditorQuestions(editorModels, reply => send(worker, reply), log);
		worker.once("exit", () => this.editor.cancelAll());
		worker.on("message", (message: FromWorker) => this.receive(message));
	}

	reply<Name extends keyof ThreadReplies>(
		id: number,
		onProgress?: (progress: PullProgress) => void,
	): Promise<ThreadReplies[Name]> {
		return new Promise(resolve => {
			const end = (value: ThreadReplies[Name]): void => resolve(value);
			this.pending.set(id, { onProgress, end });
		});
	}

	private receive(message: FromWorker): void {
		switch (message.type) {
			case "listening":
				this.listeners.resolve(message.port);
				break;
			case "reply":
				this.pending.get(message.id)?.end(message.value);
				this.pending.delete(message.id);
				break;
			case "pull-progress":
				this.pending.get(message.id)?.onProgress?.(message.progress);
				break;
			case "ask-editor":
				void this.editor.ask(message.id, message.request);
				break;
			case "cancel-editor":
				this.editor.cancel(message.id);
				break;
			case "ask-looks":
				void this.sendLooks(message.id, message.prompt);
				break;
			case "log":
				this.log[message.level](message.line);
				break;
		}
	}
}

interface Deadline<T> {
	readonly answer: Promise<T>;
	readonly exited: Promise<string>;
	readonly clock: Clock;
	readonly ms: number;
}

/** Waits for an answer. Ends a thread that exceeds the deadline. */
function withDeadline<T>({ answer, exited, clock, ms }: Deadline<T>, worker: Worker): Promise<T> {
	const { promise, resolve, reject } = Promise.withResolvers<T>();
	const timer = clock.setTimer(ms, () => {
		void worker.terminate();
		reject(new Error(`it was silent for ${ms / 1000} s`));
	});
	void answer.then(resolve);
	void exited.then(reason => reject(new Error(reason)));
	return promise.finally(() => timer.dispose());
}

function stopWorker(worker: Worker, exited: Promise<string>, clock: Clock): void {
	send(worker, { type: "stop" });
	const timer = clock.setTimer(stopTimeoutMs, () => void worker.terminate());
	void exited.then(() => timer.dispose());
}

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
