import * as z from "zod/mini";

/** Where it is kept which videos wait to be seen: one value, such as a window's workspace state. */
export interface SeenMemory {
	get(): unknown;
	set(value: readonly string[]): void;
}

/** What counts: whether the job is there, and whether something still happens with it. */
export interface SeenJob {
	readonly id: string;
	readonly isUnfinished: boolean;
}

/** Which settled jobs the user has not looked at. A job waits to be seen from when it was first met unfinished. */
export interface VideoSeen {
	/** Ids of jobs that have settled and wait to be seen. */
	readonly unseen: ReadonlySet<string>;
	/** Takes note of a job's state; undefined stands for one that was removed. */
	note(id: string, job: SeenJob | undefined): void;
	/** The user looked at the job; counts only once it has settled. */
	markSeen(id: string): void;
}

const keptSchema = z.array(z.string());

/** Reads what was kept; anything unreadable counts as nothing. */
export function createVideoSeen(memory: SeenMemory): VideoSeen {
	const kept = z.safeParse(keptSchema, memory.get());
	const waiting = new Set(kept.success ? kept.data : []);
	const unseen = new Set<string>();
	const keep = (): void => memory.set([...waiting]);
	const forget = (id: string): void => {
		unseen.delete(id);
		if (waiting.delete(id)) {
			keep();
		}
	};
	return {
		unseen,
		note: (id, job) => {
			if (!job) {
				forget(id);
			} else if (job.isUnfinished) {
				unseen.delete(id);
				if (!waiting.has(id)) {
					waiting.add(id);
					keep();
				}
			} else if (waiting.has(id)) {
				unseen.add(id);
			}
		},
		markSeen: id => {
			if (unseen.has(id)) {
				forget(id);
			}
		},
	};
}
