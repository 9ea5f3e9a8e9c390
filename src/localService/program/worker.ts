import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { formatLogLine, type Log, logOf, redactingLog } from "../../common/log.ts";
import { systemClock } from "../../common/async.ts";
import type { ClipLooks, FigureColors } from "../../common/clipLooks.ts";
import { isAbortError } from "../../common/errors.ts";
import {
	type ModelSetup,
	defaultPackageMirror,
	hubModels,
	type PullFailure,
	type PullProgress,
} from "../../common/modelSetup.ts";
import { localEngineSetup, type VideoEngineSetup } from "../../common/videoEngines.ts";
import { setNetwork } from "../base/network.ts";
import { EditorLink } from "../editorModels/editorLink.ts";
import { listVideoModels } from "../videoEngines/openEngines.ts";
import { PackageQuestions } from "../python/packages/packageQuestions.ts";
import type { Models } from "../models/models.ts";
import { startService } from "./service.ts";
import {
	type FromWorker,
	readWorkerData,
	type ThreadReply,
	type ToWorker,
} from "../host/workerMessages.ts";
import { downloadModel } from "../embedded/downloadModel.ts";
import type { EmbeddedModels } from "../embedded/embeddedModels.ts";
import { pullModel } from "../ollama/pullModel.ts";

/** The running downloads of models. They end with the thread. */
class ModelPulls {
	private readonly parent: MessagePort;
	private readonly folder: string;
	private readonly embedded: EmbeddedModels | undefined;
	private readonly running = new Map<number, AbortController>();

	/** Models that run here are saved in `folder`. */
	constructor(parent: MessagePort, folder: string, embedded: EmbeddedModels | undefined) {
		this.parent = parent;
		this.folder = folder;
		this.embedded = embedded;
	}

	/** Starts a download, or cancels it and keeps the partial file. */
	receive(
		message: Extract<ToWorker, { type: "pull-model" | "cancel-pull" }>,
		setup: ModelSetup,
	): void {
		if (message.type === "pull-model") {
			this.start(message, setup);
		} else {
			this.running.get(message.id)?.abort();
		}
	}

	/** Starts a download. Sends its progress and its end to `parent`. */
	private start(asked: PullMessage, setup: ModelSetup): void {
		const stopper = new AbortController();
		this.running.set(asked.id, stopper);
		const pulled = this.pull(asked, setup, stopper.signal);
		void reply(this.parent, asked.id, pulled).finally(() => this.running.delete(asked.id));
	}

	private async pull(
		{ id, kind, baseUrl, model, isUnchecked }: PullMessage,
		{ servers }: ModelSetup,
		signal: AbortSignal,
	): Promise<PullFailure | undefined> {
		const { parent, folder } = this;
		const headers = servers.find(server => server.baseUrl === baseUrl)?.headers ?? {};
		const onProgress = (progress: PullProgress): void =>
			send(parent, { type: "pull-progress", id, progress });
		const options = { clock: systemClock, signal, onProgress };
		const listed = hubModels.find(({ file }) => file === model);
		if (kind === "ollama") {
			return await pullModel({ server: { baseUrl, headers }, model, ...options });
		}
		const words = await this.embedded?.whyNotRunnable();
		if (words !== undefined) {
			return { reason: "cannotRun", words };
		}
		return listed
			? await downloadModel({ hub: baseUrl, model: listed, isUnchecked, folder, ...options })
			: { reason: "unknownModel", words: "" };
	}
}

/** Asks the extension host for the appearance of clips. */
class LooksLink {
	private readonly parent: MessagePort;
	private readonly waiting = new Map<number, (looks: ClipLooks) => void>();
	private lastId = 0;

	constructor(parent: MessagePort) {
		this.parent = parent;
		parent.on("message", (message: ToWorker) => {
			if (message.type === "looks") {
				this.waiting.get(message.id)?.(message.looks);
				this.waiting.delete(message.id);
			}
		});
	}

