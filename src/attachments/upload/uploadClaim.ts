import { dirname } from "node:path";
import { type Clock, delay } from "../../common/async.ts";
import {
	currentHolder,
	isDead,
	keepLease,
	type LeaseHolder,
	type LeasePlace,
	nodeFileSystem,
	silenceOf,
	takeLease,
} from "../../storage/index.ts";

/** How often a claim that is held says so, in milliseconds. */
const renewMs = 5_000;

/** After how long without such a word a claim is that of a window that crashed, in milliseconds. */
const staleMs = 20_000;

/** How often a claim of another window is looked at, in milliseconds. */
const lookMs = 300;

/** How a claim is made. */
export interface ClaimOptions {
	readonly clock: Clock;
	readonly signal: AbortSignal;
	/** Hears that another window has it, before the wait for that window begins. */
	readonly onWait: () => void;
}

/**
 * Runs `task` while no other window runs one under the same path, which becomes a file meanwhile; its folder is created. Waits
 * for another window, at most 20 seconds for one that crashed. A disk that refuses the file keeps nobody from the task. Throws
 * what the task throws, and `AbortError`.
 */
export async function whileClaimed<T>(
	path: string,
	{ clock, signal, onWait }: ClaimOptions,
	task: () => Promise<T>,
): Promise<T> {
	const place: LeasePlace = { files: nodeFileSystem, path, clock };
	const holder = currentHolder();
	for (let isFirst = true; !(await claim(place, holder)); isFirst = false) {
		if (isFirst) {
			onWait();
		}
		await delay(lookMs, signal, clock);
	}
	const lease = keepLease(place, holder, renewMs);
	try {
		return await task();
	} finally {
		await lease.release();
	}
}

/** Whether the claim is this window's now, or cannot be anybody's. */
async function claim(place: LeasePlace, holder: LeaseHolder): Promise<boolean> {
	try {
		await place.files.makeFolder(dirname(place.path));
		return await takeLease(
			place,
			holder,
			found => isDead(found) || silenceOf(found, place.clock) > staleMs,
		);
	} catch {
		// A disk that refuses costs at most one upload more.
		return true;
	}
}
