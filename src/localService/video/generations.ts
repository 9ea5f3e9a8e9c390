import { randomBytes } from "node:crypto";
import { type Clock, every, throwIfAborted } from "../../common/async.ts";
import { isAbortError, toError } from "../../common/errors.ts";
import type { Log } from "../../common/log.ts";
import { isRunning, machineName, HttpFailure } from "../base/index.ts";
import type { ClipJob } from "./clipJob.ts";
import type {
	GenerationOutcome,
	GenerationOwner,
	GenerationRecord,
	GenerationRequest,
} from "./generationRecord.ts";
import { createGenerationStore, type GenerationStore } from "./generationStore.ts";
import { type FetchImage, ImageFetchError } from "./imageFetch.ts";
import type { RenderClip } from "./renderThread.ts";

/** Dependencies of generations. */
export interface GenerationsDependencies {
	/** Folder for records and clips; outlives the service and may be shared with others of this user. */
	readonly folder: string;
	readonly render: RenderClip;
	readonly fetchImage: FetchImage;
	readonly clock: Clock;
	readonly log: Log;
	/** Clips rendered at once. */
	readonly concurrency: number;
	/** Generations that may wait behind them; 429 beyond. */
	readonly maxWaiting: number;
}

/** The service's video jobs. */
export interface Generations {
	/** Records a job and queues it; returns its id, 128 random bits. Throws `HttpFailure` 429 when too many wait. */
	create(request: GenerationRequest): Promise<string>;
	/**
	 * Reads a job. One whose service is gone, as after a restart or a reload, is taken over and rendered here: the same
	 * request always gives the same clip.
	 */
	find(id: string): Promise<GenerationRecord | undefined>;
	/** Where the clip of a complete job is. */
	clipPath(id: string): string;
	/** Ends all rendering; what is unfinished can be taken over. */
	stop(): Promise<void>;
}

const sweepEveryMs = 60 * 60 * 1000;
/** A job that another machine or a recycled process id seems to hold is taken over after this long. */
const abandonedAfterMs = 10 * 60 * 1000;
/** Used where a request leaves them out; the interface shows no defaults (§4.1). */
const defaults = { duration: 2, motionStrength: 3 } as const;

interface Queue {
	readonly shelf: GenerationStore;
	readonly options: GenerationsDependencies;
	readonly owner: GenerationOwner;
	readonly stopping: AbortController;
	/** Includes jobs on their way to disk, so that the bound holds for requests at the same time. */
	waitingCount: number;
	readonly waiting: GenerationRecord[];
	readonly active: Map<string, Promise<void>>;
}

/** Opens the folder, removes what is over a day old, and begins no work by itself. */
export function createGenerations(dependencies: GenerationsDependencies): Generations {
	const newPartName = (): string => randomBytes(4).toString("hex");
	const queue: Queue = {
		shelf: createGenerationStore(dependencies.folder, newPartName),
		options: dependencies,
		owner: { machine: machineName(), pid: process.pid, run: randomBytes(8).toString("hex") },
		stopping: new AbortController(),
		waitingCount: 0,
		waiting: [],
		active: new Map(),
	};
	const sweep = (): void => {
		queue.shelf.sweep(dependencies.clock.now()).catch((error: unknown) => {
			dependencies.log.warn("Old videos could not be removed", { reason: toError(error).message });
		});
	};
	sweep();
	const sweeping = every(sweepEveryMs, sweep, dependencies.clock);
	return {
		create: request => create(queue, request),
		find: id => find(queue, id),
		clipPath: id => queue.shelf.clipPath(id),
		stop: async () => {
			sweeping.dispose();
			queue.stopping.abort();
			queue.waiting.length = 0;
			await Promise.allSettled(queue.active.values());
		},
	};
}

