import type { Clock } from "../common/async.ts";
import type { FileSystem } from "./fileSystem.ts";
import {
	breakingMs,
	currentHolder,
	type FoundLease,
	isDead,
	Lease,
	type LeaseDependencies,
	readLease,
	silenceOf,
	takeLease,
} from "./lease.ts";
import { StoreError } from "./storeError.ts";

/** How often the holder shows that it is alive, and after how long without a sign it is taken for gone. */
const heartbeatMs = 10_000;
const staleAfterMs = 60_000;

/**
 * Takes the right to write a chat, held by one window at a time (L5), also from a holder that has died or given no sign for a
 * minute. Throws `StoreError` `heldElsewhere` when another window holds it, and the system's error when the disk refuses.
 */
export async function acquireWriterLease(
	files: FileSystem,
	path: string,
	clock: Clock,
): Promise<Lease> {
	const dependencies: LeaseDependencies = { files, path, clock };
	const holder = currentHolder();
	if (!(await takeLease(dependencies, holder, found => isGone(found, clock)))) {
		throw new StoreError("heldElsewhere", path);
	}
	return new Lease(dependencies, holder, heartbeatMs);
}

/** Whether a window that lives, as far as can be known, has the lease whose file is `path`. */
export async function isLeaseHeld(files: FileSystem, path: string, clock: Clock): Promise<boolean> {
	const found = await readLease({ files, path, clock });
	return found !== undefined && !isGone(found, clock);
}

function isGone(found: FoundLease, clock: Clock): boolean {
	const limitMs = found.isEmpty ? breakingMs : staleAfterMs;
	return isDead(found) || silenceOf(found, clock) > limitMs;
}
