import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { type Clock, throwIfAborted } from "../../common/async.ts";
import { type ClipLooks, type FigureColors, plainLooks } from "../../common/clipLooks.ts";
import { Disposable, Emitter, type Event } from "../../common/disposable.ts";
import { AbortError, isAbortError, toError } from "../../common/errors.ts";
import {
	defaultPackageMirror,
	type EditorModels,
	type ModelPlaces,
	type ModelSetup,
	type PullFailure,
	type ServerListing,
} from "../../common/modelSetup.ts";
import { formatLogLine, type Log, logOf, redactingLog } from "../../common/log.ts";
import {
	localEngineSetup,
	type VideoEngineSetup,
	type VideoModelListing,
} from "../../common/videoEngines.ts";
import { directNetwork, type NetworkSetup } from "../../client/transport/transport.ts";
import { newFilesFolder, removeStaleFolders } from "../base/fileStore.ts";
import { modelsFolderIn, packagesFolderIn } from "./localWork.ts";
import { ServiceThread } from "./serviceThread.ts";
import type { ThreadSettings } from "./workerMessages.ts";

export type LocalServiceState =
	| { readonly state: "stopped" }
	| { readonly state: "starting" }
	| { readonly state: "running"; readonly baseUrl: string }
	/** Crashed too often to be restarted automatically. */
	| { readonly state: "failed"; readonly message: string; readonly logLines: readonly string[] };

export interface LocalServiceDependencies {
	readonly workerFile: URL | string;
	/** The model servers with their keys. Read at every `connect` and sent if changed, so a change applies from the next request on. */
	readonly models?: () => Promise<ModelSetup>;
	/** The video engine with its key; read like `models`. Defaults to the local renderer. */
	readonly videoEngine?: () => Promise<VideoEngineSetup>;
	/** Appearance of the local renderer's clips of prompts. Never rejects. Defaults to `plainLooks`. */
	readonly clipLooks?: (prompts: readonly string[]) => Promise<ClipLooks>;
	/** Proxy and certificate settings; read like `models`. Defaults to no proxies. */
	readonly network?: () => NetworkSetup;
	/** Address that Python's packages are downloaded from; read like `models`. */
	readonly packageMirror?: () => string;
	/** Colors of Python's figures; read like `models`. Matplotlib's own by default. */
	readonly figureColors?: () => Promise<FigureColors>;
	readonly editorModels?: EditorModels;
	/**
	 * Folder for uploaded files, kept while the service runs, videos, kept for a day, and tool calls of models, kept for a week. May be shared with
	 * other windows.
	 */
	readonly dataFolder: string;
	readonly clock: Clock;
	/** Receives the service's log lines, without the token. */
	readonly log: Log;
}

/** Base URL and token for requests. Both change at every start. */
export interface LocalServiceConnection {
	/** `http://127.0.0.1:PORT`, without `/v1`. */
	readonly baseUrl: string;
	readonly token: string;
}

/** The local service can't be started. The message is for the user. */
export class LocalServiceError extends Error {
	override readonly name = "LocalServiceError";
	/** The last lines of its log, at most 20, without the token. */
	readonly logLines: readonly string[];

	constructor(message: string, logLines: readonly string[]) {
		super(message);
		this.logLines = logLines;
	}
}

/** The most automatic restarts within `crashWindowMs`. */
const maxRestarts = 3;
const crashWindowMs = 60_000;

interface ServiceRun extends LocalServiceConnection {
	readonly thread: ServiceThread;
	readonly filesFolder: string;
}

/** The local service in the extension host. It starts when first used and ends with the window. */
export class LocalService extends Disposable {
	readonly onDidChangeState: Event<LocalServiceState>;
	private readonly dependencies: LocalServiceDependencies;
	private readonly emitter = this.register(new Emitter<LocalServiceState>());
	private readonly tail = new LogTail();
	private currentState: LocalServiceState = { state: "stopped" };
	/** The pending start or its result, shared by all callers. */
	private run: Promise<ServiceRun> | undefined;
	private ending = new AbortController();
	/** Times of the monotonic clock. */
	private crashes: readonly number[] = [];

