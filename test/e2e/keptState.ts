import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "@playwright/test";
import type { Workbench } from "./workbench.ts";

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

/** Folder of the logs of all chats of an editor. */
export function chatsFolder(testFolder: string): string {
	return join(testFolder, "data/data/User/globalStorage/cutaway.cutaway/chats");
}

/** What the logs of all chats hold. */
export async function logsOf(testFolder: string): Promise<string> {
	const folder = chatsFolder(testFolder);
	const names = (await readdir(folder)).filter(name => name.endsWith(".jsonl"));
	return (await Promise.all(names.map(name => readFile(join(folder, name), "utf8")))).join("\n");
}

/** Resolves once the window would show the newest chat again after a reload: the browser keeps its id a moment after the question. */
export async function untilChatKept(workbench: Workbench, testFolder: string): Promise<void> {
	const folder = chatsFolder(testFolder);
	const names = (await readdir(folder)).filter(name => name.endsWith(".jsonl"));
	const dated = await Promise.all(
		names.map(async name => ({ name, at: (await stat(join(folder, name))).mtimeMs })),
	);
	const [newest] = dated.toSorted((one, other) => other.at - one.at);
	const id = newest?.name.replace(/\.jsonl$/, "") ?? "no chat";
	await expect.poll(() => keptByBrowser(workbench)).toContain(id);
}

/** What extensions have had the window keep, as far as it would outlive the page. */
export function keptByBrowser({ page }: Workbench): Promise<string> {
	return page.evaluate(async () => {
		const done = <Value>(request: IDBRequest<Value>): Promise<Value> =>
			new Promise((resolve, reject) => {
				request.addEventListener("success", () => resolve(request.result));
				request.addEventListener("error", () => reject(new Error(request.error?.message)));
			});
		const kept: unknown[] = [];
		for (const { name = "" } of await indexedDB.databases()) {
			if (name.startsWith("vscode-web-state-db-")) {
				const database = await done(indexedDB.open(name));
				if (database.objectStoreNames.contains("ItemTable")) {
					const items = database.transaction("ItemTable").objectStore("ItemTable");
					kept.push(...(await done(items.getAll())));
				}
				database.close();
			}
		}
		return kept.join("\n");
	});
}
