import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import * as l10n from "@vscode/l10n";
import type { HostAddress, HostLookup } from "../../client/transport/transport.ts";
import { isPublicAddress } from "../../common/publicAddress.ts";
import { assumptions } from "../../client/contract/schemas.ts";
import type { Connection } from "../../client/contract/serviceClient.ts";
import { Download } from "../../client/download.ts";
import type { Clock } from "../../common/async.ts";

/** Thrown for an address that clips are not downloaded from. The message is the reason. */
export class AddressRefusedError extends Error {
	override readonly name = "AddressRefusedError";
}

export type Resolve = (hostname: string) => Promise<readonly HostAddress[]>;

interface CheckedAddress {
	readonly url: URL;
	/** Has the service's own origin, so it may be on this machine and use plain http. */
	readonly isOwnOrigin: boolean;
}

/** Checks a clip's URL: `https` or the service's origin, public, no user name. Throws `AddressRefusedError`. docs/security.md. */
function checkAddress(text: string, serviceBaseUrl: string, base?: URL): CheckedAddress {
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
function publicLookup(resolve: Resolve = resolveBySystem): HostLookup {
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

export interface ClipRequest {
	readonly address: string;
	/** The service that provided the address. */
	readonly connection: Connection;
	readonly signal: AbortSignal;
	readonly clock: Clock;
	/** Looks up hosts; the system's lookup by default. */
	readonly resolve?: Resolve | undefined;
}

const maxRedirects = 5;
const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Requests a clip; redirects pass the same checks. Throws `AddressRefusedError`, `ServiceError` or `AbortError`. */
export async function requestClip(request: ClipRequest): Promise<Download> {
	const { connection, signal, clock } = request;
	let checked = checkAddress(request.address, connection.baseUrl, baseOf(request));
	for (let hops = 0; hops <= maxRedirects; hops += 1) {
		const lookup = checked.isOwnOrigin ? anyLookup : publicLookup(request.resolve);
		await checkHost(checked, request);
		const download = await Download.open({
			url: checked.url,
			connection,
			lookup,
			signal,
			clock,
		});
		if (!redirects.has(download.status)) {
			return download;
		}
		const location = download.header("location");
		download.close();
		if (location === undefined) {
			throw new AddressRefusedError(l10n.t("it redirects to an unknown place"));
		}
		const next = checkAddress(location, connection.baseUrl, checked.url);
		if (checked.url.protocol === "https:" && next.url.protocol !== "https:") {
			throw new AddressRefusedError(l10n.t("it redirects to an address without https"));
		}
		checked = next;
	}
	throw new AddressRefusedError(l10n.t("it redirects too many times"));
}

/** A relative or absolute path in a URL. Two leading slashes would name another host. */
const path = /^(?!\/\/)[^\s\\]*[/.][^\s\\]*$/;

/** Base of a URL without a host: the service's own origin. docs/interface.md. */
function baseOf({ address, connection: { baseUrl } }: ClipRequest): URL | undefined {
	return path.test(address) && URL.canParse(baseUrl)
		? new URL(assumptions.videoUrlBase, baseUrl)
		: undefined;
}

/** Checks a host's addresses before sending. Leaves a name that can't be resolved here to the connection or proxy. */
async function checkHost(
	{ url, isOwnOrigin }: CheckedAddress,
	request: ClipRequest,
): Promise<void> {
	if (isOwnOrigin || isIP(url.hostname.replace(/^\[|\]$/g, "")) !== 0) {
		return;
	}
	try {
		await publicLookup(request.resolve)(url.hostname);
	} catch (error) {
		if (error instanceof AddressRefusedError) {
			throw error;
		}
	}
}
