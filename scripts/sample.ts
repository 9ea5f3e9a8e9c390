/** A program: `npm run sample` copies the sample workspace to where `npm start` and F5 open it, unless it is there. */
import { existsSync } from "node:fs";
import { cp, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { cacheFolder, sampleWorkspace } from "./project.ts";

/** Folder in which `npm start` keeps user data and the copy of the sample, unless told otherwise. */
export const startFolder = join(cacheFolder, "start");

/** Absolute path of the sample's copy in a folder, made when missing, so that changes to it stay between runs. */
export async function provideSample(folder: string): Promise<string> {
	const copy = join(folder, "workspace");
	if (!existsSync(copy)) {
		await cp(sampleWorkspace, copy, { recursive: true });
	}
	return copy;
}

/**
 * Copies the sample workspace into a folder and returns a workspace file that names the copy: a window opened on it takes
 * further folders without its extensions being started again.
 */
export async function provideSampleWorkspaceFile(folder: string): Promise<string> {
	await cp(sampleWorkspace, join(folder, "workspace"), { recursive: true });
	const file = join(folder, "cutaway.code-workspace");
	await writeFile(file, JSON.stringify({ folders: [{ path: "workspace" }] }));
	return file;
}

if (import.meta.main) {
	await provideSample(startFolder);
}
