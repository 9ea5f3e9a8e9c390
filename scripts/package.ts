/**
 * A program: `npm run package` builds for production and makes `cutaway-VERSION.vsix` at the project's root; with `-- --target linux-x64`
 * the package for that platform, which can run models itself.
 */
import { cp, mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { buildExtension } from "./build.ts";
import { ensureLlamaBuild } from "./llamaBuild.ts";
import { makeCacheFolder, packagePath, projectRoot, readManifest, say } from "./project.ts";
import { runScript } from "./script.ts";

function vsceProgram(): string {
	const manifest = createRequire(import.meta.url).resolve("@vscode/vsce/package.json");
	return join(dirname(manifest), "vsce");
}

/** Folders of the project that a package has files of. */
const packagedFolders: ReadonlySet<string> = new Set(["dist", "l10n", "media"]);

/**
 * Copies what a package may be made of into a folder: vsce holds each file below its own folder against every line of `.vscodeignore`,
 * which takes longer than all else it does when that includes the editors in `.vscode-test/`.
 */
async function copyPackaged(folder: string): Promise<void> {
	const entries = await readdir(projectRoot, { withFileTypes: true });
	const chosen = entries.filter(
		entry => packagedFolders.has(entry.name) || (entry.isFile() && !entry.name.endsWith(".vsix")),
	);
	await Promise.all(
		chosen.map(({ name }) => cp(join(projectRoot, name), join(folder, name), { recursive: true })),
	);
}

/** Packages what is built; throws with vsce's own words when it refuses. */
async function packageBuilt(outFile: string, platform?: string): Promise<void> {
	await rm(outFile, { force: true });
	const folder = await mkdtemp(join(await makeCacheFolder("runs"), "package-"));
	try {
		await copyPackaged(folder);
		const args = [
			"package",
			"--no-dependencies",
			"--allow-missing-repository",
			"--no-rewrite-relative-links",
			"--out",
			outFile,
			...(platform === undefined ? [] : ["--target", platform]),
		];
		const result = await runScript([vsceProgram(), ...args], { cwd: folder });
		if (result.code !== 0) {
			throw new Error(`Packaging failed:\n${result.output.trim()}`);
		}
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
}

/**
 * Builds Cutaway for production into `dist/` and packages it; returns the absolute path of the package. For one `platform`, as VS Code
 * names it, the package holds what runs models there. Throws with the words of the tool that refused.
 */
export async function packageExtension(outFile?: string, platform?: string): Promise<string> {
	const llama = platform === undefined ? [] : ["--llama", await ensureLlamaBuild(platform)];
	await buildExtension("--production", ...llama);
	const target = outFile ?? packagePath(await readManifest(), platform);
	await packageBuilt(target, platform);
	return target;
}

if (import.meta.main) {
	const { values } = parseArgs({ options: { target: { type: "string" } } });
	const file = await packageExtension(undefined, values.target);
	const { size } = await stat(file);
	say(`${file} (${(size / 1024).toFixed(0)} KB)`);
}
