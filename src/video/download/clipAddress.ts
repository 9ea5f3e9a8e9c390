import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import * as l10n from "@vscode/l10n";
import type { HostAddress, HostLookup } from "../../client/transport/transport.ts";
import { isPublicAddress } from "../../common/publicAddress.ts";

/** Thrown for a host that no clip is fetched from; the message is the reason. Row J12. */
export class AddressRefusedError extends Error {
	override readonly name = "AddressRefusedError";
}

/** Asks the system for the addresses of a host. */
export type Resolve = (hostname: string) => Promise<readonly HostAddress[]>;

/** An address that may be fetched. */
export interface CheckedAddress {
	readonly url: URL;
	/** It is of the service's own origin, so it may be on this machine and in plain http. */
	readonly isOwnOrigin: boolean;
}

/**
 * Reads a clip's address: `https`, or the service's own origin; no user name; no address of a private network. Throws
 * `AddressRefusedError`. Rows J12, T27.
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
 * A lookup that refuses a host when any of its addresses is private. The connection is made to what was checked, so a name
 * that changes its mind between check and use gains nothing. Throws `AddressRefusedError`. Row T27.
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

/** A lookup that refuses nothing, for the service's own origin. */
export const anyLookup: HostLookup = hostname => resolveBySystem(hostname);

async function resolveBySystem(hostname: string): Promise<readonly HostAddress[]> {
	const found = await lookup(hostname, { all: true });
	return found.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }));
}
