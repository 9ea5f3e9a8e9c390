import { randomBytes } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { type Clock, throwIfAborted } from "../../common/async.ts";
import { type ClipLooks, plainLooks } from "../../common/clipLooks.ts";
import { Disposable } from "../../common/disposable.ts";
import { Emitter, type Event } from "../../common/emitter.ts";
import { AbortError, isAbortError, toError } from "../../common/errors.ts";
import type {
	EditorModels,
	ModelPlaces,
	ModelSetup,
	PullFailure,
	ServerListing,
} from "../../common/models.ts";
import { type Log, redactingLog, formatLogLine, type LogDetails } from "../../common/log.ts";
import {
	localEngineSetup,
	type VideoEngineSetup,
	type VideoModelListing,
} from "../../common/videoEngines.ts";
import { createPageReader, type ReadPage } from "../browsing/readPage.ts";
import { directNetwork, type NetworkSetup } from "../../client/transport/networkSetup.ts";
import { newFilesFolder, removeStaleFolders } from "../base/filesFolder.ts";
import { setNetwork } from "../base/network.ts";
import { addModelFile, removeModelFile } from "../embedded/modelFolder.ts";
import { ServiceThread, type ThreadSettings } from "./serviceThread.ts";

/** The state of the local service. */
export type LocalServiceState =
	| { readonly state: "stopped" }
	| { readonly state: "starting" }
	| { readonly state: "running"; readonly baseUrl: string }
	/** Ended too often to be started again without a user. Fault L14. */
	| { readonly state: "failed"; readonly message: string; readonly logLines: readonly string[] };

/** Dependencies of the local service in the extension host. */
export interface LocalServiceDependencies {
	/** The bundle of `worker.ts`. */
	readonly workerFile: URL | string;
	/** The bundle of `browsing/worker.ts`. */
	readonly readerFile: URL | string;
	/** The servers of models, with their keys; read at every `connect` and sent when they have changed, so that a change counts from the next request on. */
	readonly models?: () => Promise<ModelSetup>;
	/** The video engine, with its key; read like `models`. The local renderer where it is left out. */
	readonly videoEngine?: () => Promise<VideoEngineSetup>;
	/** How clips of the local renderer look, read like `models`; plain where it is left out. */
	readonly clipLooks?: () => Promise<ClipLooks>;
	/** The way out to the network, read like `models`; without proxies where it is left out. */
	readonly network?: () => NetworkSetup;
	/** The editor's models, which the service asks through the host. */
	readonly editorModels?: EditorModels;
	/** Folder for uploaded files while the service runs, for videos for a day and for calls of models for a week; may be shared with other windows. */
	readonly dataFolder: string;
	readonly clock: Clock;
	/** Receives the service's log lines; the token is taken out of them. */
	readonly log: Log;
}

/** Where to send requests, and the key to send along; both change with every start. */
export interface LocalServiceConnection {
	/** `http://127.0.0.1:PORT`, without `/v1`. */
	readonly baseUrl: string;
	readonly token: string;
}

/** The local service cannot be started; the message is fit for a user. Fault L14. */
export class LocalServiceError extends Error {
	override readonly name = "LocalServiceError";
	/** The last lines of its log, at most 20, without the token. */
	readonly logLines: readonly string[];

	constructor(message: string, logLines: readonly string[]) {
		super(message);
		this.logLines = logLines;
	}
}

/** Restarts that happen by themselves within `crashWindowMs`. Fault L14. */
const maxRestarts = 3;
const crashWindowMs = 60_000;

interface ServiceRun extends LocalServiceConnection {
	readonly thread: ServiceThread;
}

/** The local service as the extension host sees it: started when first needed, gone with the window. */
export class LocalService extends Disposable {
	readonly onDidChangeState: Event<LocalServiceState>;
	/** Asks for a web page, in the extension host: the gate there judges every address before. The service need not run. */
	readonly readPage: ReadPage;
	private readonly dependencies: LocalServiceDependencies;
	private readonly emitter = this.register(new Emitter<LocalServiceState>());
	private readonly tail = new LogTail();
	private currentState: LocalServiceState = { state: "stopped" };
	/** The start under way or the run it led to; shared by all who connect. */
	private run: Promise<ServiceRun> | undefined;
	/** Ends the run that `run` stands for. */
	private ending = new AbortController();
	/** Times by the monotonic clock. */
	private crashes: readonly number[] = [];

	/** Nothing is started before the first `connect`. */
	constructor(dependencies: LocalServiceDependencies) {
		super();
		this.dependencies = dependencies;
		this.onDidChangeState = this.emitter.event;
		const { readerFile, clock, network } = dependencies;
		const read = createPageReader({ workerFile: readerFile }, clock);
		this.readPage = (url, signal) => {
			setNetwork(network?.() ?? directNetwork);
			return read(url, signal);
		};
	}

	get state(): LocalServiceState {
		return this.currentState;
	}

