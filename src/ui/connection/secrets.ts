import type * as vscode from "vscode";
import { createEmitter, type Event } from "../../common/emitter.ts";
import { type IDisposable, toDisposable } from "../../common/disposable.ts";
import { toError } from "../../common/errors.ts";

/** The API keys, each bound to the origin it was given for (threat T1). */
export interface ApiKeys extends IDisposable {
	/** The key for an origin, or undefined. Throws `KeyStoreError` when the store cannot be read and no session key is set. */
	get(origin: string): Promise<string | undefined>;
	/** Keeps a key. Throws `KeyStoreError` when the store refuses it. */
	set(origin: string, key: string): Promise<void>;
	/** Keeps a key in memory until the window closes. */
	setForSession(origin: string, key: string): void;
	/** Forgets the key of an origin, wherever it is. */
	remove(origin: string): Promise<void>;
	/** Every key seen so far, for the log's redaction. Never leaves the extension host. */
	readonly known: () => readonly string[];
	/** Fires when a key changed, in this window or another (fault L12). */
	readonly onDidChange: Event<void>;
}

/** The key store could not be read or written (fault L11). */
export class KeyStoreError extends Error {
	override readonly name = "KeyStoreError";
}

const storageKey = (origin: string): string => `cutaway.apiKey ${origin}`;

/** Keys in VS Code's SecretStorage, with this session's memory as the way out when the store fails. */
export function createApiKeys(storage: vscode.SecretStorage): ApiKeys {
	const session = new Map<string, string>();
	const known = new Set<string>();
	const changed = createEmitter<void>();
	const subscription = storage.onDidChange(() => changed.fire());
	const guarded = async <T>(use: () => Thenable<T>): Promise<T> => {
		try {
			return await use();
		} catch (error) {
			throw new KeyStoreError("The key store failed", { cause: toError(error) });
		}
	};
	const remember = (key: string | undefined): string | undefined => {
		if (key) {
			known.add(key);
		}
		return key;
	};
	return {
		get: async origin =>
			remember(session.get(origin) ?? (await guarded(() => storage.get(storageKey(origin))))),
		set: async (origin, key) => {
			remember(key);
			await guarded(() => storage.store(storageKey(origin), key));
			session.delete(origin);
		},
		setForSession: (origin, key) => {
			remember(key);
			session.set(origin, key);
			changed.fire();
		},
		remove: async origin => {
			session.delete(origin);
			await guarded(() => storage.delete(storageKey(origin)));
			changed.fire();
		},
		known: () => [...known],
		onDidChange: changed.event,
		...toDisposable(() => {
			subscription.dispose();
			changed.dispose();
		}),
	};
}
