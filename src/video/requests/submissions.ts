import { randomUUID } from "node:crypto";
import * as l10n from "@vscode/l10n";
import type { Clock } from "../../common/async.ts";
import { toError } from "../../common/errors.ts";
import type { Log } from "../../common/log.ts";
import { Account, type AccountDependencies } from "../job/account.ts";
import {
	promptOf,
	videoFailureOf,
	type Submitter,
	type VideoEndpoint,
	type VideoJob,
} from "../job/videoJob.ts";
import { mayBeRunning } from "../../storage/lease.ts";
import type { JobTable } from "../store/jobTable.ts";
import type { VideoJobStore } from "../store/videoJobStore.ts";
import type { Connection, ServiceClient } from "../../client/contract/serviceClient.ts";

export interface SubmissionsDependencies {
	readonly store: VideoJobStore;
	readonly table: JobTable;
	readonly accounts: AccountDependencies;
	/** The endpoint of a video requested now. */
	readonly endpoint: () => VideoEndpoint;
	readonly holder: Submitter;
	readonly clock: Clock;
	readonly log: Log;
}

/** Upper bound of a request with all its waits. After that, no reply will come. */
const longestSubmitMs = 30 * 60_000;

/** Creates a job id. Later ids sort after earlier ones. */
export function newJobId(now: number): string {
	return `${now.toString(36)}-${randomUUID()}`;
}

/** Sends the requests that may cost money, and detects those that other windows lost. */
export class Submissions {
	private readonly dependencies: SubmissionsDependencies;
	/** Sessions of this program's running requests. */
	private readonly sending = new Set<string>();

	constructor(dependencies: SubmissionsDependencies) {
		this.dependencies = dependencies;
	}

	/** Registers this window as the sender of a job's next request. `send` or `giveUp` must follow. */
	begin(): Submitter {
		const session = randomUUID();
		// Must happen before the record is written, or `findLost` would take the request for that of an ended program.
		this.sending.add(session);
		const { holder, clock } = this.dependencies;
		return { ...holder, window: holder.session, session, since: clock.now() };
	}

	/** Cancels a `begin`. Nothing was or will be sent. */
	giveUp({ session }: Submitter): void {
		this.sending.delete(session);
	}

	/**
	 * Sends a job's request on a click, after recording it. `sent` resolves when the outcome is recorded. Resolves to undefined if the job's state,
	 * which another window may have changed, doesn't allow it. Throws `VideoStoreError`.
	 */
	async again(id: string): Promise<{ readonly sent: Promise<void> } | undefined> {
		const submitter = this.begin();
		try {
			const event = { type: "submitStarted", submitter } as const;
			const { job, isChanged } = await this.dependencies.table.applyOnDisk(id, event);
			if (job && isChanged) {
				return { sent: this.send(job, submitter) };
			}
		} catch (error) {
			this.giveUp(submitter);
			throw error;
		}
		this.giveUp(submitter);
		return undefined;
	}

	/** Sends a job's recorded request and records the outcome. The only place that may cost money. */
	async send(job: VideoJob, submitter: Submitter): Promise<void> {
		const { table, accounts } = this.dependencies;
		const { session } = submitter;
		const connection = async (endpoint: VideoEndpoint): Promise<Connection> => {
			assertSameEngine(endpoint, this.dependencies.endpoint());
			return await accounts.connection(endpoint);
		};
		const account = new Account({ ...accounts, connection }, job.endpoint);
		try {
			const generationId = await createGeneration(account.client, job);
			const keyMark = account.keyMark;
			const kept = await table.apply(job.id, {
				type: "submitted",
				session,
				generationId,
				keyMark,
			});
			if (kept?.generationId !== generationId) {
				await this.keepApart(job, generationId, keyMark);
			}
		} catch (error) {
			const failure = videoFailureOf(error);
			await table.apply(job.id, { type: "submitFailed", session, failure });
		} finally {
			this.sending.delete(session);
		}
	}

	/** Marks requests whose program ended without a reply. */
	async findLost(): Promise<void> {
		const { table } = this.dependencies;
		for (const { id, state, submitter } of table.all()) {
			if (state.name === "submitting" && submitter && this.isLost(submitter)) {
				await table.apply(id, { type: "submitterLost", session: submitter.session });
			}
		}
	}

	/** Stores a reply that came after the job was submitted again or erased as a separate job, because it was paid for. */
	private async keepApart(job: VideoJob, generationId: string, keyMark: string): Promise<void> {
		const { store, table, clock, log } = this.dependencies;
		const apart: VideoJob = {
			...job,
			id: newJobId(clock.now()),
			submissions: 1,
			generationId,
			keyMark,
			state: { name: "inProgress" },
			watch: { watchedMs: 0, round: 0 },
			target: undefined,
			removedAt: undefined,
		};
		try {
			await store.create(apart);
		} catch (error) {
			log.error("A late video could not be kept", { generationId, name: toError(error).name });
		}
		table.add(apart);
	}

	private isLost(submitter: Submitter): boolean {
		const { holder, clock } = this.dependencies;
		const { pid, host, session, since = 0 } = submitter;
		if (this.sending.has(session)) {
			return false;
		}
		const hadOurNumber = host === holder.host && pid === holder.pid;
		const isOld = Math.abs(clock.now() - since) > longestSubmitMs;
		return hadOurNumber || isOld || !mayBeRunning(submitter, clock.now());
	}
}

/** Sends a request once and resolves to the generation's id. docs/interface.md §4.1, §4.2. Throws `ServiceError`. */
async function createGeneration(client: ServiceClient, job: VideoJob): Promise<string> {
	const { request } = job;
	if (request.kind === "storyboard") {
		throw new TypeError("storyboard");
	}
	const options = {
		duration: request.duration,
		motion_strength: request.motionStrength,
	};
	return request.kind === "text"
		? await client.createTextToVideo({ prompt: promptOf(request, job), ...options })
		: await client.createImageToVideo({ image_url: request.imageUrl, ...options });
}

/** Throws if the local service makes videos with another engine than when the job was recorded: that one may charge for them. */
function assertSameEngine(recorded: VideoEndpoint, now: VideoEndpoint): void {
	if (recorded.kind === "local" && now.kind === "local" && recorded.engine !== now.engine) {
		throw new Error(
			l10n.t(
				"Another video engine is chosen now. Choose {0} again, or make a new video.",
				recorded.label,
			),
		);
	}
}
