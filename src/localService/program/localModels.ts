import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { MessagePort } from "node:worker_threads";
import { systemClock } from "../../common/async.ts";
import { isAbortError } from "../../common/errors.ts";
import type { Log } from "../../common/log.ts";
import { hubModels, type ModelSetup, type PullProgress } from "../../common/models.ts";
import { downloadModel } from "../embedded/downloadModel.ts";
import { EmbeddedModels } from "../embedded/embeddedModels.ts";
import { pullModel } from "../ollama/pullModel.ts";
import type { ToWorker } from "../host/workerMessages.ts";

/** Opens the models that run on this machine. Only platform-specific packages contain their runtime. */
export function embeddedModels(
	modelsFolder: string,
	setup: () => ModelSetup,
	log: Log,
): EmbeddedModels | undefined {
	const llamaFolder = fileURLToPath(new URL("./llama", import.meta.url));
	if (!existsSync(llamaFolder)) {
		return undefined;
	}
	return new EmbeddedModels({
		childFile: new URL("./embeddedModel.js", import.meta.url),
		...{ llamaFolder, modelsFolder, log },
		contextLength: () => setup().contextLength,
		clock: systemClock,
	});
}

/** The running downloads of models. They end with the thread. */
export class ModelPulls {
	private readonly parent: MessagePort;
	private readonly folder: string;
	private readonly running = new Map<number, AbortController>();

	/** Models that run here are saved in `folder`. */
	constructor(parent: MessagePort, folder: string) {
		this.parent = parent;
		this.folder = folder;
	}

	/** Starts a download. Sends its progress and its end to `parent`. */
	start(asked: PullMessage, setup: ModelSetup): void {
		const stopper = new AbortController();
		this.running.set(asked.id, stopper);
		void this.pull(asked, setup, stopper);
	}

	/** Cancels a download and keeps the partial file. */
	cancel(id: number): void {
		this.running.get(id)?.abort();
	}

	private async pull(
		{ id, kind, baseUrl, model }: PullMessage,
		{ servers }: ModelSetup,
		{ signal }: AbortController,
	): Promise<void> {
		const { parent, folder } = this;
		const headers = servers.find(server => server.baseUrl === baseUrl)?.headers ?? {};
		const onProgress = (progress: PullProgress): void =>
			parent.postMessage({ type: "pull-progress", id, progress: { ...progress } });
		const options = { clock: systemClock, signal, onProgress };
		const listed = hubModels.find(({ file }) => file === model);
		try {
			const failure = await (kind === "ollama"
				? pullModel({ server: { baseUrl, headers }, model, ...options })
				: listed
					? downloadModel({ hub: baseUrl, model: listed, folder, ...options })
					: { reason: "unknownModel" as const, words: "" });
			parent.postMessage({ type: "pulled", id, ...(failure ? { failure: { ...failure } } : {}) });
		} catch (error) {
			// The caller doesn't wait for a canceled download.
			if (!isAbortError(error)) {
				throw error;
			}
		} finally {
			this.running.delete(id);
		}
	}
}

type PullMessage = Extract<ToWorker, { type: "pull-model" }>;
