import { isLoopbackHost } from "../../client/transport/transport.ts";
import { isHouseHost } from "../../common/publicAddress.ts";
import type { StoredValue } from "../base/keptValue.ts";

/** What the user agreed to send to a host without encryption. */
type Consent = "text" | "key";

/** Returns the host of an address whose requests would travel unencrypted over a network, or undefined for any other address. */
export function plainHostOf(address: string): string | undefined {
	const url = URL.canParse(address) ? new URL(address) : undefined;
	return url?.protocol === "http:" && !isLoopbackHost(url.hostname) ? url.hostname : undefined;
}

/**
 * The hosts of the user's own network that plain http may go to, because the user agreed to that, and whether with a key. Kept where a workspace
 * can't write. docs/security.md.
 */
export class PlainHosts {
	private readonly memory: StoredValue;

	constructor(memory: StoredValue) {
		this.memory = memory;
	}

	/** The hosts that the user allowed. */
	get hosts(): readonly string[] {
		return Object.keys(this.consents());
	}

	/** Whether requests may go to an address: by https, to this machine, or to an allowed host of the user's network. */
	allows(address: string): boolean {
		const host = plainHostOf(address);
		return host === undefined || (isHouseHost(host) && Object.hasOwn(this.consents(), host));
	}

	/** Whether a key may go to an address. */
	allowsKey(address: string): boolean {
		const host = plainHostOf(address);
		return host === undefined || (this.allows(address) && this.consents()[host] === "key");
	}

	/** Allows an address's host. The consent for text is kept with that for the key. */
	allow(address: string, consent: Consent): void {
		const host = plainHostOf(address);
		if (host !== undefined) {
			this.memory.set({ ...this.consents(), [host]: this.allowsKey(address) ? "key" : consent });
		}
	}

	/** Asks again before anything goes to this host. */
	withdraw(host: string): void {
		this.memory.set(
			Object.fromEntries(Object.entries(this.consents()).filter(([name]) => name !== host)),
		);
	}

	private consents(): Readonly<Record<string, Consent>> {
		// Doesn't use a schema, because this file is loaded on activation.
		const kept = this.memory.get();
		const entries = typeof kept === "object" && kept !== null ? Object.entries(kept) : [];
		return Object.fromEntries(
			entries.filter(([, consent]) => consent === "text" || consent === "key"),
		);
	}
}

/** Returns memory that lasts as long as the window. */
export function windowMemory(): StoredValue {
	let kept: unknown;
	return {
		get: () => kept,
		set: value => {
			kept = value;
		},
	};
}
