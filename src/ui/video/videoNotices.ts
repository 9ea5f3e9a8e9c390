import { mkdir, open, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod/mini";
import { type Clock, delay } from "../../common/async.ts";
import { toError, systemCode } from "../../common/errors.ts";
import type { Log } from "../../common/log.ts";
import type { StoredValue } from "../base/keptValue.ts";

/** The relevant state of a job. */
interface SeenJob {
	readonly id: string;
	readonly isUnfinished: boolean;
}

const keptSchema = z.array(z.string());

/** Tracks which finished jobs the user hasn't seen. A job counts as unseen if it was first known unfinished. */
export class VideoSeen {
	private readonly memory: StoredValue;
	private readonly waiting: Set<string>;
	private readonly settled = new Set<string>();
	/** Ids of finished jobs that the user hasn't seen. */
	readonly unseen: ReadonlySet<string>;

	/** Reads the stored state. Invalid state is ignored. */
	constructor(memory: StoredValue) {
		this.memory = memory;
		const kept = z.safeParse(keptSchema, memory.get());
		this.waiting = new Set(kept.success ? kept.data : []);
		this.unseen = this.settled;
	}

	/** Updates a job's state; undefined for a removed job. */
	note(id: string, job: SeenJob | undefined): void {
		if (!job) {
			this.forget(id);
		} else if (job.isUnfinished) {
			this.settled.delete(id);
			if (!this.waiting.has(id)) {
				this.waiting.add(id);
				this.keep();
			}
		} else if (this.waiting.has(id)) {
			this.settled.add(id);
		}
	}

	/** Marks a job as seen. Has an effect only once it is finished. */
	markSeen(id: string): void {
		if (this.settled.has(id)) {
			this.forget(id);
		}
	}

	private keep(): void {
		this.memory.set([...this.waiting]);
	}

	private forget(id: string): void {
		this.settled.delete(id);
		if (this.waiting.delete(id)) {
			this.keep();
		}
	}
}

/** Delay before an unfocused window may notify, in milliseconds. */
const politeMs = 1500;

/** Returns the name of an ending, which is also a file name. A job ends once per submission and period of tracking. */
export function endingOf(job: {
	readonly id: string;
	readonly submissions: number;
	readonly watch: { readonly round: number };
	readonly state: { readonly name: string };
}): string {
	return `${job.id}.${job.submissions}.${job.watch.round}.${job.state.name}`;
}

/**
 * Chooses where to report an ending: in the preview or card if visible; otherwise, for a clip in the focused window, in its preview, which is opened,
 * or in the status bar while others are in progress; otherwise in a notification. The user's own actions aren't reported. A visible window behind
 * another one leaves it to that one.
 */
export function tellerOf(place: {
	readonly isOwnDoing: boolean;
	readonly isReady: boolean;
	readonly hasOthers: boolean;
	readonly isFocused: boolean;
	readonly isPreviewInSight: boolean;
	readonly isCardInSight: boolean;
}): {
	readonly teller: "preview" | "card" | "opening" | "statusBar" | "notification" | "nobody";
	readonly isSeen: boolean;
} {
	const { isOwnDoing, isReady, hasOthers, isFocused, isPreviewInSight, isCardInSight } = place;
	if (isOwnDoing) {
		return { teller: "nobody", isSeen: true };
	}
	if (!isPreviewInSight && !isCardInSight) {
		const teller = !isReady || !isFocused ? "notification" : hasOthers ? "statusBar" : "opening";
		return { teller, isSeen: false };
	}
	const inSight = isPreviewInSight ? "preview" : "card";
	return isFocused ? { teller: inSight, isSeen: true } : { teller: "nobody", isSeen: false };
}

export interface NoticeClaimsDependencies {
	/** Absolute path of the folder shared by all windows. Created on first use. */
	readonly folder: string;
	readonly isFocused: () => boolean;
	readonly clock: Clock;
	readonly log: Log;
}

/** Shows each notification in one window only, with files that only one process can create. */
export class NoticeClaims {
	private readonly dependencies: NoticeClaimsDependencies;

	constructor(dependencies: NoticeClaimsDependencies) {
		this.dependencies = dependencies;
	}

	/** Returns true for the single caller in any window that should notify. */
	async claim(ending: string): Promise<boolean> {
		const { folder, isFocused, clock, log } = this.dependencies;
		if (!isFocused()) {
			await delay(politeMs, undefined, clock);
		}
		try {
			await mkdir(folder, { recursive: true });
			await (await open(join(folder, ending), "wx")).close();
			return true;
		} catch (error) {
			if (isExisting(error)) {
				return false;
			}
			// If the lock can't be created, notify anyway.
			log.warn("A notice could not be claimed", { error: toError(error).message });
			return true;
		}
	}

	/** Removes the files of jobs other than these. */
	async tidy(jobIds: ReadonlySet<string>): Promise<void> {
		const { folder } = this.dependencies;
		const names = await readdir(folder).catch(() => []);
		const stale = names.filter(name => !jobIds.has(name.split(".")[0] ?? ""));
		await Promise.all(stale.map(name => rm(join(folder, name), { force: true })));
	}
}

function isExisting(error: unknown): boolean {
	return systemCode(error) === "EEXIST";
}
