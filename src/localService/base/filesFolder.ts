import { randomBytes } from "node:crypto";
import { readdir, rm } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";

/** The folder name contains machine and process, so that abandoned folders can be detected. */
const namePattern = /^local-service-(.+)-(\d+)-[0-9a-f]{16}$/;

/** Returns the folder for uploads of one run of the service. Doesn't create it. */
export function newFilesFolder(dataFolder: string): string {
	const random = randomBytes(8).toString("hex");
	return join(dataFolder, `local-service-${machineName()}-${process.pid}-${random}`);
}

/** Removes the folders of processes of this machine that have ended, for example those that were killed. */
export async function removeStaleFolders(dataFolder: string): Promise<void> {
	const names = await readdir(dataFolder).catch((): string[] => []);
	const stale = names.filter(name => {
		const [, machine, pid] = namePattern.exec(name) ?? [];
		return machine === machineName() && !isRunning(Number(pid));
	});
	await Promise.all(
		stale.map(name => rm(join(dataFolder, name), { recursive: true, force: true })),
	);
}

/** Returns this machine's name in a form that is safe in file names. */
export function machineName(): string {
	return hostname()
		.replaceAll(/[^A-Za-z0-9.]/g, "_")
		.slice(0, 64);
}

/** Whether a process of this machine is running. */
export function isRunning(pid: number): boolean {
	try {
		// Signal 0 only checks for existence. @see https://nodejs.org/api/process.html#processkillpid-signal
		process.kill(pid, 0);
		return true;
	} catch (error) {
		// The process exists but belongs to another user.
		return error instanceof Error && "code" in error && error.code === "EPERM";
	}
}
