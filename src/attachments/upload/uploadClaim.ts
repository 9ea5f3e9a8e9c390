import * as fs from "node:fs/promises";
import { dirname } from "node:path";
import { type Clock, delay, every } from "../../common/async.ts";
import { systemCode } from "../attachment/attachmentError.ts";

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
	for (let isFirst = true; !(await claim(path, clock)); isFirst = false) {
		if (isFirst) {
			onWait();
		}
		await delay(lookMs, signal, clock);
	}
	const renewing = every(renewMs, () => void touch(path, clock).catch(() => undefined), clock);
	try {
		return await task();
	} finally {
		renewing.dispose();
		await fs.rm(path, { force: true }).catch(() => undefined);
	}
}

/** Whether the claim is this window's now, or cannot be anybody's. */
async function claim(path: string, clock: Clock): Promise<boolean> {
	try {
		await fs.mkdir(dirname(path), { recursive: true, mode: 0o700 });
		await fs.writeFile(path, "", { flag: "wx", mode: 0o600 });
		await touch(path, clock);
		return true;
	} catch (error) {
		if (systemCode(error) !== "EEXIST") {
			return true;
		}
	}
	const found = await fs.stat(path).catch(() => undefined);
	if (found && clock.now() - found.mtimeMs > staleMs) {
		await fs.rm(path, { force: true }).catch(() => undefined);
	}
	return false;
}

async function touch(path: string, clock: Clock): Promise<void> {
	const now = clock.now() / 1000;
	await fs.utimes(path, now, now);
}