	/**
	 * Starts the service if it does not run, and resolves once it has shown to be alive. Concurrent calls share one
	 * start. Rejects with `LocalServiceError` while the state is `failed`, and with `AbortError` once disposed.
	 */
	async connect(): Promise<LocalServiceConnection> {
		const { baseUrl, token } = await this.running();
		return { baseUrl, token };
	}

	/** Which models there are; starts the service as `connect` does, and rejects as it does. */
	async listModels(places: ModelPlaces): Promise<readonly ServerListing[]> {
		return await (await this.running()).thread.listModels(places);
	}

	/** Which models a video engine has; starts the service as `connect` does, and rejects as it does. */
	async listVideoModels(setup: VideoEngineSetup): Promise<VideoModelListing> {
		return await (await this.running()).thread.listVideoModels(setup);
	}

	/**
	 * Has a model downloaded; starts the service as `connect` does, and rejects as it does. Resolves with the reason when the
	 * download fails, and rejects with `AbortError` when the signal fires, which keeps what has come.
	 */
	async pullModel(
		...asked: Parameters<ServiceThread["pullModel"]>
	): Promise<PullFailure | undefined> {
		return await (await this.running()).thread.pullModel(...asked);
	}

	/** Lists a model's file of the user's own, where it is; gives the model's id. Rejects with the system's error. */
	async useModelFile(path: string): Promise<string> {
		return await addModelFile(this.modelsFolder, path);
	}

	/** Deletes a model that runs on this machine, by the name of its file; of the user's own files only the entry goes. Rejects with the system's error. */
	async removeModel(name: string): Promise<void> {
		await removeModelFile(this.modelsFolder, name);
	}

	/** The folder of the models that run on this machine. */
	get modelsFolder(): string {
		return join(this.dependencies.dataFolder, "local-models");
	}

	/** The run that has just answered; starts one when there is none. */
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
		const { models, videoEngine, clipLooks, network } = this.dependencies;
		return {
			models: (await models?.()) ?? { servers: [], contextLength: 0 },
			video: (await videoEngine?.()) ?? localEngineSetup,
			looks: (await clipLooks?.()) ?? plainLooks,
			network: network?.() ?? directNetwork,
		};
	}

	/** Ends the service, forgets earlier crashes and starts it afresh. Rejects as `connect` does. */
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

	/** Invariant: a run is over for everyone before its thread is told, so its end is no crash. */
	private endRun(): void {
		this.run = undefined;
		this.ending.abort();
	}

	/** A start that a restart cut short has a successor to wait for; every other end of a start is the caller's. */
	private afterEndedStart(error: unknown): undefined {
		if (this.isDisposed || !isAbortError(error)) {
			throw error;
		}
	}

	/** A thread that does not answer is ended, which `start` hears of; the next turn of `connect` waits for its successor. */
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

	/** Starts until it works or has failed too often. */
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
		// Made afresh for every start and kept in memory alone: never an argument, a variable or a file. Threat T22.
		const token = randomBytes(32).toString("base64url");
		const filesFolder = newFilesFolder(options.dataFolder);
		const thread = await ServiceThread.start({
			workerFile: options.workerFile,
			data: {
				token,
				filesFolder,
				videosFolder: join(options.dataFolder, "local-videos"),
				callsFolder: join(options.dataFolder, "local-calls"),
				modelsFolder: this.modelsFolder,
			},
			clock: options.clock,
			editorModels: options.editorModels,
			log: redactingLog(this.tail.over(options.log), () => [token]),
			signal,
		});
		void thread.exited.then(() => rm(filesFolder, { recursive: true, force: true }));
		return { thread, token, baseUrl: `http://127.0.0.1:${thread.port}` };
	}

	private onExit(reason: string, signal: AbortSignal): void {
		if (signal.aborted) {
			return;
		}
		this.run = undefined;
		try {
			this.countCrash(reason);
		} catch {
			// The state says it; who connects hears it then.
			return;
		}
		this.run = this.start(signal);
		// A start that fails is told to whoever connects, and there may be nobody.
		this.run.catch(ignoreOutcome);
	}

	/** Takes note that the service ended by itself; throws once that happened too often. */
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
	// The outcome was told where it matters.
}

const maxLines = 20;

/** Keeps the last lines of a log, to show why the service stopped. Fault L14. */
class LogTail {
	private kept: readonly string[] = [];

	/** A log that keeps its lines here and passes them on. Debug lines are passed on only. */
	over(log: Log): Log {
		const write =
			(level: keyof Log) =>
			(message: string, details?: LogDetails): void => {
				if (level !== "debug") {
					this.kept = [...this.kept, formatLogLine(message, details)].slice(-maxLines);
				}
				log[level](message, details);
			};
		return {
			debug: write("debug"),
			info: write("info"),
			warn: write("warn"),
			error: write("error"),
		};
	}

	/** At most 20 lines, oldest first. */
	lines(): readonly string[] {
		return this.kept;
	}
}