async function create(queue: Queue, request: GenerationRequest): Promise<string> {
	const { clock, maxWaiting, log } = queue.options;
	if (queue.waitingCount >= maxWaiting) {
		throw new HttpFailure(429, "too_many_videos", `${maxWaiting} videos are waiting already.`, {
			"Retry-After": "10",
		});
	}
	queue.waitingCount += 1;
	const id = `gen-${randomBytes(16).toString("base64url")}`;
	const record = { ...request, id, createdAt: clock.now(), owner: queue.owner };
	try {
		await queue.shelf.write(record);
	} catch (error) {
		queue.waitingCount -= 1;
		log.error("A generation could not be recorded", { reason: toError(error).message });
		throw new HttpFailure(507, "cannot_store", "The video's record could not be written to disk.");
	}
	queue.waiting.push(record);
	startNext(queue);
	return id;
}

async function find(queue: Queue, id: string): Promise<GenerationRecord | undefined> {
	const now = queue.options.clock.now();
	const record = await queue.shelf.read(id, now);
	if (record && isAbandoned(queue, record, now)) {
		queue.waitingCount += 1;
		queue.waiting.push({ ...record, owner: queue.owner });
		startNext(queue);
	}
	return record;
}

/** Whether nobody is working on an unfinished job any more and there is room to do it here. */
function isAbandoned(queue: Queue, record: GenerationRecord, now: number): boolean {
	const isHere = queue.active.has(record.id) || queue.waiting.some(({ id }) => id === record.id);
	if (record.outcome || isHere || queue.stopping.signal.aborted) {
		return false;
	}
	const { machine, pid } = record.owner;
	const isOwnerGone =
		machine === queue.owner.machine && (pid === queue.owner.pid || !isRunning(pid));
	const hasRoom = queue.waitingCount < queue.options.maxWaiting;
	return hasRoom && (isOwnerGone || now - record.createdAt > abandonedAfterMs);
}

function startNext(queue: Queue): void {
	while (queue.active.size < queue.options.concurrency && !queue.stopping.signal.aborted) {
		const record = queue.waiting.shift();
		if (!record) {
			return;
		}
		queue.waitingCount -= 1;
		const done = work(queue, record).finally(() => {
			queue.active.delete(record.id);
			startNext(queue);
		});
		queue.active.set(record.id, done);
	}
}

/** Renders one job and records how it ended; never rejects. A stopped one is left as it is, for whoever takes it over. */
async function work(queue: Queue, record: GenerationRecord): Promise<void> {
	const { clock, log } = queue.options;
	const startedAt = clock.monotonic();
	try {
		const latest = await queue.shelf.read(record.id, clock.now());
		if (latest?.outcome) {
			// It ended while its record was read to be taken over.
			return;
		}
		// Written again, so that others see who works on a job that was taken over.
		await queue.shelf.write({ ...record, owner: queue.owner });
		const outcome = await outcomeOf(queue, record);
		await queue.shelf.write({ ...record, owner: queue.owner, outcome });
		const ms = Math.round(clock.monotonic() - startedAt);
		log.info("Generation ended", { type: record.type, status: outcome.status, ms });
	} catch (error) {
		if (!isAbortError(error)) {
			log.error("A generation was lost", { reason: toError(error).message });
		}
	}
}

async function outcomeOf(queue: Queue, record: GenerationRecord): Promise<GenerationOutcome> {
	const { render, log } = queue.options;
	const { signal } = queue.stopping;
	try {
		const job = await jobOf(queue, record);
		throwIfAborted(signal);
		const result = await render(job, signal);
		return result.type === "clip"
			? await queue.shelf.writeClip(record.id, result.bytes)
			: { status: "failed", message: result.message };
	} catch (error) {
		if (isAbortError(error) || signal.aborted) {
			throw error;
		}
		if (error instanceof ImageFetchError) {
			return { status: "failed", message: error.message };
		}
		log.error("Rendering failed", { reason: toError(error).stack ?? toError(error).message });
		return {
			status: "failed",
			message: "The local service could not make this video. Its log says why.",
		};
	}
}

async function jobOf(queue: Queue, record: GenerationRecord): Promise<ClipJob> {
	const { duration = defaults.duration, motion_strength = defaults.motionStrength } = record.params;
	const timing = { duration, motionStrength: motion_strength };
	if (record.type === "text-to-video") {
		return { type: "text", prompt: record.params.prompt, ...timing };
	}
	const source = record.params.image_url;
	const bytes = await queue.options.fetchImage(source, queue.stopping.signal);
	return { type: "image", bytes, source, ...timing };
}
