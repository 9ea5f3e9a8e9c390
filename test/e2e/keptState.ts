import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "@playwright/test";

/** Resolves once what the chat view remembers is on disk with this text in it, as a user's own reload comes later than the last key. */
export async function untilKept(testFolder: string, text: string): Promise<void> {
	// A folder that isn't there yet, or a file that is replaced while it is looked for, has nothing yet.
	await expect.poll(() => keptIn(testFolder).catch(() => "")).toContain(text);
}

async function keptIn(testFolder: string): Promise<string> {
	const folder = join(testFolder, "data/data/User/workspaceStorage");
	const files = (await readdir(folder, { recursive: true })).filter(path =>
		path.endsWith(join("cutaway.cutaway", "chatView.json")),
	);
	return (await Promise.all(files.map(path => readFile(join(folder, path), "utf8")))).join("\n");
}
