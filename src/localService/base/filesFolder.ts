import { randomBytes } from "node:crypto";
import { readdir, rm } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";

/** A folder's name tells which machine and process it belongs to, so that others can see when it is left over. */
const namePattern = /^local-service-(.+)-(\d+)-[0-9a-f]{16}$/;

/** Where one run of the service may keep uploaded files; not created yet. */
export function newFilesFolder(dataFolder: string): string {
	const random = randomBytes(8).toString("hex");
	return join(dataFolder, `local-service-${machineName()}-${process.pid}-${random}`);
}

/** Removes the folders of processes of this machine that are gone; a killed process cannot do it itself. */
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

/** This machine's name, fit for a file's name. */
export function machineName(): string {
	return hostname()
		.replaceAll(/[^A-Za-z0-9.]/g, "_")
		.slice(0, 64);
}

/** Whether a process of this machine is there. */
export function isRunning(pid: number): boolean {
	try {
		// Signal 0 only asks. @see https://nodejs.org/api/process.html#processkillpid-signal
		process.kill(pid, 0);
		return true;
	} catch (error) {
		// Somebody else's process may not be asked, but it is there.
		return error instanceof Error && "code" in error && error.code === "EPERM";
	}
}
