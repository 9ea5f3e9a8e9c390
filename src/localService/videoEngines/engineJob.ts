import { rm } from "node:fs/promises";
import { type Clock, delay, throwIfAborted } from "../../common/async.ts";
import { isAbortError, toError } from "../../common/errors.ts";
import type { Log } from "../../common/log.ts";
import type { VideoDetail } from "../../client/contract/schemas.ts";
import { defaultOptions } from "../video/assets.ts";
import type { EngineWork, GenerationOutcome, GenerationRecord } from "../video/generationRecord.ts";
import { type FetchImage, PublicFetchError } from "../base/publicFetch.ts";
import type { GenerationStore } from "../video/generationStore.ts";
import { EngineFailure } from "./engineServer.ts";
import { clipKind, type TrimClip } from "./trim/trimThread.ts";
import type {
	EngineOrder,
	RemoteState,
	RemoteVideo,
	VideoEngine,
	AcceptedOrder,
} from "./videoEngine.ts";
import { noRepeats, planRepeat } from "../../client/request/retry.ts";
import { ServiceError } from "../../client/contract/serviceError.ts";

export interface EngineJobDependencies {
	readonly store: GenerationStore;
	/** Returns the engine with the current settings, so that a new key applies from the next request on. */
	readonly engineOf: (work: EngineWork) => VideoEngine;
	readonly fetchImage: FetchImage;
	readonly trim: TrimClip;
	readonly clock: Clock;
	readonly log: Log;
}

/** Record of a video made by a server. */
export type EngineRecord = GenerationRecord & { readonly engine: EngineWork };

type Stage = NonNullable<VideoDetail["stage"]>;

const firstPauseMs = 1_000;
const maxPauseMs = 10_000;
/** The longest pause after failed status requests. */
const maxFailedPauseMs = 60_000;
/** The most responses that a video doesn't exist, because a server may need a moment to register it. */
const maxGoneAnswers = 5;
/** Consecutive rejected status requests after which the video fails. A rejected key doesn't count, because it may be replaced. */
const maxRefusals = 10;
const maxDownloads = 6;
/** How often a waiting job records that its owner lives, in milliseconds. */
const signOfLifeMs = 5 * 60_000;
const lifetimeMs = 24 * 60 * 60 * 1000;
/** Milliseconds after a lost response at which to look for the video. */
const recoveryPausesMs = [500, 3_000] as const;

/**
 * Creates one video, from any point at which an earlier process stopped. Invariant: only the process that claims the right sends the request, and it
 * can be claimed once (`GenerationStore.claimSending`). All else is free and can be repeated.
 */
export class EngineJob {
	private readonly dependencies: EngineJobDependencies;
	private record: EngineRecord;
	private stage: Stage = "preparing";
	private share: number | undefined;
	private trouble: string | undefined;

	constructor(dependencies: EngineJobDependencies, record: EngineRecord) {
		this.dependencies = dependencies;
		this.record = record;
	}

	detail(name: string): VideoDetail {
		const { cost, note } = this.record.engine;
		const told = this.trouble ?? note;
		return {
			engine: name,
			stage: this.stage,
			share: this.share,
			cost,
			...(told === undefined ? {} : { note: told.slice(0, 1000) }),
		};
	}

	/** Runs until the video is downloaded or has failed, and records the outcome. Rejects only with `AbortError`, without changing the record. */
	async run(signal: AbortSignal): Promise<void> {
		const { log, store } = this.dependencies;
		let outcome: GenerationOutcome;
		try {
			outcome = await this.outcome(signal);
		} catch (error) {
			if (isAbortError(error) || signal.aborted) {
				throw error;
			}
			const isKnown = error instanceof EngineFailure || error instanceof PublicFetchError;
			if (!isKnown) {
				log.error("A video failed", { reason: toError(error).stack ?? toError(error).message });
			}
			const message = isKnown
				? error.message
				: "The local service could not get this video. Its log says why.";
			outcome = { status: "failed", message };
		}
		this.record = { ...this.record, outcome };
		await store.write(this.record);
		log.info("Generation ended", { type: this.record.type, status: outcome.status });
	}

	private async outcome(signal: AbortSignal): Promise<GenerationOutcome> {
		const { engine } = this.record;
		const remote =
			engine.remote ??
			(engine.sentAt === undefined ? await this.order(signal) : await this.recover(signal));
		const { addresses } = await this.untilReady(remote, signal);
		return await this.fetch(addresses, signal);
	}

	/** Sends the request unless that has been done. Writes the server's id to disk before anything else. */
	private async order(signal: AbortSignal): Promise<RemoteVideo> {
		const { store, clock, engineOf } = this.dependencies;
		const image = await this.loadImage(signal);
		throwIfAborted(signal);
		if (!(await store.claimSending(this.record.id))) {
			const latest = await store.read(this.record.id, clock.now());
			return latest?.engine?.remote ?? (await this.recover(signal));
		}
		this.stage = "sending";
		await this.keep({ sentAt: clock.now() });
		const order: EngineOrder = { work: this.record.engine, image };
		try {
			const taken = await sendOnce(engineOf(this.record.engine), order, clock, signal);
			await this.keep(taken);
			return taken.remote;
		} catch (error) {
			const isUnknown = error instanceof EngineFailure && error.charge === "unknown";
			return isUnknown ? await this.recover(signal, error.message) : Promise.reject(error);
		}
	}

