import * as z from "zod/mini";
import type { KeptValue } from "../base/keptValue.ts";

/** The relevant state of a job. */
export interface SeenJob {
	readonly id: string;
	readonly isUnfinished: boolean;
}

const keptSchema = z.array(z.string());

/** Tracks which finished jobs the user hasn't seen. A job counts as unseen if it was first known unfinished. */
export class VideoSeen {
	private readonly memory: KeptValue;
	private readonly waiting: Set<string>;
	private readonly settled = new Set<string>();
	/** Ids of finished jobs that the user hasn't seen. */
	readonly unseen: ReadonlySet<string>;

	/** Reads the stored state. Invalid state is ignored. */
	constructor(memory: KeptValue) {
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
