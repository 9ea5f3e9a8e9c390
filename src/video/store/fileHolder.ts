import { randomUUID } from "node:crypto";
import * as fs from "node:fs/promises";
import { hostname, uptime } from "node:os";
import * as z from "zod/mini";
import { systemClock } from "../../common/async.ts";
import { systemCode, tryCreate } from "../../storage/index.ts";
import type { Submitter } from "../job/index.ts";

const holderSchema = z.object({ pid: z.int(), host: z.string(), session: z.string() });

/** This start of the program, as other windows see it. */
export function currentHolder(): Submitter {
	return { pid: process.pid, host: hostname(), session: randomUUID() };
}

/** How much the machine's start, as it is told, may be off, in milliseconds. */
const bootSlackMs = 60_000;

/**
 * Whether a holder's program may still run; of another machine's nothing is known, so it counts as running. `now` is by the
 * wall clock: what was begun before this machine was started is over, although its number may be another program's by now.
 */
export function mayRun({ host, pid, since }: Submitter, now: number): boolean {
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

/** A claim file as it lies on the disk. */
export interface Claim {
	/** Undefined while its text cannot be read, as between its making and its writing. */
	readonly holder: Submitter | undefined;
	/** Milliseconds since 1970. */
	readonly modifiedAt: number;
}

/**
 * Makes a claim file; false when there is one already. Other failures are the system's errors. The file appears with its text
 * in it, so that a window killed half-way leaves no claim that nobody can read.
 */
export function tryClaim(path: string, holder: Submitter): Promise<boolean> {
	return tryCreate(path, JSON.stringify(holder), `${path}.${holder.session}.tmp`);
}

/** Reads a claim file; undefined when there is none. */
export async function readClaim(path: string): Promise<Claim | undefined> {
	try {
		const { mtimeMs } = await fs.stat(path);
		return { holder: parseHolder(await fs.readFile(path, "utf8")), modifiedAt: mtimeMs };
	} catch (error) {
		if (systemCode(error) === "ENOENT") {
			return undefined;
		}
		throw error;
	}
}

/** How long a claim may be given up before another window may do it too, in milliseconds. */
const breakingMs = 30_000;

/**
 * Removes the claim that was seen, and no other: only one window at a time may remove one, and it looks once more before it
 * does. A window that died while it held that right does not keep the others from it.
 */
export async function breakClaim(path: string, seen: Claim, holder: Submitter): Promise<void> {
	const right = `${path}.break`;
	if (!(await tryClaim(right, holder))) {
		const other = await readClaim(right);
		if (other && (isDead(other) || systemClock.now() - other.modifiedAt > breakingMs)) {
			await fs.rm(right, { force: true });
		}
		return;
	}
	try {
		const claim = await readClaim(path);
		const isSame =
			claim?.holder?.session === seen.holder?.session && claim?.modifiedAt === seen.modifiedAt;
		if (isSame) {
			await fs.rm(path, { force: true });
		}
	} finally {
		await releaseClaim(right, holder);
	}
}

/** Whether the program that made a claim is no more. */
export function isDead({ holder }: Claim): boolean {
	return holder !== undefined && !mayRun(holder, systemClock.now());
}

/** Gives a claim back if it is still this holder's. */
export async function releaseClaim(path: string, holder: Submitter): Promise<void> {
	const claim = await readClaim(path);
	if (claim?.holder?.session === holder.session) {
		await fs.rm(path, { force: true });
	}
}

function parseHolder(text: string): Submitter | undefined {
	try {
		return z.safeParse(holderSchema, JSON.parse(text)).data;
	} catch {
		return undefined;
	}
}
