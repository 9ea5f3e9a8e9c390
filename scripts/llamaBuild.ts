import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { runNpm } from "./npm.ts";
import { ensureCached } from "./packageCache.ts";
import { cacheFolder, say } from "./project.ts";

/** The version of node-llama-cpp whose builds of llama.cpp are used: one that every platform has a build of. */
export const llamaVersion = "3.21.1";

/** The packages with llama.cpp for a CPU, by VS Code's name of a platform, which is Node's platform and architecture. */
export const llamaPackages: Readonly<Record<string, string>> = {
	"linux-x64": "linux-x64",
	"linux-arm64": "linux-arm64",
	"darwin-x64": "mac-x64",
	"darwin-arm64": "mac-arm64-metal",
	"win32-x64": "win-x64",
	"win32-arm64": "win-arm64",
};

/** This machine as VS Code names it. */
export const thisPlatform = `${process.platform}-${process.arch}`;

const folderOf = (name: string): string => `llama-${llamaVersion}-${name}`;

/** The folder of the build for this machine, where `ensureLlamaBuild` has fetched it. */
export function fetchedLlamaBuild(): string | undefined {
	const name = llamaPackages[thisPlatform];
	const folder = name && join(cacheFolder, folderOf(name), "llama");
	return folder && existsSync(folder) ? folder : undefined;
}

/**
 * Makes sure the build of llama.cpp for a platform is in `.vscode-test/`, fetching it through npm, which checks it, when it is not
 * there (about 30 MB on disk). Returns the folder of its libraries. Throws for a platform without one.
 */
export async function ensureLlamaBuild(platform = thisPlatform): Promise<string> {
	const name = llamaPackages[platform];
	if (name === undefined) {
		throw new Error(
			`There is no build of llama.cpp for ${platform}, only for ${Object.keys(llamaPackages).join(", ")}.`,
		);
	}
	const folder = await ensureCached({
		name: folderOf(name),
		entry: "llama/llama-addon.node",
		title: `llama.cpp for ${platform}`,
		install: async partial => {
			await runNpm(partial, [
				"pack",
				`@node-llama-cpp/${name}@${llamaVersion}`,
				"--loglevel=error",
			]);
			const archive = (await readdir(partial)).find(file => file.endsWith(".tgz")) ?? "";
			await promisify(execFile)("tar", ["-xzf", archive], { cwd: partial });
			const [build = ""] = await readdir(join(partial, "package", "bins"));
			await rename(join(partial, "package", "bins", build), join(partial, "llama"));
			// Windows builds contain a library for linking, which nothing loads.
			await rm(join(partial, "llama", "llama-addon.lib"), { force: true });
			await cp(join(partial, "package", "LICENSE"), join(partial, "llama", "LICENSE.txt"));
			await rm(join(partial, "package"), { recursive: true });
			await rm(join(partial, archive));
		},
	});
	return join(folder, "llama");
}

/** This machine's platform, once its build of llama.cpp is there; where it cannot be, says why and gives undefined. */
export async function platformWithLlama(): Promise<string | undefined> {
	try {
		await ensureLlamaBuild();
		return thisPlatform;
	} catch (error) {
		say(error instanceof Error ? error.message : String(error));
		return undefined;
	}
}
