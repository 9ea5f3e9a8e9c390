import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import * as z from "zod/mini";
import { type Clock, every } from "../common/async.ts";
import { type FileSystem, removeIfThere } from "./fileSystem.ts";
import { errorCode, StoreError } from "./storeError.ts";

/** How often the holder shows that it is alive, and after how long without a sign it is taken for gone. */
const heartbeatMs = 10_000;
const staleAfterMs = 60_000;

/** The right to write a chat, held by one window at a time (L5). */
export interface WriterLease {
	/** Whether no other window has taken it over meanwhile. */
	isHeld(): Promise<boolean>;
	/** Gives it back. Where the disk refuses, it lapses a minute later. */
	release(): Promise<void>;
}

/**
 * Takes the lease whose file is `path`, also from a holder that has died or given no sign for a minute. Throws
 * `StoreError` `heldElsewhere` when another window holds it, and the system's error when the disk refuses.
 */
export async function acquireWriterLease(
	files: FileSystem,
	path: string,
	clock: Clock,
): Promise<WriterLease> {
	const token = randomUUID();
	const content = JSON.stringify({ pid: process.pid, host: hostname(), token } satisfies Holder);
	for (let attempt = 1; attempt <= 3; attempt += 1) {
		if (await tryCreate(files, path, content, clock)) {
			return keepLease(files, path, token, clock);
		}
		if (!(await removeStale(files, path, clock))) {
			break;
		}
	}
	throw new StoreError("heldElsewhere", path);
}

const holderSchema = z.object({ pid: z.int(), host: z.string(), token: z.string() });
type Holder = z.infer<typeof holderSchema>;

function keepLease(files: FileSystem, path: string, token: string, clock: Clock): WriterLease {
	const isHeld = async (): Promise<boolean> => {
		const holder = await readHolder(files, path);
		// A lock that cannot be read now says nothing; one that is gone or another's does.
		return typeof holder === "string" ? holder !== "missing" : holder.token === token;
	};
	const quietly = async (step: () => Promise<void>): Promise<void> => {
		try {
			if (await isHeld()) {
				await step();
			}
		} catch {
			// A lease whose holder cannot reach it lapses by itself.
			return;
		}
	};
	const heartbeat = every(
		heartbeatMs,
		() => void quietly(() => files.touch(path, clock.now())),
		clock,
	);
	return {
		isHeld,
		release: async () => {
			heartbeat.dispose();
			await quietly(() => files.remove(path));
		},
	};
}

async function tryCreate(
	files: FileSystem,
	path: string,
	content: string,
	clock: Clock,
): Promise<boolean> {
	try {
		await files.createExclusive(path, content);
	} catch (error) {
		if (errorCode(error) === "EEXIST") {
			return false;
		}
		throw error;
	}
	try {
		await files.touch(path, clock.now());
		return true;
	} catch (error) {
		await files.remove(path);
		throw error;
	}
}

/**
 * Puts a dead holder's lock out of the way; says whether the place may be free now. One window at a time may do so, and it looks
 * once more before it does, so that it never removes the lock of a window that has just taken the dead one's place.
 */
async function removeStale(files: FileSystem, path: string, clock: Clock): Promise<boolean> {
	if (await isLeaseHeld(files, path, clock)) {
		return false;
	}
	const right = `${path}.break`;
	try {
		await files.createExclusive(right, "");
	} catch (error) {
		if (errorCode(error) !== "EEXIST") {
			throw error;
		}
		await removeIfOlder(files, right, breakingMs, clock);
		return false;
	}
	try {
		await files.touch(right, clock.now());
		if (!(await isLeaseHeld(files, path, clock))) {
			await removeIfThere(files, path);
		}
		return true;
	} finally {
		await removeIfThere(files, right);
	}
}

/** Whether a window that lives, as far as can be known, has the lease whose file is `path`. */
export async function isLeaseHeld(files: FileSystem, path: string, clock: Clock): Promise<boolean> {
	const holder = await readHolder(files, path);
	if (holder === "missing") {
		return false;
	}
	try {
		const silentMs = Math.abs(clock.now() - (await files.modifiedAt(path)));
		switch (holder) {
			case "halfMade":
				return silentMs <= breakingMs;
			case "unreadable":
				return silentMs <= staleAfterMs;
			default:
				return silentMs <= staleAfterMs && isAlive(holder);
		}
	} catch (error) {
		if (errorCode(error) === "ENOENT") {
			return false;
		}
		throw error;
	}
}

/** A window that died while it made its lock, or removed another's, keeps nobody from the chat for longer than this, in milliseconds. */
const breakingMs = 10_000;

async function removeIfOlder(
	files: FileSystem,
	path: string,
	ageMs: number,
	clock: Clock,
): Promise<void> {
	try {
		if (Math.abs(clock.now() - (await files.modifiedAt(path))) > ageMs) {
			await files.remove(path);
		}
	} catch (error) {
		if (errorCode(error) !== "ENOENT") {
			throw error;
		}
	}
}

/** The holder a lock names; a lock without a byte is one that is being made, or whose maker died doing so. */
async function readHolder(
	files: FileSystem,
	path: string,
): Promise<Holder | "missing" | "halfMade" | "unreadable"> {
	try {
		const text = Buffer.from(await files.read(path)).toString("utf8");
		if (text === "") {
			return "halfMade";
		}
		return holderSchema.safeParse(JSON.parse(text)).data ?? "unreadable";
	} catch (error) {
		return errorCode(error) === "ENOENT" ? "missing" : "unreadable";
	}
}

/** Whether the holder's process runs; of another machine's nothing is known, so it counts as running. */
function isAlive(holder: Holder): boolean {
	if (holder.host !== hostname()) {
		return true;
	}
	try {
		process.kill(holder.pid, 0);
		return true;
	} catch (error) {
		return errorCode(error) !== "ESRCH";
	}
}
