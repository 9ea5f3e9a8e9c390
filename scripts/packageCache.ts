import { existsSync } from "node:fs";
import { readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { cacheFolder, makeCacheFolder, say } from "./project.ts";

/** npm's flags for a package that is fetched for tests alone. */
export const installFlags = [
	"install",
	"--ignore-scripts",
	"--omit=dev",
	"--no-audit",
	"--no-fund",
	"--loglevel=error",
];

/** Something that is fetched once into `.vscode-test/`. */
export interface CachedInstall {
	/** Name of its folder, with the version in it. */
	readonly name: string;
	/** A file that is there when it is whole, relative to its folder. */
	readonly entry: string;
	/** What is fetched, for the line that says so. */
	readonly title: string;
	/** Fetches it into a folder. */
	install(folder: string): Promise<void>;
}

function isAlive(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return true;
	} catch {
		return false;
	}
}

/** Removes what interrupted installs of processes that are gone left behind. */
async function removeLeftovers(name: string): Promise<void> {
	const prefix = `${name}.partial-`;
	const entries = await readdir(cacheFolder);
	const stale = entries.filter(
		entry => entry.startsWith(prefix) && !isAlive(Number(entry.slice(prefix.length))),
	);
	await Promise.all(
		stale.map(entry => rm(join(cacheFolder, entry), { recursive: true, force: true })),
	);
}

/**
 * Makes sure something is in `.vscode-test/` and returns its folder. The install happens in a folder of its own and is renamed when
 * whole, so an interrupted one is never taken for it, and two at once do no harm. Throws what the install throws.
 */
export async function ensureCached(wanted: CachedInstall): Promise<string> {
	const { name, entry, title } = wanted;
	const folder = join(cacheFolder, name);
	if (existsSync(join(folder, entry))) {
		return folder;
	}
	const partial = await makeCacheFolder(`${name}.partial-${process.pid}`);
	await removeLeftovers(name);
	say(`Fetching ${title} (npm package ${name}) into .vscode-test, once …`);
	try {
		await wanted.install(partial);
		await rename(partial, folder);
	} catch (error) {
		await rm(partial, { recursive: true, force: true });
		if (!existsSync(join(folder, entry))) {
			throw error;
		}
	}
	return folder;
}
