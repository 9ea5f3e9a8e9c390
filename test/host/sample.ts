/** A program: `npm run sample` copies the sample workspace to where `npm start` and F5 open it, unless it is there. */
import { existsSync } from "node:fs";
import { cp } from "node:fs/promises";
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

if (import.meta.main) {
	await provideSample(startFolder);
}