	private async loadImage(signal: AbortSignal): Promise<EngineOrder["image"]> {
		if (this.record.type !== "image-to-video") {
			return undefined;
		}
		const url = this.record.params.image_url;
		return { url, bytes: await this.dependencies.fetchImage(url, signal) };
	}

	/** Looks for a video whose response was lost. Never sends the request again. */
	private async recover(
		signal: AbortSignal,
		reason = "Cutaway closed before the answer came.",
	): Promise<RemoteVideo> {
		const { clock, engineOf, log } = this.dependencies;
		for (const pause of recoveryPausesMs) {
			await delay(pause, signal, clock);
			try {
				const { engine, createdAt } = this.record;
				const work = { ...engine, sentAt: engine.sentAt ?? createdAt };
				const found = await engineOf(engine).recover?.(work, signal);
				if (found) {
					await this.keep({ remote: found });
					return found;
				}
			} catch (error) {
				if (isAbortError(error)) {
					throw error;
				}
				log.warn("A video could not be looked for", { reason: toError(error).message });
			}
		}
		throw new EngineFailure(
			`${reason} The request may have been accepted, and charged. It won't be sent again automatically.`,
			{ charge: "unknown" },
		);
	}

	private async untilReady(
		remote: RemoteVideo,
		signal: AbortSignal,
	): Promise<Extract<RemoteState, { type: "ready" }>> {
		this.stage = "queued";
		const waker = new Waker();
		const following = this.follow(remote, waker);
		try {
			let gone = 0;
			for (let round = 0; ; round += 1) {
				const state = await this.look(remote, signal);
				gone = state.type === "gone" ? gone + 1 : 0;
				if (state.type === "ready") {
					await this.keep(state.cost === undefined ? {} : { cost: state.cost });
					return state;
				}
				this.checkEnd(state, gone, remote);
				await waker.wait(
					Math.min(maxPauseMs, firstPauseMs * 1.3 ** round),
					signal,
					this.dependencies.clock,
				);
			}
		} finally {
			following?.dispose();
		}
	}

	private checkEnd(state: RemoteState, gone: number, { id }: RemoteVideo): void {
		const { server } = this.dependencies.engineOf(this.record.engine);
		const { name } = server;
		if (state.type === "failed") {
			const words = server.withoutKey(state.words);
			throw new EngineFailure(`${name} failed to make the video: ${words}`, { charge: "refused" });
		}
		if (gone >= maxGoneAnswers) {
			const message = `${name} does not know this video any more (${id}).`;
			throw new EngineFailure(message, { charge: "refused" });
		}
		if (this.dependencies.clock.now() - this.record.createdAt > lifetimeMs) {
			throw new EngineFailure(`${name} didn't make the video within a day (${id}).`, {
				charge: "unknown",
			});
		}
		if (state.type === "working") {
			this.stage = state.isQueued ? "queued" : "generating";
			this.share = state.share ?? (state.isQueued ? undefined : this.share);
		}
	}

	private follow(
		remote: RemoteVideo,
		waker: Waker,
	): ReturnType<NonNullable<VideoEngine["follow"]>> | undefined {
		const work = { ...this.record.engine, remote };
		return this.dependencies.engineOf(work).follow?.(
			work,
			share => {
				this.stage = "generating";
				this.share = share;
			},
			() => waker.wake(),
		);
	}

	/** Requests the status until there is a response. Waits out temporary failures and rejected keys. */
	private async look(remote: RemoteVideo, signal: AbortSignal): Promise<RemoteState> {
		const { clock, engineOf } = this.dependencies;
		let refusals = 0;
		for (let failures = 0; ; failures += 1) {
			if (clock.now() - (this.record.aliveAt ?? this.record.createdAt) > signOfLifeMs) {
				await this.keep({});
			}
			try {
				const work = { ...this.record.engine, remote };
				const state = await engineOf(work).fetchStatus(work, signal);
				this.trouble = undefined;
				return state;
			} catch (error) {
				if (!(error instanceof EngineFailure)) {
					throw error;
				}
				const mayPass = error.isPassing || error.status === 401 || error.status === 403;
				refusals += mayPass ? 0 : 1;
				if (refusals >= maxRefusals || clock.now() - this.record.createdAt > lifetimeMs) {
					throw error;
				}
				this.trouble = error.message;
				const pause = Math.min(maxFailedPauseMs, firstPauseMs * 2 ** failures);
				await delay(
					Math.max(pause, Math.min(error.retryAfterMs ?? 0, maxFailedPauseMs)),
					signal,
					clock,
				);
			}
		}
	}

	/** Downloads the file and trims it to the requested length. */
	private async fetch(
		addresses: readonly string[],
		signal: AbortSignal,
	): Promise<GenerationOutcome> {
		this.stage = "downloading";
		this.share = undefined;
		const file = await this.dependencies.store.partPath(this.record.id);
		try {
			await this.load(addresses, file, signal);
			this.trouble = undefined;
			return await this.finish(file, signal);
		} finally {
			await rm(file, { force: true });
		}
	}