	/** Starts nothing before the first `connect`. */
	constructor(dependencies: LocalServiceDependencies) {
		super();
		this.dependencies = dependencies;
		this.onDidChangeState = this.emitter.event;
	}

	get state(): LocalServiceState {
		return this.currentState;
	}

	/**
	 * Starts the service if necessary, and resolves when it responds. Concurrent calls share one start. Rejects with `LocalServiceError` while the
	 * state is `failed`, and with `AbortError` after disposal.
	 */
	async connect(): Promise<LocalServiceConnection> {
		const { baseUrl, token } = await this.running();
		return { baseUrl, token };
	}

	/** Lists the available models. Starts the service and rejects like `connect`. */
	async listModels(places: ModelPlaces): Promise<readonly ServerListing[]> {
		return await (await this.running()).thread.listModels(places);
	}

	/** Lists the models of a video engine. Starts the service and rejects like `connect`. */
	async listVideoModels(setup: VideoEngineSetup): Promise<VideoModelListing> {
		return await (await this.running()).thread.listVideoModels(setup);
	}

	/**
	 * Downloads a model. Starts the service and rejects like `connect`. Resolves to the reason if the download fails. Rejects with `AbortError` if the
	 * signal aborts, and keeps the partial download.
	 */
	async pullModel(
		...asked: Parameters<ServiceThread["pullModel"]>
	): Promise<PullFailure | undefined> {
		return await (await this.running()).thread.pullModel(...asked);
	}

	/** Returns the path of a file that Python has written. Undefined if it is no longer there, as after a restart of the service. */
	async writtenFile(id: string): Promise<string | undefined> {
		const run = await this.run?.catch(ignoreOutcome);
		const path = run && /^file-[\w-]{22}$/.test(id) ? join(run.filesFolder, id) : undefined;
		return path !== undefined && existsSync(path) ? path : undefined;
	}

	/** Passes on the user's decision about a question of an answer. */
	async answerPackages(id: string, isAccepted: boolean): Promise<void> {
		(await this.run?.catch(ignoreOutcome))?.thread.answerPackages(id, isAccepted);
	}

	/** Returns a run that has just responded; starts one if necessary. */
	private async running(): Promise<ServiceRun> {
		for (;;) {
			if (this.isDisposed) {
				throw new AbortError("The local service was stopped");
			}
			if (this.currentState.state === "failed") {
				throw new LocalServiceError(this.currentState.message, this.currentState.logLines);
			}
			this.run ??= this.start(this.ending.signal);
			const run = await this.run.catch(error => this.afterEndedStart(error));
			const settings = await this.settings();
			run?.thread.configure(settings);
			if (run && (await this.isAlive(run.thread))) {
				return run;
			}
		}
	}

	private async settings(): Promise<ThreadSettings> {
		const { models, videoEngine, network, packageMirror, figureColors } = this.dependencies;
		return {
			models: (await models?.()) ?? { servers: [], contextLength: 0 },
			video: (await videoEngine?.()) ?? localEngineSetup,
			network: network?.() ?? directNetwork,
			packageMirror: packageMirror?.() ?? defaultPackageMirror,
			figureColors: await figureColors?.(),
		};
	}

	/** Ends the service, resets the crash count and starts it again. Rejects like `connect`. */
	async restart(): Promise<void> {
		const previous = this.run;
		this.endRun();
		this.crashes = [];
		this.ending = new AbortController();
		this.setState({ state: "stopped" });
		await previous?.then(({ thread }) => thread.exited).catch(ignoreOutcome);
		await this.connect();
	}

	override dispose(): void {
		if (!this.isDisposed) {
			this.endRun();
			this.setState({ state: "stopped" });
		}
		super.dispose();
	}

	/** Clears `run` before ending the thread, so that its end doesn't count as a crash. */
	private endRun(): void {
		this.run = undefined;
		this.ending.abort();
	}

	/** Ignores a start that was aborted by a restart, because a new one follows. Rethrows any other error. */
	private afterEndedStart(error: unknown): undefined {
		if (this.isDisposed || !isAbortError(error)) {
			throw error;
		}
	}

