import * as z from "zod/mini";
import type { KeptValue } from "../base/keptValue.ts";

/** Job as far as it counts: whether the job is there, and whether something still happens with it. */
export interface SeenJob {
	readonly id: string;
	readonly isUnfinished: boolean;
}

const keptSchema = z.array(z.string());

/** Which settled jobs the user has not looked at. A job waits to be seen from when it was first met unfinished. */
export class VideoSeen {
	private readonly memory: KeptValue;
	private readonly waiting: Set<string>;
	private readonly settled = new Set<string>();
	/** Ids of jobs that have settled and wait to be seen. */
	readonly unseen: ReadonlySet<string>;

	/** Reads what was kept; anything unreadable counts as nothing. */
	constructor(memory: KeptValue) {
		this.memory = memory;
		const kept = z.safeParse(keptSchema, memory.get());
		this.waiting = new Set(kept.success ? kept.data : []);
		this.unseen = this.settled;
	}

	/** Takes note of a job's state; undefined stands for one that was removed. */
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

	/** The user looked at the job; counts only once it has settled. */
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
