import type * as vscode from "vscode";
import { Emitter, type Event, Disposable } from "../../common/disposable.ts";
import { toError } from "../../common/errors.ts";
import type { Log } from "../../common/log.ts";
import { PlainHosts, windowMemory } from "./plainHosts.ts";

/** The key store couldn't be read or written. */
export class KeyStoreError extends Error {
	override readonly name = "KeyStoreError";
}

const storageKey = (origin: string): string => `cutaway.apiKey ${origin}`;

/** Stores API keys in SecretStorage, each bound to its origin (docs/security.md), or in memory if the store fails. */
export class ApiKeys extends Disposable {
	/** The hosts that plain http may go to. No other gets a key unencrypted. */
	readonly plain: PlainHosts;
	private readonly storage: vscode.SecretStorage;
	private readonly session = new Map<string, string>();
	private readonly seen = new Set<string>();
	private writing: Promise<unknown> = Promise.resolve();
	private readonly changed = this.register(new Emitter<void>());
	/** Fires when a key changed, in this window or another. */
	readonly onDidChange: Event<void> = this.changed.event;

	constructor(storage: vscode.SecretStorage, plain = new PlainHosts(windowMemory())) {
		super();
		this.plain = plain;
		this.storage = storage;
		this.register(storage.onDidChange(() => this.changed.fire()));
	}

	/**
	 * Returns the key that may be sent to an origin, or undefined. Waits for pending writes, because unlocking the store may take a while. Throws
	 * `KeyStoreError` if the store can't be read and there is no session key.
	 */
	async get(origin: string): Promise<string | undefined> {
		return this.plain.allowsKey(origin) ? await this.saved(origin) : undefined;
	}

	/** Whether there is a key for an origin, even if it may not be sent. False if the store can't be read. */
	async holds(origin: string): Promise<boolean> {
		return (await this.saved(origin).catch(() => undefined)) !== undefined;
	}

	private async saved(origin: string): Promise<string | undefined> {
		await this.writing;
		const key = this.session.get(origin);
		return this.remember(key ?? (await guarded(() => this.storage.get(storageKey(origin)))));
	}

	/** Saves a key. Throws `KeyStoreError` if the store fails. */
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

	async remove(origin: string): Promise<void> {
		this.session.delete(origin);
		await this.write(() => this.storage.delete(storageKey(origin)));
		this.changed.fire();
	}

	/** Returns every key used so far, for redacting the log. Never leaves the extension host. */
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

/** Reads a key. If the key store fails, continues without: the server responds with 401, which the chat explains, and other servers still work. */
export async function readKey(
	keys: Pick<ApiKeys, "get">,
	origin: string,
	log: Log,
): Promise<string | undefined> {
	try {
		return await keys.get(origin);
	} catch (error) {
		if (!(error instanceof KeyStoreError)) {
			throw error;
		}
		log.warn("The key store could not be read", { origin });
		return undefined;
	}
}

/** Returns the header that carries a key; none without one. */
export function keyHeader(
	{ header, scheme }: { readonly header: string; readonly scheme: string },
	key: string | undefined,
): Record<string, string> {
	return key ? { [header.toLowerCase()]: [scheme, key].join(" ").trim() } : {};
}

async function guarded<T>(use: () => Thenable<T>): Promise<T> {
	try {
		return await use();
	} catch (error) {
		throw new KeyStoreError("The key store failed", { cause: toError(error) });
	}
}
