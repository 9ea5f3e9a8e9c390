import { type Clock, every, throwIfAborted } from "../../common/async.ts";
import { type ClipLooks, plainLooks } from "../../common/clipLooks.ts";
import type { IDisposable } from "../../common/disposable.ts";
import { isAbortError, toError } from "../../common/errors.ts";
import type { Log } from "../../common/log.ts";
import { HttpFailure } from "../base/failureResponse.ts";
import {
	type ClipJob,
	createThreadRenderer,
	defaultOptions,
	type RenderClip,
	type VideoAssets,
} from "./assets.ts";
import {
	type GenerationService,
	type GenerationOutcome,
	type GenerationRecord,
	type GenerationRequest,
	type StoredFormat,
} from "./generationRecord.ts";
import { GenerationStore, hasEnded, newGenerationId, newOwner } from "./generationStore.ts";
import { type FetchImage, PublicFetchError, createImageFetch } from "../base/publicFetch.ts";
import { availableParallelism } from "node:os";

export interface GenerationsDependencies {
	/** Folder of records and clips. Outlives the service and may be shared with others of this user. */
	readonly folder: string;
	readonly render: RenderClip;
	readonly fetchImage: FetchImage;
	/** Returns the appearance of a clip of this prompt; undefined for an image. */
	readonly looks: (prompt: string | undefined) => Promise<ClipLooks>;
	readonly clock: Clock;
	readonly log: Log;
	readonly concurrency: number;
	/** The most generations waiting; 429 beyond. */
	readonly maxWaiting: number;
}

const sweepEveryMs = 60 * 60 * 1000;
/** Age at which an unfinished job is taken over even if its owner seems to run. The owner may be on another machine, or its pid reused. */
const abandonedAfterMs = 10 * 60 * 1000;

/** The service's video jobs in its own renderer. */
export class Generations implements GenerationService {
	private readonly dependencies: GenerationsDependencies;
	private readonly store: GenerationStore;
	private readonly owner = newOwner();
	private readonly stopping = new AbortController();
	private readonly sweeping: IDisposable;
	/** Includes jobs being written to disk, so that the limit also holds for simultaneous requests. */
	private waitingCount = 0;
	private readonly waiting: GenerationRecord[] = [];
	private readonly active = new Map<string, Promise<void>>();

	/** Opens the folder and removes files more than a day old. Starts no work. */
	constructor(dependencies: GenerationsDependencies) {
		this.dependencies = dependencies;
		this.store = new GenerationStore(dependencies.folder);
		this.sweep();
		this.sweeping = every(sweepEveryMs, () => this.sweep(), dependencies.clock);
	}

	/** Records and queues a job. Resolves to its id, 128 random bits. Throws a 429 `HttpFailure` if too many are waiting. */
	async create(request: GenerationRequest): Promise<string> {
		const { clock, maxWaiting, log, looks } = this.dependencies;
		if (this.waitingCount >= maxWaiting) {
			throw new HttpFailure(429, "too_many_videos", `${maxWaiting} videos are waiting already.`, {
				"Retry-After": "10",
			});
		}
		this.waitingCount += 1;
		const id = newGenerationId();
		try {
			const record = {
				...request,
				id,
				createdAt: clock.now(),
				owner: this.owner,
				looks: await looks(request.type === "text-to-video" ? request.params.prompt : undefined),
			};
			await this.store.writeNew(record, log);
			this.waiting.push(record);
		} catch (error) {
			this.waitingCount -= 1;
			throw error;
		}
		this.startNext();
		return id;
	}

	/** Reads a job. If its service has ended, for example after a reload, renders it here: the same request always gives the same clip. */
	async find(id: string): Promise<GenerationRecord | undefined> {
		const now = this.dependencies.clock.now();
		const record = await this.store.read(id, now);
		if (record && this.isAbandoned(record, now)) {
			this.waitingCount += 1;
			this.waiting.push({ ...record, owner: this.owner });
			this.startNext();
		}
		return record;
	}

	clipPath(id: string, format?: StoredFormat): string {
		return this.store.clipPath(id, format);
	}

	details(): undefined {
		return undefined;
	}

	/** Stops all rendering. Another service can take over unfinished jobs. */
	async stop(): Promise<void> {
		this.sweeping.dispose();
		this.stopping.abort();
		this.waiting.length = 0;
		await Promise.allSettled(this.active.values());
	}

	private sweep(): void {
		const { clock, log } = this.dependencies;
		this.store.sweep(clock.now()).catch((error: unknown) => {
			log.warn("Old videos could not be removed", { reason: toError(error).message });
		});
	}

