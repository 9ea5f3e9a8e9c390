import { randomUUID } from "node:crypto";
import { hostname, uptime } from "node:os";
import * as z from "zod/mini";
import { systemCode } from "../common/errors.ts";
import { type Clock, delay, every } from "../common/async.ts";
import type { IDisposable } from "../common/disposable.ts";
import { parseJson } from "../common/json.ts";
import { ifThere } from "./atomicFile.ts";
import { type FileSystem, removeIfThere, StoreError } from "./fileSystem.ts";

const holderSchema = z.object({ pid: z.int(), host: z.string(), session: z.string() });

/** A running instance of Cutaway that holds a lease. */
export type LeaseHolder = Readonly<z.infer<typeof holderSchema>>;

/** Location of a lease: a file that exists while the lease is held. Its folder must exist. */
export interface LeaseDependencies {
	readonly files: FileSystem;
	readonly path: string;
	readonly clock: Clock;
}

/** A lease file read from disk. */
export interface FoundLease {
	/** Undefined if the file names none, for example after a crash between creating and writing it. */
	readonly holder: LeaseHolder | undefined;
	readonly isEmpty: boolean;
	/** Time of the last heartbeat, in milliseconds since 1970. */
	readonly modifiedAt: number;
}

/** Describes this instance. */
export function currentHolder(): LeaseHolder {
	return { pid: process.pid, host: hostname(), session: randomUUID() };
}

/** Tolerance for the reported boot time, in milliseconds. */
const bootSlackMs = 60_000;

/**
 * Whether a process may still be running. Processes on other machines count as running. `since` and `now` are wall-clock times: a process started
 * before this machine's boot has ended, even if its pid is in use again.
 */
export function mayBeRunning(
	{ host, pid, since }: Pick<LeaseHolder, "host" | "pid"> & { readonly since?: number | undefined },
	now: number,
): boolean {
	if (host !== hostname()) {
		return true;
	}
	if (since !== undefined && since < now - uptime() * 1000 - bootSlackMs) {
		return false;
	}
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		return systemCode(error) !== "ESRCH";
	}
}

/** Whether the process that holds a lease has ended. */
export function isDead({ holder }: FoundLease): boolean {
	return holder !== undefined && !mayBeRunning(holder, 0);
}

/** Returns the time since the last heartbeat, in milliseconds of the wall clock. */
export function silenceOf({ modifiedAt }: FoundLease, clock: Clock): number {
	return Math.abs(clock.now() - modifiedAt);
}

/**
 * Acquires a lease that is free or whose holder `isGone`. Returns whether it succeeded; of several windows only one does. Rejects with the system's
 * error if the disk fails.
 */
export async function takeLease(
	dependencies: LeaseDependencies,
	holder: LeaseHolder,
	isGone: (found: FoundLease) => boolean,
): Promise<boolean> {
	const found = await readLease(dependencies);
	if (found) {
		if (!isGone(found)) {
			return false;
		}
		await breakLease(dependencies, found, holder);
	}
	return createLease(dependencies, holder);
}

/** An acquired lease. Sends a heartbeat every `heartbeatMs` milliseconds until it is released. */
export class Lease {
	private readonly dependencies: LeaseDependencies;
	private readonly holder: LeaseHolder;
	private readonly heartbeat: IDisposable;

	constructor(dependencies: LeaseDependencies, holder: LeaseHolder, heartbeatMs: number) {
		this.dependencies = dependencies;
		this.holder = holder;
		this.heartbeat = every(
			heartbeatMs,
			() => void this.quietly(() => renewLease(dependencies)),
			dependencies.clock,
		);
	}

	/** Whether this window still holds the lease. Also returns true if the file can't be read. */
	async isHeld(): Promise<boolean> {
		try {
			return (await readHolder(this.dependencies))?.session === this.holder.session;
		} catch {
			// An unreadable file proves nothing, unlike a missing one or one of another holder.
			return true;
		}
	}

	/** Releases the lease. If the disk fails, the lease expires. */
	async release(): Promise<void> {
		this.heartbeat.dispose();
		const { files, path } = this.dependencies;
		await this.quietly(() => files.remove(path));
	}

	private async quietly(step: () => Promise<void>): Promise<void> {
		try {
			if (await this.isHeld()) {
				await step();
			}
		} catch {
			// The lease expires without heartbeats.
			return;
		}
	}
}