	/** Whether a thread responds. One that doesn't has been ended, and `connect` waits for the next start. */
	private async isAlive(thread: ServiceThread): Promise<boolean> {
		try {
			await thread.ping();
			return true;
		} catch (error) {
			this.dependencies.log.warn("The local service did not answer", {
				reason: toError(error).message,
			});
			await thread.exited;
			return false;
		}
	}

	/** Starts the service until it succeeds or has failed too often. */
	private async start(signal: AbortSignal): Promise<ServiceRun> {
		this.setState({ state: "starting" });
		for (;;) {
			try {
				const run = await this.startOnce(signal);
				throwIfAborted(signal);
				this.setState({ state: "running", baseUrl: run.baseUrl });
				void run.thread.exited.then(reason => this.onExit(reason, signal));
				return run;
			} catch (error) {
				if (signal.aborted || isAbortError(error)) {
					throw new AbortError("The local service was stopped");
				}
				this.countCrash(toError(error).message);
			}
		}
	}

	private async startOnce(signal: AbortSignal): Promise<ServiceRun> {
		const { dependencies: options } = this;
		await removeStaleFolders(options.dataFolder);
		// Created at every start and kept in memory only: never in an argument, environment variable or file. docs/security.md.
		const token = randomBytes(32).toString("base64url");
		const filesFolder = newFilesFolder(options.dataFolder);
		const thread = await ServiceThread.start({
			workerFile: options.workerFile,
			data: {
				token,
				filesFolder,
				videosFolder: join(options.dataFolder, "local-videos"),
				callsFolder: join(options.dataFolder, "local-calls"),
				modelsFolder: modelsFolderIn(options.dataFolder),
				packagesFolder: packagesFolderIn(options.dataFolder),
			},
			clock: options.clock,
			editorModels: options.editorModels,
			looksOf: async prompt =>
				(await options.clipLooks?.(prompt === undefined ? [] : [prompt])) ?? plainLooks,
			log: redactingLog(this.tail.over(options.log), () => [token]),
			signal,
		});
		void thread.exited.then(() => rm(filesFolder, { recursive: true, force: true }));
		return { thread, token, filesFolder, baseUrl: `http://127.0.0.1:${thread.port}` };
	}

	private onExit(reason: string, signal: AbortSignal): void {
		if (signal.aborted) {
			return;
		}
		this.run = undefined;
		try {
			this.countCrash(reason);
		} catch {
			// The state is now `failed`, so `connect` rejects.
			return;
		}
		this.run = this.start(signal);
		// `connect` reports a failure, but it may not be called.
		this.run.catch(ignoreOutcome);
	}

	/** Records a crash. Throws if there were too many. */
	private countCrash(reason: string): void {
		const now = this.dependencies.clock.monotonic();
		this.crashes = [...this.crashes.filter(at => now - at < crashWindowMs), now];
		this.tail.over(this.dependencies.log).error(`The local service stopped: ${reason}`);
		if (this.crashes.length > maxRestarts) {
			const message = `The local service stopped ${this.crashes.length} times within a minute. Trying again restarts it. Last reason: ${reason}.`;
			this.run = undefined;
			this.setState({ state: "failed", message, logLines: this.tail.lines() });
			throw new LocalServiceError(message, this.tail.lines());
		}
	}

	private setState(state: LocalServiceState): void {
		this.currentState = state;
		this.emitter.fire(state);
	}
}

function ignoreOutcome(): void {
	// Reported elsewhere.
}

const maxLines = 20;

/** Keeps the last lines of a log, to show why the service stopped. */
class LogTail {
	private kept: readonly string[] = [];

	/** Returns a log that stores its lines and forwards them. Debug lines are only forwarded. */
	over(log: Log): Log {
		return logOf((level, message, details) => {
			if (level !== "debug") {
				this.kept = [...this.kept, formatLogLine(message, details)].slice(-maxLines);
			}
			log[level](message, details);
		});
	}

	/** At most 20 lines, oldest first. */
	lines(): readonly string[] {
		return this.kept;
	}
}
