import type { Clock } from "../../common/async.ts";
import { AbortError, isAbortError } from "../../common/errors.ts";
import { createLimiter } from "../../common/limiter.ts";
import {
	type AccountDependencies,
	keyNeededReason,
	openAccount,
	type DownloadEnding,
	videoFailureOf,
	type ClipTarget,
	type VideoJob,
} from "../job/index.ts";
import { systemCode } from "../../storage/index.ts";
import type { Resolve } from "./clipAddress.ts";
import { discardParts, findNamed } from "./clipFile.ts";
import type { JobTable, PollRight } from "../store/index.ts";
import { type ClipDownload, downloadClip } from "./videoDownload.ts";
import { clipBaseName } from "./videoFileName.ts";

/** Fetches finished clips for the poller. */
export interface ClipFetcher {
	/**
	 * Fetches a job's clip; asks `refresh` once for another address when the first is no longer good (row J13). Undefined when
	 * the job turned out not to be ready for it. Throws `AbortError` alone.
	 */
	fetch(
		job: VideoJob,
		address: string,
		signal: AbortSignal,
		refresh: () => Promise<string | undefined>,
	): Promise<DownloadEnding | undefined>;
	/** Records how a download ended. */
	settle(job: VideoJob, ending: DownloadEnding): Promise<void>;
}

/** Dependencies of a fetcher. */
export interface ClipFetcherDependencies {
	readonly table: JobTable;
	readonly right: PollRight;
	readonly accounts: AccountDependencies;
	readonly folder: () => string;
	readonly maxBytes: number;
	readonly clock: Clock;
	readonly random: () => number;
	readonly resolve?: Resolve | undefined;
	readonly freeBytes?: ((folder: string) => Promise<number>) | undefined;
}

const downloadsAtOnce = 2;

/** How often progress is told here, and how often to the other windows, in milliseconds. */
const tellMs = 200;
const recordMs = 2_000;

/** Makes a fetcher; at most two clips are fetched at once. */
export function createClipFetcher(dependencies: ClipFetcherDependencies): ClipFetcher {
	const downloads = createLimiter(downloadsAtOnce);
	return {
		fetch: (job, address, signal, refresh) =>
			downloads(() => fetchClip(dependencies, job, { address, signal, refresh }), signal),
		settle: async (job, ending) => {
			const { round } = job.watch;
			await dependencies.table.apply(job.id, { type: "downloadEnded", round, ending });
		},
	};
}

interface Fetch {
	readonly address: string;
	readonly signal: AbortSignal;
	readonly refresh: () => Promise<string | undefined>;
}

async function fetchClip(
	dependencies: ClipFetcherDependencies,
	job: VideoJob,
	{ address, signal, refresh }: Fetch,
): Promise<DownloadEnding | undefined> {
	// A download that lost the lease while it ran must not go on beside another window's.
	const lost = new AbortController();
	const download = async (from: string): Promise<DownloadEnding> => {
		const target = await targetOf(dependencies, job);
		const { connection } = openAccount(dependencies.accounts, job.endpoint, job.keyMark);
		return await downloadClip({
			address: from,
			connection: await connection(),
			jobId: job.id,
			target,
			baseName: clipBaseName(job.request, job.createdAt),
			onNamed: named => noteTarget(dependencies, job, named),
			maxBytes: job.ignoresSizeLimit ? Number.MAX_SAFE_INTEGER : dependencies.maxBytes,
			clock: dependencies.clock,
			random: dependencies.random,
			signal: AbortSignal.any([signal, lost.signal]),
			onProgress: progressOf(dependencies, job, lost),
			resolve: dependencies.resolve,
			freeBytes: dependencies.freeBytes,
		});
	};
	try {
		const ending = await download(address);
		if (ending.name !== "linkExpired") {
			return ending;
		}
		const fresh = await refresh();
		return fresh === undefined ? undefined : await download(fresh);
	} catch (error) {
		return await endingOf(dependencies, job, error);
	}
}

/** The folder may be missing or refuse; the key may have gone meanwhile. */
async function endingOf(
	dependencies: ClipFetcherDependencies,
	job: VideoJob,
	error: unknown,
): Promise<DownloadEnding | undefined> {
	if (isAbortError(error)) {
		throw new AbortError();
	}
	const reason = keyNeededReason(error);
	if (reason) {
		await dependencies.table.apply(job.id, { type: "keyNeeded", round: job.watch.round, reason });
		return undefined;
	}
	const code = systemCode(error);
	return code === ""
		? { name: "downloadFailed", failure: videoFailureOf(error) }
		: { name: "cannotSave", code, folder: job.target?.folder ?? dependencies.folder() };
}

/** Where the clip goes: the folder of the settings, unless the clip already has its name in an earlier one. */
async function targetOf(dependencies: ClipFetcherDependencies, job: VideoJob): Promise<ClipTarget> {
	const known = dependencies.table.get(job.id)?.target;
	const folder = dependencies.folder();
	if (known && (known.folder === folder || (await findNamed(known, job.id)))) {
		return known;
	}
	if (known) {
		await discardParts([{ id: job.id, folder: known.folder }]);
	}
	const target = { folder };
	await noteTarget(dependencies, job, target);
	return target;
}

/** Throws `AbortError` when the job is not this window's any more. */
async function noteTarget(
	{ table }: ClipFetcherDependencies,
	{ id, watch }: VideoJob,
	target: ClipTarget,
): Promise<void> {
	const noted = await table.apply(id, { type: "targetChosen", round: watch.round, target });
	if (noted?.target !== target) {
		throw new AbortError();
	}
}

function progressOf(
	{ table, right, clock }: ClipFetcherDependencies,
	job: VideoJob,
	lost: AbortController,
): ClipDownload["onProgress"] {
	const { id, watch } = job;
	let toldAt = Number.NEGATIVE_INFINITY;
	let recordedAt = clock.monotonic();
	return (received, total) => {
		const now = clock.monotonic();
		const event = { type: "downloadProgressed", round: watch.round, received, total } as const;
		if (now - toldAt >= tellMs) {
			toldAt = now;
			table.applyHere(id, event);
		}
		if (now - recordedAt >= recordMs) {
			recordedAt = now;
			void table.apply(id, event);
			void right.verify(job).then(isOurs => {
				if (!isOurs) {
					lost.abort();
				}
			});
		}
	};
}