	/** Downloads the file from the first URL that works, with retries if they may help. */
	private async load(
		addresses: readonly string[],
		file: string,
		signal: AbortSignal,
	): Promise<void> {
		const { clock } = this.dependencies;
		for (let attempt = 1; ; attempt += 1) {
			// Other windows take over a video without a sign of life.
			await this.keep({});
			const failure = await this.download(addresses, file, signal);
			if (!failure) {
				return;
			}
			if (!failure.isPassing || attempt >= maxDownloads) {
				const id = this.record.engine.remote?.id ?? "";
				const message = `The video was made, but could not be loaded. ${failure.message} Its id there is ${id}.`;
				throw new EngineFailure(message, { charge: "unknown" });
			}
			this.trouble = failure.message;
			const pause = Math.max(failure.retryAfterMs ?? 0, firstPauseMs * 2 ** attempt);
			await delay(Math.min(pause, maxFailedPauseMs), signal, clock);
		}
	}

	/** Returns undefined once the file is a video, or the first failure, preferably one that may pass. */
	private async download(
		addresses: readonly string[],
		file: string,
		signal: AbortSignal,
	): Promise<EngineFailure | undefined> {
		const { server } = this.dependencies.engineOf(this.record.engine);
		let first: EngineFailure | undefined;
		for (const address of addresses) {
			try {
				const onProgress = (share: number): void => {
					this.share = share;
				};
				const { contentType, size } = await server.download(address, file, signal, onProgress);
				if (size > 0 && (await clipKind(file)) !== undefined) {
					return undefined;
				}
				const what = size === 0 ? "an empty file" : `no video (${contentType || "no type"})`;
				throw new EngineFailure(`${server.name} sent ${what}.`, {
					charge: "refused",
					isPassing: true,
				});
			} catch (error) {
				if (!(error instanceof EngineFailure)) {
					throw error;
				}
				first = !first || (error.isPassing && !first.isPassing) ? error : first;
			}
		}
		return first;
	}

	private async finish(file: string, signal: AbortSignal): Promise<GenerationOutcome> {
		const { store, trim } = this.dependencies;
		const format = (await clipKind(file)) ?? "mp4";
		const seconds = this.record.params.duration ?? defaultOptions.duration;
		this.stage = "trimming";
		const trimmed = await trim({ file, format, seconds }, signal);
		if (trimmed.type === "kept") {
			const note = `The video is as long as the model made it, since ${trimmed.reason}.`;
			this.record = { ...this.record, engine: { ...this.record.engine, note } };
		}
		return await store.takeClip(this.record.id, file, format);
	}

	/** Records the job's progress. If writing fails, continues in memory, because the video may cost money. */
	private async keep(known: Partial<EngineWork>): Promise<void> {
		const { store, log, clock } = this.dependencies;
		const aliveAt = clock.now();
		this.record = { ...this.record, aliveAt, engine: { ...this.record.engine, ...known } };
		try {
			await store.write(this.record);
		} catch (error) {
			const { remote } = this.record.engine;
			const reason = toError(error).message;
			log.error("A video could not be recorded", { remote: remote?.id, reason });
		}
	}
}

/** A delay that can be ended early. */
class Waker {
	private waiting = new AbortController();

	wake(): void {
		this.waiting.abort();
	}

	async wait(ms: number, signal: AbortSignal, clock: Clock): Promise<void> {
		try {
			await delay(ms, AbortSignal.any([signal, this.waiting.signal]), clock);
		} catch (error) {
			throwIfAborted(signal);
			if (!isAbortError(error)) {
				throw error;
			}
		}
		this.waiting = new AbortController();
	}
}

/** Running requests are never aborted, because the response contains the id of a video that may be charged. */
const uncut = new AbortController().signal;

/**
 * Sends an order by the client's rules for paid requests: retries only if nothing was sent, or if the server answered 429. The signal ends the waits,
 * not a running request. Throws the last `EngineFailure`.
 */
export async function sendOnce(
	engine: VideoEngine,
	order: EngineOrder,
	clock: Clock,
	signal: AbortSignal,
): Promise<AcceptedOrder> {
	for (let history = noRepeats; ;) {
		try {
			return await engine.send(order, uncut);
		} catch (error) {
			const failure = error instanceof EngineFailure ? asServiceError(error) : undefined;
			const repeat = failure && planRepeat("paid", failure, history, Math.random);
			if (!repeat) {
				throw error;
			}
			history = repeat.history;
			await delay(repeat.delayMs, signal, clock);
		}
	}
}

function asServiceError({ charge, status, retryAfterMs, isPassing }: EngineFailure): ServiceError {
	const wait = retryAfterMs === undefined ? {} : { retryAfterMs };
	if (status === 429) {
		return new ServiceError("rateLimited", { charge: "refused", status, ...wait });
	}
	return charge === "notSent" && isPassing
		? new ServiceError("unreachable", { charge })
		: new ServiceError("badRequest", { charge });
}
