import { Worker } from "node:worker_threads";
import type { Clock } from "../../common/async.ts";
import { AbortError } from "../../common/errors.ts";
import type { ModelPlaces, ModelSetup, ServerListing } from "../../common/models.ts";
import type { Log } from "../../common/log.ts";
import {
	type FromWorker,
	fromWorkerSchema,
	type ToWorker,
	type WorkerData,
} from "./workerMessages.ts";

/** What one run of the service's thread is started with. */
export interface ServiceThreadOptions {
	/** The worker's file; a bundle beside the extension's own. */
	readonly workerFile: URL | string;
	readonly data: WorkerData;
	readonly clock: Clock;
	/** Hears what the thread logs. */
	readonly log: Log;
	/** Stops the thread, at whatever point of its life. */
	readonly signal: AbortSignal;
}

/** A thread whose service listens. */
export interface ServiceThread {
	readonly port: number;
	/** Settles when the thread has ended, with the reason in words. Never rejects. */
	readonly exited: Promise<string>;
	/**
	 * Sets the speed and the servers of models, and resolves once the thread has answered, which proves that it is alive and so that nobody else
	 * can have its port (threat T22). Rejects when it ended or, after ending it, when it was silent for 5 s.
	 */
	ping(charactersPerSecond: number, models: ModelSetup): Promise<void>;
	/** Which models there are. Rejects when the thread ended or, after ending it, was silent for a minute. */
	listModels(places: ModelPlaces): Promise<readonly ServerListing[]>;
}

const startTimeoutMs = 15_000;
const pingTimeoutMs = 5_000;
const stopTimeoutMs = 2_000;
const listTimeoutMs = 60_000;

/**
 * Keeps a service that runs out of memory from taking the extension host with it: the thread alone ends.
 * @see https://nodejs.org/api/worker_threads.html#workerresourcelimits
 */
const resourceLimits = { maxOldGenerationSizeMb: 512 } as const;

/** Starts the thread and waits until it listens. Rejects with the reason when it ends first or takes over 15 s. */
export async function startThread(options: ServiceThreadOptions): Promise<ServiceThread> {
	const { clock, signal } = options;
	if (signal.aborted) {
		throw new AbortError();
	}
	const worker = new Worker(options.workerFile, {
		workerData: options.data,
		// The extension host's own flags, such as a debugger's port, are not for this thread.
		execArgv: [],
		name: "cutaway-local-service",
		resourceLimits,
	});
	const exited = watchExit(worker, options.data.token);
	const inbox = openInbox(worker, options);
	const onAbort = (): void => stopWorker(worker, exited, clock);
	signal.addEventListener("abort", onAbort, { once: true });
	void exited.then(() => signal.removeEventListener("abort", onAbort));
	const port = await withDeadline(
		{ answer: inbox.listening, exited, clock, ms: startTimeoutMs },
		worker,
	);
	if (signal.aborted) {
		throw new AbortError();
	}
	// The thread must not keep a process alive that has nothing else to do.
	worker.unref();
	let lastPing = 0;
	return {
		port,
		exited,
		ping: async (charactersPerSecond, models) => {
			lastPing += 1;
			const answer = inbox.alive(lastPing);
			send(worker, { type: "ping", id: lastPing, charactersPerSecond, models: copyOf(models) });
			await withDeadline({ answer, exited, clock, ms: pingTimeoutMs }, worker);
		},
		listModels: async places => {
			lastPing += 1;
			const answer = inbox.models(lastPing);
			send(worker, { type: "list-models", id: lastPing, places });
			return await withDeadline({ answer, exited, clock, ms: listTimeoutMs }, worker);
		},
	};
}

function copyOf({
	servers,
	contextLength,
}: ModelSetup): Extract<ToWorker, { type: "ping" }>["models"] {
	return { servers: servers.map(server => ({ ...server })), contextLength };
}

function send(worker: Worker, message: ToWorker): void {
	worker.postMessage(message);
}

/** The reason may be any error's message, so the token is taken out of it. */
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

interface Inbox {
	readonly listening: Promise<number>;
	/** Settles when the ping with this id is answered. */
	alive(id: number): Promise<void>;
	/** Settles with the answer to the question with this id. */
	models(id: number): Promise<readonly ServerListing[]>;
}

function openInbox(worker: Worker, { log }: ServiceThreadOptions): Inbox {
	const listening = Promise.withResolvers<number>();
	const pings = new Map<number, () => void>();
	const lists = new Map<number, (listings: readonly ServerListing[]) => void>();
	const receive = (message: FromWorker): void => {
		switch (message.type) {
			case "listening":
				listening.resolve(message.port);
				break;
			case "alive":
				pings.get(message.id)?.();
				pings.delete(message.id);
				break;
			case "models":
				lists.get(message.id)?.(message.listings);
				lists.delete(message.id);
				break;
			case "log":
				log[message.level](message.line);
				break;
		}
	};
	worker.on("message", (received: unknown) => {
		const message = fromWorkerSchema.safeParse(received);
		if (message.success) {
			receive(message.data);
		} else {
			log.warn("The local service sent a message that is not understood");
		}
	});
	return {
		listening: listening.promise,
		alive: id => new Promise(resolve => pings.set(id, resolve)),
		models: id => new Promise(resolve => lists.set(id, resolve)),
	};
}

interface Deadline<T> {
	readonly answer: Promise<T>;
	readonly exited: Promise<string>;
	readonly clock: Clock;
	readonly ms: number;
}

/** Waits for an answer; a thread that is silent for too long hangs, and is ended. */
function withDeadline<T>({ answer, exited, clock, ms }: Deadline<T>, worker: Worker): Promise<T> {
	return new Promise((resolve, reject) => {
		const timer = clock.setTimer(ms, () => {
			void worker.terminate();
			reject(new Error(`it was silent for ${ms / 1000} s`));
		});
		void answer.then(value => {
			timer.dispose();
			resolve(value);
		});
		void exited.then(reason => {
			timer.dispose();
			reject(new Error(reason));
		});
	});
}

function stopWorker(worker: Worker, exited: Promise<string>, clock: Clock): void {
	send(worker, { type: "stop" });
	const timer = clock.setTimer(stopTimeoutMs, () => void worker.terminate());
	void exited.then(() => timer.dispose());
}