	/** Resolves to the appearance for a prompt; undefined for an image. */
	ask(prompt: string | undefined): Promise<ClipLooks> {
		this.lastId += 1;
		const id = this.lastId;
		send(this.parent, { type: "ask-looks", id, prompt });
		return new Promise(resolve => this.waiting.set(id, resolve));
	}
}

type PullMessage = Extract<ToWorker, { type: "pull-model" }>;

/** Entry point of the thread that runs the local service inside the extension host. */

/** Runs the service until it is stopped or the host is gone. */
async function run(parent: MessagePort): Promise<void> {
	const data = readWorkerData(workerData);
	const { token, filesFolder, videosFolder, callsFolder, modelsFolder } = data;
	const log = redactingLog(logTo(parent), () => [token]);
	process.on("warning", warning => log.warn("Node warns", { reason: warning.message }));
	let setup: ModelSetup = { servers: [], contextLength: 0 };
	let videoSetup: VideoEngineSetup = localEngineSetup;
	let packageMirror = defaultPackageMirror;
	let figureColors: FigureColors | undefined;
	const questions = new PackageQuestions();
	const editor = new EditorLink(question => parent.postMessage(question));
	const looks = new LooksLink(parent);
	const stopping = new AbortController();
	const { signal } = stopping;
	const service = await startService({
		token,
		filesFolder,
		videosFolder,
		callsFolder,
		modelsFolder,
		editor,
		log,
		models: () => setup,
		video: () => videoSetup,
		looks: prompt => looks.ask(prompt),
		packages: {
			folder: data.packagesFolder,
			mirror: () => packageMirror,
			questions,
		},
		figureColors: () => figureColors,
	});
	const { server, models, embedded } = service;
	const pulls = new ModelPulls(parent, modelsFolder, embedded);
	const stop = async (): Promise<void> => {
		stopping.abort();
		await service.stop();
		process.exit(0);
	};
	parent.on("message", (message: Exclude<ToWorker, { readonly type: "looks" }>) => {
		switch (message.type) {
			case "ping":
			case "list-models":
			case "list-video-models":
				void reply(parent, message.id, answerTo(message, models, signal));
				break;
			case "settings":
				({ models: setup, video: videoSetup, packageMirror, figureColors } = message);
				setNetwork(message.network);
				break;
			case "pull-model":
			case "cancel-pull":
				pulls.receive(message, setup);
				break;
			case "answer-packages":
				questions.answer(message.id, message.isAccepted);
				break;
			case "editor-parts":
			case "editor-end":
				editor.receive(message);
				break;
			case "stop":
				void stop();
				break;
		}
	});
	// The port closes when the host is gone. Otherwise nothing could stop the service.
	parent.on("close", () => void stop());
	send(parent, { type: "listening", port: server.port });
}

type ListMessage = Extract<
	ToWorker,
	{ readonly type: "ping" | "list-models" | "list-video-models" }
>;

async function answerTo(
	message: ListMessage,
	models: Models,
	signal: AbortSignal,
): Promise<ThreadReply> {
	switch (message.type) {
		case "ping":
			return undefined;
		case "list-models":
			return await models.list(signal, message.places);
		case "list-video-models":
			return await listVideoModels(message.setup, systemClock, signal);
	}
}

/** Sends the reply to a request. Failures are part of it, so it rejects only when the service stops or the caller no longer waits. */
async function reply(parent: MessagePort, id: number, value: Promise<ThreadReply>): Promise<void> {
	try {
		send(parent, { type: "reply", id, value: await value });
	} catch (error) {
		if (!isAbortError(error)) {
			throw error;
		}
	}
}

function send(parent: MessagePort, message: FromWorker): void {
	parent.postMessage(message);
}

function logTo(parent: MessagePort): Log {
	return logOf((level, message, details) =>
		send(parent, { type: "log", level, line: formatLogLine(message, details) }),
	);
}

if (!parentPort) {
	throw new Error("The local service's worker must run as a worker thread.");
}
await run(parentPort);
