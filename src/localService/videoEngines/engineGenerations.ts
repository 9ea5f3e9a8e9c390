import { randomInt, randomUUID } from "node:crypto";
import type { Clock } from "../../common/async.ts";
import { isAbortError, toError } from "../../common/errors.ts";
import type { Log } from "../../common/log.ts";
import type { VideoDetail } from "../../client/contract/schemas.ts";
import {
	engineName,
	motionPhrase,
	promptToSend,
	type RemoteEngineKind,
	secondsToAsk,
	type VideoEngineSetup,
} from "../../common/videoEngines.ts";
import { HttpFailure } from "../base/failureResponse.ts";
import { defaultOptions } from "../video/assets.ts";
import {
	type EngineWork,
	type GenerationService,
	type GenerationRecord,
	type GenerationRequest,
	type StoredFormat,
} from "../video/generationRecord.ts";
import { hasEnded, newGenerationId, newOwner } from "../video/generationStore.ts";
import { creationSilentMs, EngineFailure } from "./engineServer.ts";
import { EngineJob, type EngineJobDependencies, type EngineRecord } from "./engineJob.ts";

export interface EngineGenerationsDependencies extends EngineJobDependencies {
	/** Renders videos if no server is configured, and finds those it rendered. */
	readonly local: GenerationService;
	readonly setup: () => VideoEngineSetup;
	readonly clock: Clock;
	readonly log: Log;
}

/** Limit of concurrent videos; 429 beyond. */
const maxRunning = 32;

/** Silence after which an owner that can't be checked is gone: on another machine, or with a pid in use again. Longer than any request. */
const abandonedAfterMs = creationSilentMs + 10 * 60_000;
const stopMs = 1_500;

/** The local service's videos, created by the configured engine. Each video stays with its engine. */
export class EngineGenerations implements GenerationService {
	private readonly dependencies: EngineGenerationsDependencies;
	private readonly owner = newOwner();
	private readonly stopping = new AbortController();
	private readonly jobs = new Map<
		string,
		{ readonly job: EngineJob; readonly done: Promise<void> }
	>();

	constructor(dependencies: EngineGenerationsDependencies) {
		this.dependencies = dependencies;
	}

	async create(request: GenerationRequest): Promise<string> {
		const { local, setup, store, clock, log, engineOf } = this.dependencies;
		const chosen = setup();
		if (chosen.engine === "local") {
			return await local.create(request);
		}
		if (this.jobs.size >= maxRunning) {
			throw new HttpFailure(429, "too_many_videos", `${maxRunning} videos are under way already.`, {
				"Retry-After": "10",
			});
		}
		const engine = workOf(request, chosen, chosen.engine);
		try {
			engineOf(engine);
		} catch (error) {
			throw error instanceof EngineFailure
				? new HttpFailure(424, "video_engine", error.message)
				: error;
		}
		const id = newGenerationId();
		const record = { ...request, id, createdAt: clock.now(), owner: this.owner, engine };
		await store.writeNew(record, log);
		this.start(record);
		return id;
	}

	async find(id: string): Promise<GenerationRecord | undefined> {
		const { local, store, clock } = this.dependencies;
		const record = await store.read(id, clock.now());
		if (!record || !isEngineRecord(record)) {
			return await local.find(id);
		}
		if (!record.outcome && this.isAbandoned(record)) {
			this.start({ ...record, owner: this.owner });
		}
		return record;
	}

	clipPath(id: string, format?: StoredFormat): string {
		return this.dependencies.local.clipPath(id, format);
	}

	details(record: GenerationRecord): VideoDetail | undefined {
		if (!isEngineRecord(record)) {
			return undefined;
		}
		const { kind, baseUrl, cost, note } = record.engine;
		const name = engineName(kind, baseUrl);
		const running = record.outcome ? undefined : this.jobs.get(record.id)?.job.detail(name);
		return (
			running ?? {
				engine: name,
				cost,
				...(note === undefined ? {} : { note: note.slice(0, 1000) }),
			}
		);
	}

	/** Stops without changing the records, so that another process can continue. Waits briefly for responses to running requests. */
	async stop(): Promise<void> {
		this.stopping.abort();
		const { local, clock } = this.dependencies;
		const settled = Promise.allSettled([...this.jobs.values()].map(({ done }) => done));
		const moment = new Promise<void>(resolve => {
			const timer = clock.setTimer(stopMs, resolve);
			void settled.then(() => timer.dispose());
		});
		await Promise.all([local.stop(), Promise.race([settled, moment])]);
	}

	/** Whether no process works on a video any more. */
	private isAbandoned({ id, owner, createdAt, aliveAt = createdAt }: EngineRecord): boolean {
		if (this.jobs.has(id) || this.stopping.signal.aborted) {
			return false;
		}
		return hasEnded(owner) || this.dependencies.clock.now() - aliveAt > abandonedAfterMs;
	}

	private start(record: EngineRecord): void {
		const { log, store } = this.dependencies;
		const job = new EngineJob(this.dependencies, record);
		const work = async (): Promise<void> => {
			try {
				const latest = await store.read(record.id, this.dependencies.clock.now());
				if (!latest?.outcome) {
					await job.run(this.stopping.signal);
				}
			} catch (error) {
				if (!isAbortError(error)) {
					log.error("A generation was lost", { reason: toError(error).message });
				}
			} finally {
				this.jobs.delete(record.id);
			}
		};
		// Registered before it starts, so that a simultaneous lookup doesn't start it twice.
		this.jobs.set(record.id, { job, done: Promise.resolve().then(work) });
	}
}

function isEngineRecord(record: GenerationRecord): record is EngineRecord {
	return record.engine !== undefined;
}

function workOf(
	request: GenerationRequest,
	{ baseUrl, model, durations, motionPhrases }: VideoEngineSetup,
	kind: RemoteEngineKind,
): EngineWork {
	const { duration = defaultOptions.duration, motion_strength: motion } = request.params;
	const phrase = motionPhrase(motion ?? defaultOptions.motionStrength, motionPhrases);
	const prompt = request.type === "text-to-video" ? request.params.prompt : "";
	return {
		kind,
		baseUrl,
		model,
		prompt: promptToSend(prompt, phrase),
		seconds: secondsToAsk(duration, durations),
		mark: randomUUID(),
		seed: randomInt(2 ** 31),
	};
}
