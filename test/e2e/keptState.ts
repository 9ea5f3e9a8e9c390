import { expect, type Page } from "@playwright/test";

/**
 * Resolves once the window has stored something that holds this text. What views remember, a window in a browser stores every few
 * seconds; desktop VS Code does so before it reloads.
 */
export async function untilStored(page: Page, text: string): Promise<void> {
	await expect.poll(() => page.evaluate(isStored, text), { timeout: 30_000 }).toBe(true);
}

/** Whether a database of the window holds a text. Runs in the page. */
async function isStored(text: string): Promise<boolean> {
	const done = <Result>(request: IDBRequest<Result>): Promise<Result> =>
		new Promise((resolve, reject) => {
			request.addEventListener("success", () => resolve(request.result));
			request.addEventListener("error", () => reject(request.error ?? new Error("unreadable")));
		});
	for (const { name = "" } of await indexedDB.databases()) {
		const database = await done(indexedDB.open(name));
		const tables = [...database.objectStoreNames];
		const read = tables.map(table => done(database.transaction(table).objectStore(table).getAll()));
		const values = (await Promise.all(read)).flat();
		database.close();
		if (values.some(value => String(value).includes(text))) {
			return true;
		}
	}
	return false;
}
