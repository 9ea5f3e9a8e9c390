import { isIP } from "node:net";
import { isPublicAddress } from "./publicAddress.ts";

/** Endings of names that can't exist publicly. RFC 6762, RFC 8375. */
const privateEnding = /\.(?:local|lan|internal|home\.arpa)\.?$/i;

/**
 * Whether a URL's host name can only be in the user's own network: an address that isn't public, such as 192.168.1.20 or Tailscale's 100.64.0.0/10,
 * a name without a dot, or one that ends in `.local` or the like. Also true for this machine.
 */
export function isHouseHost(hostname: string): boolean {
	const plain = hostname.replaceAll(/^\[|\]$/g, "");
	return isIP(plain) === 0
		? plain !== "" && (!plain.includes(".") || privateEnding.test(plain))
		: !isPublicAddress(plain);
}
