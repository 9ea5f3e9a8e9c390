import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import * as z from "zod/mini";
import { type Clock, every } from "../common/async.ts";
import type { FileSystem } from "./fileSystem.ts";
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
		return holder === "unreadable" || (holder !== "missing" && holder.token === token);
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

/** Puts a dead holder's lock out of the way; says whether the place may be free now. */
async function removeStale(files: FileSystem, path: string, clock: Clock): Promise<boolean> {
	const holder = await readHolder(files, path);
	if (holder === "missing") {
		return true;
	}
	const silentMs = Math.abs(clock.now() - (await files.modifiedAt(path)));
	if (silentMs <= staleAfterMs && (holder === "unreadable" || isAlive(holder))) {
		return false;
	}
	// A move succeeds for one window only, so two that see the same dead holder do not both go on.
	const aside = `${path}.${randomUUID()}`;
	await files.rename(path, aside);
	const moved = await readHolder(files, aside);
	const isSame =
		typeof moved === "object" && typeof holder === "object"
			? moved.token === holder.token
			: moved === holder;
	if (isSame) {
		await files.remove(aside);
	} else {
		await files.rename(aside, path);
	}
	return isSame;
}

async function readHolder(
	files: FileSystem,
	path: string,
): Promise<Holder | "missing" | "unreadable"> {
	try {
		const text = Buffer.from(await files.read(path)).toString("utf8");
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
