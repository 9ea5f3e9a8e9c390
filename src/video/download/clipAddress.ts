import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import * as l10n from "@vscode/l10n";
import type { HostAddress, HostLookup } from "../../client/transport/transport.ts";
import { isPublicAddress } from "../../common/publicAddress.ts";

/** Thrown for an address that clips are not downloaded from. The message is the reason. */
export class AddressRefusedError extends Error {
	override readonly name = "AddressRefusedError";
}

export type Resolve = (hostname: string) => Promise<readonly HostAddress[]>;

export interface CheckedAddress {
	readonly url: URL;
	/** Has the service's own origin, so it may be on this machine and use plain http. */
	readonly isOwnOrigin: boolean;
}

/**
 * Checks a clip's URL: `https` or the service's own origin, no user name, no address of a private network. Throws `AddressRefusedError`.
 * docs/security.md.
 */
export function checkAddress(text: string, serviceBaseUrl: string, base?: URL): CheckedAddress {
	if (!URL.canParse(text, base?.href)) {
		throw new AddressRefusedError(l10n.t("it isn't a complete address"));
	}
	const url = new URL(text, base);
	const isOwnOrigin =
		/^https?:$/.test(url.protocol) &&
		URL.canParse(serviceBaseUrl) &&
		new URL(serviceBaseUrl).origin === url.origin;
	url.hash = "";
	if (url.username !== "" || url.password !== "") {
		throw new AddressRefusedError(l10n.t("it contains a user name or password"));
	}
	if (!isOwnOrigin && url.protocol !== "https:") {
		throw new AddressRefusedError(
			l10n.t("it starts with {0} instead of https:", url.protocol.slice(0, 20)),
		);
	}
	const host = url.hostname.replace(/^\[|\]$/g, "");
	const isPrivate = isIP(host) === 0 ? /(?:^|\.)localhost\.?$/.test(host) : !isPublicAddress(host);
	if (!isOwnOrigin && isPrivate) {
		throw new AddressRefusedError(l10n.t("it leads into a private network"));
	}
	return { url, isOwnOrigin };
}

/**
 * Creates a lookup that refuses a host if any of its addresses is private. The connection uses the checked addresses, so that changing the DNS record
 * between check and use has no effect. Throws `AddressRefusedError`. docs/security.md.
 */
export function publicLookup(resolve: Resolve = resolveBySystem): HostLookup {
	return async hostname => {
		const found = await resolve(hostname);
		if (found.some(({ address }) => !isPublicAddress(address))) {
			throw new AddressRefusedError(l10n.t("it leads into a private network"));
		}
		return found;
	};
}

/** A lookup without restrictions, for the service's own origin. */
export const anyLookup: HostLookup = hostname => resolveBySystem(hostname);

async function resolveBySystem(hostname: string): Promise<readonly HostAddress[]> {
	const found = await lookup(hostname, { all: true });
	return found.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }));
}
