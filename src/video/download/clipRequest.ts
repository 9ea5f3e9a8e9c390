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

/** Where a clip is asked for and with what. */
export interface ClipRequest {
	readonly address: string;
	readonly connection: Connection;
	readonly signal: AbortSignal;
	readonly clock: Clock;
	/** Finds hosts; the system unless told otherwise. */
	readonly resolve?: Resolve | undefined;
}

const maxRedirects = 5;
const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/**
 * Asks for a clip, following redirects that pass the same check as the address itself. Throws `AddressRefusedError`,
 * `ServiceError` or `AbortError`. Rows J12, T27.
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

/** A path as it is in an address, absolute or not; one that names another host begins with two slashes. */
const path = /^(?!\/\/)[^\s\\]*[/.][^\s\\]*$/;

/** Base of an address that is a path alone: the service's own origin, whose rules then hold. docs/interface.md. */
function baseOf({ address, connection: { baseUrl } }: ClipRequest): URL | undefined {
	return path.test(address) && URL.canParse(baseUrl)
		? new URL(assumptions.videoUrlBase, baseUrl)
		: undefined;
}

/**
 * Looks a host up before anything is sent. A name that this machine cannot find is left to the connection: behind a proxy
 * only the proxy may know it.
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
