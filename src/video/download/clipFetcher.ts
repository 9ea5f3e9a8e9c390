import { type Clock, Limiter } from "../../common/async.ts";
import { AbortError, isAbortError, systemCode } from "../../common/errors.ts";
import { Account, type AccountDependencies, keyNeededReason } from "../job/account.ts";
import type { DownloadEnding } from "../job/jobTransitions.ts";
import { videoFailureOf, type ClipTarget, type VideoJob } from "../job/videoJob.ts";
import type { Resolve } from "./clipAddress.ts";
import { discardParts, findNamed } from "./clipFile.ts";
import type { JobTable } from "../store/jobTable.ts";
import type { JobOwners } from "../store/jobOwners.ts";
import { downloadClip } from "./videoDownload.ts";
import { clipBaseName } from "./videoFileName.ts";

export interface ClipFetcherDependencies {
	readonly table: JobTable;
	readonly owners: JobOwners;
	readonly accounts: AccountDependencies;
	readonly folder: () => string;
	readonly maxBytes: number;
	readonly clock: Clock;
	readonly random: () => number;
	readonly resolve?: Resolve | undefined;
	readonly freeBytes?: ((folder: string) => Promise<number>) | undefined;
}

const downloadsAtOnce = 2;

/** Intervals for reporting progress in this window and to the other windows, in milliseconds. */
const tellMs = 200;
const recordMs = 2_000;

/** Downloads finished clips, at most two at once. */
export class ClipFetcher {
	private readonly dependencies: ClipFetcherDependencies;
	private readonly downloads = new Limiter(downloadsAtOnce);

	constructor(dependencies: ClipFetcherDependencies) {
		this.dependencies = dependencies;
	}

	/**
	 * Downloads a job's clip. Calls `refresh` once for a new address if the first has expired. Resolves to undefined if there is none or the job is no
	 * longer ready for it. Throws only `AbortError`.
	 */
	fetch(
		job: VideoJob,
		address: string,
		signal: AbortSignal,
		refresh: () => Promise<string | undefined>,
	): Promise<DownloadEnding | undefined> {
		return this.downloads.run(
			() => fetchClip(this.dependencies, job, { address, signal, refresh }),
			signal,
		);
	}

	async settle(job: VideoJob, ending: DownloadEnding): Promise<void> {
		const { round } = job.watch;
		await this.dependencies.table.apply(job.id, { type: "downloadEnded", round, ending });
	}
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
	// Stops the download if another window takes over the job meanwhile.
	const lost = new AbortController();
	const download = async (from: string): Promise<DownloadEnding> => {
		const target = await targetOf(dependencies, job);
		const account = new Account(dependencies.accounts, job.endpoint, job.keyMark);
		const connection = await account.connection();
		const progress = new DownloadProgress(dependencies, job, lost);
		return await downloadClip({
			address: from,
			connection,
			jobId: job.id,
			target,
			baseName: clipBaseName(job),
			onNamed: named => noteTarget(dependencies, job, named),
			maxBytes: job.ignoresSizeLimit ? Number.MAX_SAFE_INTEGER : dependencies.maxBytes,
			clock: dependencies.clock,
			random: dependencies.random,
			signal: AbortSignal.any([signal, lost.signal]),
			onProgress: (received, total) => progress.report(received, total),
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

/** The folder may be missing or not writable; the key may have been removed meanwhile. */
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

/** Returns the configured folder, or the earlier one if the clip already has its name there. */
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

/** Throws `AbortError` if the job no longer belongs to this window. */
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

/** Reports a download's progress, to this window more often than to disk. Aborts `lost` once another window has taken over the job. */
class DownloadProgress {
	private readonly dependencies: ClipFetcherDependencies;
	private readonly job: VideoJob;
	private readonly lost: AbortController;
	private toldAt = Number.NEGATIVE_INFINITY;
	private recordedAt: number;

	constructor(dependencies: ClipFetcherDependencies, job: VideoJob, lost: AbortController) {
		this.dependencies = dependencies;
		this.job = job;
		this.lost = lost;
		this.recordedAt = dependencies.clock.monotonic();
	}

	report(received: number, total: number | undefined): void {
		const { table, owners, clock } = this.dependencies;
		const { id, watch } = this.job;
		const now = clock.monotonic();
		const event = { type: "downloadProgressed", round: watch.round, received, total } as const;
		if (now - this.toldAt >= tellMs) {
			this.toldAt = now;
			table.applyHere(id, event);
		}
		if (now - this.recordedAt >= recordMs) {
			this.recordedAt = now;
			void table.apply(id, event).then(job => {
				if (!job || !owners.isOurs(job)) {
					this.lost.abort();
				}
			});
		}
	}
}
