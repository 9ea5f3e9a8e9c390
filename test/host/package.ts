/** A program: `npm run package` builds for production and makes `cutaway-VERSION.vsix` at the project's root. */
import { rm, stat } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { packagePath, projectRoot, readManifest, say } from "./project.ts";
import { runScript } from "./script.ts";

function vsceProgram(): string {
	const manifest = createRequire(import.meta.url).resolve("@vscode/vsce/package.json");
	return join(dirname(manifest), "vsce");
}

/** Packages the folder, which must already be built; throws with vsce's own words when it refuses. */
export async function packageFolder(folder: string, outFile: string): Promise<void> {
	await rm(outFile, { force: true });
	const args = [
		"package",
		"--no-dependencies",
		"--allow-missing-repository",
		"--no-rewrite-relative-links",
		"--out",
		outFile,
	];
	const result = await runScript([vsceProgram(), ...args], { cwd: folder });
	if (result.code !== 0) {
		throw new Error(`Packaging ${folder} failed:\n${result.output.trim()}`);
	}
}

/**
 * Builds Cutaway for production into `dist/` and packages it; returns the absolute path of the package. Throws with
 * the words of the tool that refused.
 */
export async function packageExtension(outFile?: string): Promise<string> {
	const build = await runScript([join(projectRoot, "esbuild.js"), "--production"]);
	if (build.code !== 0) {
		throw new Error(`The production build failed:\n${build.output.trim()}`);
	}
	const target = outFile ?? packagePath(await readManifest());
	await packageFolder(projectRoot, target);
	return target;
}

if (import.meta.main) {
	const file = await packageExtension();
	const { size } = await stat(file);
	say(`${file} (${(size / 1024).toFixed(0)} KB)`);
}
