import type * as vscode from "vscode";
import { Emitter, type Event } from "../../common/emitter.ts";
import { Disposable } from "../../common/disposable.ts";
import { toError } from "../../common/errors.ts";

/** The key store could not be read or written (fault L11). */
export class KeyStoreError extends Error {
	override readonly name = "KeyStoreError";
}

const storageKey = (origin: string): string => `cutaway.apiKey ${origin}`;

/**
 * The API keys, each bound to the origin it was given for (threat T1): in VS Code's SecretStorage, with this session's memory as
 * the way out when the store fails.
 */
export class ApiKeys extends Disposable {
	private readonly storage: vscode.SecretStorage;
	private readonly session = new Map<string, string>();
	private readonly seen = new Set<string>();
	/** The latest change of the store, settled either way. */
	private writing: Promise<unknown> = Promise.resolve();
	private readonly changed = this.register(new Emitter<void>());
	/** Fires when a key changed, in this window or another (fault L12). */
	readonly onDidChange: Event<void> = this.changed.event;

	constructor(storage: vscode.SecretStorage) {
		super();
		this.storage = storage;
		this.register(storage.onDidChange(() => this.changed.fire()));
	}

	/**
	 * The key for an origin, or undefined; waits for a change under way, as the store may take a while to unlock. Throws
	 * `KeyStoreError` when the store cannot be read and no session key is set.
	 */
	async get(origin: string): Promise<string | undefined> {
		await this.writing;
		const key = this.session.get(origin);
		return this.remember(key ?? (await guarded(() => this.storage.get(storageKey(origin)))));
	}

	/** Keeps a key. Throws `KeyStoreError` when the store refuses it. */
	async set(origin: string, key: string): Promise<void> {
		this.remember(key);
		await this.write(() => this.storage.store(storageKey(origin), key));
		this.session.delete(origin);
	}

	/** Keeps a key in memory until the window closes. */
	setForSession(origin: string, key: string): void {
		this.remember(key);
		this.session.set(origin, key);
		this.changed.fire();
	}

	/** Forgets the key of an origin, wherever it is. */
	async remove(origin: string): Promise<void> {
		this.session.delete(origin);
		await this.write(() => this.storage.delete(storageKey(origin)));
		this.changed.fire();
	}

	/** Every key seen so far, for the log's redaction. Never leaves the extension host. */
	known(): readonly string[] {
		return [...this.seen];
	}

	private write(change: () => Thenable<void>): Promise<void> {
		const written = guarded(change);
		this.writing = Promise.allSettled([this.writing, written]);
		return written;
	}

	private remember(key: string | undefined): string | undefined {
		if (key) {
			this.seen.add(key);
		}
		return key;
	}
}

async function guarded<T>(use: () => Thenable<T>): Promise<T> {
	try {
		return await use();
	} catch (error) {
		throw new KeyStoreError("The key store failed", { cause: toError(error) });
	}
}
