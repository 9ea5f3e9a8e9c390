import { randomUUID } from "node:crypto";
import { hostname, uptime } from "node:os";
import * as z from "zod/mini";
import { type Clock, every } from "../common/async.ts";
import type { IDisposable } from "../common/disposable.ts";
import { systemCode } from "./atomicFile.ts";
import { type FileSystem, removeIfThere } from "./fileSystem.ts";
import { StoreError } from "./storeError.ts";

const holderSchema = z.object({ pid: z.int(), host: z.string(), session: z.string() });

/** One start of the program, as other windows see it. */
export type LeaseHolder = Readonly<z.infer<typeof holderSchema>>;

/** Where a lease is: a file that exists while somebody holds it, in a folder that exists. */
export interface LeaseDependencies {
	readonly files: FileSystem;
	readonly path: string;
	readonly clock: Clock;
}

/** The file of a lease as another window finds it. */
export interface FoundLease {
	/** Undefined where the text names none, as when the program died between making the file and writing it. */
	readonly holder: LeaseHolder | undefined;
	readonly isEmpty: boolean;
	/** The holder's last sign of life, in milliseconds since 1970. */
	readonly modifiedAt: number;
}

/** This start of the program, as other windows see it. */
export function currentHolder(): LeaseHolder {
	return { pid: process.pid, host: hostname(), session: randomUUID() };
}

/** How much the machine's start, as it is told, may be off, in milliseconds. */
const bootSlackMs = 60_000;

/**
 * Whether a program may still run; of another machine's nothing is known, so it counts as running. `since` and `now` are by the
 * wall clock: what was started before this machine was started is over, although its number may be another program's now.
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

/** Whether the program that holds a lease is no more. */
export function isDead({ holder }: FoundLease): boolean {
	return holder !== undefined && !mayBeRunning(holder, 0);
}

/** How long ago a lease's holder gave its last sign of life, in milliseconds by the wall clock. */
export function silenceOf({ modifiedAt }: FoundLease, clock: Clock): number {
	return Math.abs(clock.now() - modifiedAt);
}

/**
 * Takes a lease that nobody holds, or whose holder `isGone`; says whether it did. Of many windows one succeeds. Rejects with the
 * system's error when the disk refuses.
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

/** A lease that was taken: shows every `heartbeatMs` milliseconds that its holder is alive, until it is released. */
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

	/** Whether no other window has taken it over meanwhile; true where the disk does not say. */
	async isHeld(): Promise<boolean> {
		try {
			return (await readHolder(this.dependencies))?.session === this.holder.session;
		} catch {
			// A file that cannot be read now says nothing; one that is gone or another's does.
			return true;
		}
	}

	/** Gives it back, unread where it `isSurelyHeld`. Where the disk refuses, it lapses by itself. */
	async release(isSurelyHeld = false): Promise<void> {
		this.heartbeat.dispose();
		const { files, path } = this.dependencies;
		await this.quietly(() => files.remove(path), isSurelyHeld);
	}

	private async quietly(step: () => Promise<void>, isSurelyHeld = false): Promise<void> {
		try {
			if (isSurelyHeld || (await this.isHeld())) {
				await step();
			}
		} catch {
			// A lease whose holder cannot reach it lapses by itself.
			return;
		}
	}
}

/** Shows that the holder of a lease is alive. */
export function renewLease({ files, path, clock }: LeaseDependencies): Promise<void> {
	return files.touch(path, clock.now());
}

/** Gives a lease back if it is still this holder's. */
export async function releaseLease(
	dependencies: LeaseDependencies,
	holder: LeaseHolder,
): Promise<void> {
	if ((await readHolder(dependencies))?.session === holder.session) {
		await removeIfThere(dependencies.files, dependencies.path);
	}
}

/** Reads the file of a lease; undefined when nobody holds it. */
export async function readLease({
	files,
	path,
}: LeaseDependencies): Promise<FoundLease | undefined> {
	try {
		const modifiedAt = await files.modifiedAt(path);
		const text = Buffer.from(await files.read(path)).toString("utf8");
		return { holder: parseHolder(text), isEmpty: text === "", modifiedAt };
	} catch (error) {
		if (systemCode(error) === "ENOENT") {
			return undefined;
		}
		throw error;
	}
}

/** Whose a lease is; undefined when it is nobody's. */
async function readHolder({ files, path }: LeaseDependencies): Promise<LeaseHolder | undefined> {
	try {
		return parseHolder(Buffer.from(await files.read(path)).toString("utf8"));
	} catch (error) {
		if (systemCode(error) === "ENOENT") {
			return undefined;
		}
		throw error;
	}
}

function parseHolder(text: string): LeaseHolder | undefined {
	try {
		return z.safeParse(holderSchema, JSON.parse(text)).data;
	} catch {
		return undefined;
	}
}

/**
 * Takes a lease that nobody holds, without a look who does, where that is rare; says whether it did. Rejects with the system's error
 * when the disk refuses.
 */
export async function createLease(
	dependencies: LeaseDependencies,
	holder: LeaseHolder,
): Promise<boolean> {
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

/** How long a lease may be in the making, or be broken, before another window takes the one that does so for dead, in milliseconds. */
export const breakingMs = 10_000;

/**
 * Removes the lease that was found, and no other: only one window at a time may remove one, and it looks once more before it
 * does. A window that died while it held that right does not keep the others from it.
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

/** How often the holder shows that it is alive, and after how long without a sign it is taken for gone. */
const heartbeatMs = 10_000;
const staleAfterMs = 60_000;

/**
 * Acquires the right to write a chat, held by one window at a time (L5), also from a holder that has died or given no sign for a
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
