/**
 * A program: `npm run package` builds for production and makes `cutaway-VERSION.vsix` at the project's root; with `-- --target linux-x64`
 * the package for that platform, which can run models itself.
 */
import { rm, stat } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { ensureLlamaBuild } from "./llamaBuild.ts";
import { packagePath, projectRoot, readManifest, say } from "./project.ts";
import { runScript } from "./script.ts";

function vsceProgram(): string {
	const manifest = createRequire(import.meta.url).resolve("@vscode/vsce/package.json");
	return join(dirname(manifest), "vsce");
}

/** Packages the folder, which must already be built; throws with vsce's own words when it refuses. */
export async function packageFolder(
	folder: string,
	outFile: string,
	platform?: string,
): Promise<void> {
	await rm(outFile, { force: true });
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
		throw new Error(`Packaging ${folder} failed:\n${result.output.trim()}`);
	}
}

/**
 * Builds Cutaway for production into `dist/` and packages it; returns the absolute path of the package. For one `platform`, as VS Code
 * names it, the package holds what runs models there. Throws with the words of the tool that refused.
 */
export async function packageExtension(outFile?: string, platform?: string): Promise<string> {
	const llama = platform === undefined ? [] : ["--llama", await ensureLlamaBuild(platform)];
	const args = [join(projectRoot, "esbuild.js"), "--production", ...llama];
	const build = await runScript(args);
	if (build.code !== 0) {
		throw new Error(`The production build failed:\n${build.output.trim()}`);
	}
	const target = outFile ?? packagePath(await readManifest(), platform);
	await packageFolder(projectRoot, target, platform);
	return target;
}

if (import.meta.main) {
	const { values } = parseArgs({ options: { target: { type: "string" } } });
	const file = await packageExtension(undefined, values.target);
	const { size } = await stat(file);
	say(`${file} (${(size / 1024).toFixed(0)} KB)`);
}
