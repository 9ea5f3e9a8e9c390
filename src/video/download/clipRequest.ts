import { assumptions } from "../../client/contract/assumptions.ts";
import type { Connection } from "../../client/contract/serviceClient.ts";
import { Download } from "../../client/download.ts";
import type { Clock } from "../../common/async.ts";
import { isIP } from "node:net";
import * as l10n from "@vscode/l10n";
import {
	AddressRefusedError,
	anyLookup,
	checkAddress,
	type CheckedAddress,
	publicLookup,
	type Resolve,
} from "./clipAddress.ts";

export interface ClipRequest {
	readonly address: string;
	readonly connection: Connection;
	readonly signal: AbortSignal;
	readonly clock: Clock;
	/** Looks up hosts; the system's lookup by default. */
	readonly resolve?: Resolve | undefined;
}

const maxRedirects = 5;
const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/**
 * Requests a clip and follows redirects that pass the same checks as the address itself. Throws `AddressRefusedError`, `ServiceError` or
 * `AbortError`. docs/security.md.
 */
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
		checked = checkAddress(location, connection.baseUrl, checked.url);
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

/**
 * Checks a host's addresses before sending anything. If this machine can't resolve the name, leaves it to the connection: behind a proxy, only the
 * proxy may be able to.
 */
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