	/** Whether nobody works on an unfinished job any more and there is room for it here. */
	private isAbandoned(record: GenerationRecord, now: number): boolean {
		const isHere = this.active.has(record.id) || this.waiting.some(({ id }) => id === record.id);
		if (record.outcome || isHere || this.stopping.signal.aborted) {
			return false;
		}
		const hasRoom = this.waitingCount < this.dependencies.maxWaiting;
		return hasRoom && (hasEnded(record.owner) || now - record.createdAt > abandonedAfterMs);
	}

	private startNext(): void {
		while (this.active.size < this.dependencies.concurrency && !this.stopping.signal.aborted) {
			const record = this.waiting.shift();
			if (!record) {
				return;
			}
			this.waitingCount -= 1;
			const done = this.work(record).finally(() => {
				this.active.delete(record.id);
				this.startNext();
			});
			this.active.set(record.id, done);
		}
	}

	/** Renders a job and records the outcome. Never rejects. A stopped job is left unchanged, so that it can be taken over. */
	private async work(record: GenerationRecord): Promise<void> {
		const { clock, log } = this.dependencies;
		const startedAt = clock.monotonic();
		try {
			const latest = await this.store.read(record.id, clock.now());
			if (latest?.outcome) {
				// It ended just before this service took it over.
				return;
			}
			// Writes the record again, to register the new owner.
			await this.store.write({ ...record, owner: this.owner });
			const outcome = await this.outcomeOf(record);
			await this.store.write({ ...record, owner: this.owner, outcome });
			const ms = Math.round(clock.monotonic() - startedAt);
			log.info("Generation ended", { type: record.type, status: outcome.status, ms });
		} catch (error) {
			if (!isAbortError(error)) {
				log.error("A generation was lost", { reason: toError(error).message });
			}
		}
	}

	private async outcomeOf(record: GenerationRecord): Promise<GenerationOutcome> {
		const { render, log } = this.dependencies;
		const { signal } = this.stopping;
		try {
			const job = await this.jobOf(record);
			throwIfAborted(signal);
			const result = await render(job, signal);
			return result.type === "clip"
				? await this.store.writeClip(record.id, result.bytes)
				: { status: "failed", message: result.message };
		} catch (error) {
			if (isAbortError(error) || signal.aborted) {
				throw error;
			}
			if (error instanceof PublicFetchError) {
				return { status: "failed", message: error.message };
			}
			log.error("Rendering failed", { reason: toError(error).stack ?? toError(error).message });
			return {
				status: "failed",
				message: "The local service could not make this video. Its log says why.",
			};
		}
	}

	private async jobOf(record: GenerationRecord): Promise<ClipJob> {
		const { duration = defaultOptions.duration, motion_strength = defaultOptions.motionStrength } =
			record.params;
		const { looks = plainLooks } = record;
		const common = { duration, motionStrength: motion_strength, looks: { ...looks } };
		if (record.type === "text-to-video") {
			return { type: "text", prompt: record.params.prompt, ...common };
		}
		const source = record.params.image_url;
		const bytes = await this.dependencies.fetchImage(source, this.stopping.signal);
		return { type: "image", bytes, source, ...common };
	}
}

export interface VideoServiceOptions {
	/** Folder of records and clips, which are kept for a day, also after the service stops. */
	readonly folder: string;
	readonly workerFile: URL | string;
	readonly assets: VideoAssets;
	/** Wraps the local renderer with server engines. */
	readonly withEngines?: (local: GenerationService, clock: Clock, log: Log) => GenerationService;
	/** Returns the appearance of new clips; `plainLooks` by default. */
	readonly looks?: (prompt: string | undefined) => Promise<ClipLooks>;
	/** Replaces the rendering thread in tests. */
	readonly render?: RenderClip;
	/** Replaces the network in tests. */
	readonly fetchImage?: FetchImage;
	/** The most generations waiting; 40 by default, as a storyboard has up to 12 scenes of three parts. */
	readonly maxWaiting?: number;
}

/** Opens the video jobs. Renders one at a time, or two on a machine with four cores or more. */
export function openGenerations(
	options: VideoServiceOptions,
	clock: Clock,
	log: Log,
): GenerationService {
	const { workerFile, assets } = options;
	return new Generations({
		folder: options.folder,
		render: options.render ?? createThreadRenderer({ workerFile, assets, clock }),
		fetchImage: options.fetchImage ?? createImageFetch({ clock }),
		looks: options.looks ?? (async () => plainLooks),
		clock,
		log,
		concurrency: availableParallelism() >= 4 ? 2 : 1,
		maxWaiting: options.maxWaiting ?? 40,
	});
}
