import type { SecretStorage } from "vscode";

/** VS Code's key store as far as Cutaway uses it, shared by windows when the same `entries` are handed in. */
export interface FakeSecretStorage extends SecretStorage {
	readonly entries: Map<string, string>;
	/** Makes every access fail, as a locked key ring does. */
	isBroken: boolean;
}

/** Makes a key store in memory. */
export function createFakeSecretStorage(): FakeSecretStorage {
	const entries = new Map<string, string>();
	const listeners = new Set<(event: { key: string }) => void>();
	const storage: FakeSecretStorage = {
		entries,
		isBroken: false,
		keys: () => Promise.resolve([...entries.keys()]),
		get: key => guard(() => entries.get(key)),
		store: (key, value) =>
			guard(() => {
				entries.set(key, value);
				listeners.forEach(listener => listener({ key }));
			}),
		delete: key => guard(() => void entries.delete(key)),
		onDidChange: (listener: (event: { key: string }) => void) => {
			listeners.add(listener);
			return { dispose: () => void listeners.delete(listener) };
		},
	};
	async function guard<T>(use: () => T): Promise<T> {
		if (storage.isBroken) {
			throw new Error("The key ring is locked");
		}
		return use();
	}
	return storage;
}