/** Sends one heartbeat, which postpones the end of the lease. */
function renewLease({ files, path, clock }: LeaseDependencies): Promise<void> {
	return files.touch(path, clock.now());
}

/** Releases a lease if this holder still has it. */
export async function releaseLease(
	dependencies: LeaseDependencies,
	holder: LeaseHolder,
): Promise<void> {
	if ((await readHolder(dependencies))?.session === holder.session) {
		await removeIfThere(dependencies.files, dependencies.path);
	}
}

/** Reads a lease file. Returns undefined if there is none. */
export function readLease({ files, path }: LeaseDependencies): Promise<FoundLease | undefined> {
	const read = async (): Promise<FoundLease> => {
		const modifiedAt = await files.modifiedAt(path);
		const text = Buffer.from(await files.read(path)).toString("utf8");
		return { holder: parseHolder(text), isEmpty: text === "", modifiedAt };
	};
	return ifThere(read());
}

async function readHolder({ files, path }: LeaseDependencies): Promise<LeaseHolder | undefined> {
	const bytes = await ifThere(files.read(path));
	return bytes && parseHolder(Buffer.from(bytes).toString("utf8"));
}

function parseHolder(text: string): LeaseHolder | undefined {
	return z.safeParse(holderSchema, parseJson(text)).data;
}

/**
 * Creates the lease file without checking for an existing holder. Returns `false` if it exists. Rejects with the system's error if the disk fails.
 */
async function createLease(dependencies: LeaseDependencies, holder: LeaseHolder): Promise<boolean> {
	const { files, path } = dependencies;
	try {
		await files.createExclusive(path, JSON.stringify(holder));
	} catch (error) {
		if (systemCode(error) === "EEXIST") {
			return false;
		}
		throw error;
	}
	try {
		await renewLease(dependencies);
		return true;
	} catch (error) {
		await files.remove(path);
		throw error;
	}
}

/** Time for creating or breaking a lease, in milliseconds. After that, another window assumes that the process has died. */
const breakingMs = 10_000;

/**
 * Removes a lease if it is unchanged. A second lease file ensures that only one window at a time removes it; other windows remove that file if its
 * holder has died.
 */
async function breakLease(
	dependencies: LeaseDependencies,
	found: FoundLease,
	holder: LeaseHolder,
): Promise<void> {
	const right = { ...dependencies, path: `${dependencies.path}.break` };
	if (!(await createLease(right, holder))) {
		const other = await readLease(right);
		if (other && (isDead(other) || silenceOf(other, dependencies.clock) > breakingMs)) {
			await removeIfThere(right.files, right.path);
		}
		return;
	}
	try {
		const now = await readLease(dependencies);
		const isSame =
			now?.holder?.session === found.holder?.session && now?.modifiedAt === found.modifiedAt;
		if (isSame) {
			await removeIfThere(dependencies.files, dependencies.path);
		}
	} finally {
		await releaseLease(right, holder);
	}
}

/** Heartbeat interval, and the silence after which the holder counts as gone, in milliseconds. */
const heartbeatMs = 10_000;
const staleAfterMs = 60_000;

/** The longest time between checking a lease and the end of the write that was checked for, in milliseconds. */
const writeMs = 500;

/**
 * Acquires the exclusive right to write a chat, also from a holder that has ended or has been silent for a minute. Throws a `heldElsewhere`
 * `StoreError` if another window holds it, and the system's error if the disk fails.
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

/**
 * Ends a lease, whoever holds it, which that window notices before its next write. Resolves once a write that had begun is over. Rejects with the
 * system's error if the disk fails.
 */
export async function seizeLease(files: FileSystem, path: string, clock: Clock): Promise<void> {
	const dependencies: LeaseDependencies = { files, path, clock };
	const found = await readLease(dependencies);
	if (found) {
		await breakLease(dependencies, found, currentHolder());
		await delay(writeMs, undefined, clock);
	}
}

/** Whether a window that may still be running holds the lease at `path`. */
export async function isLeaseHeld(files: FileSystem, path: string, clock: Clock): Promise<boolean> {
	const found = await readLease({ files, path, clock });
	return found !== undefined && !isGone(found, clock);
}

function isGone(found: FoundLease, clock: Clock): boolean {
	const limitMs = found.isEmpty ? breakingMs : staleAfterMs;
	return isDead(found) || silenceOf(found, clock) > limitMs;
}
