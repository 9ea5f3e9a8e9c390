import { BlockList, isIP } from "node:net";

/**
 * Whether an IP address is reachable from the whole internet: not private, loopback, link-local, shared, reserved or multicast. Returns false for
 * text that isn't an IP address. docs/security.md.
 * @see https://www.iana.org/assignments/iana-ipv4-special-registry and iana-ipv6-special-registry
 */
export function isPublicAddress(address: string): boolean {
	const plain = address.replace(/%.*$/, "");
	const family = isIP(plain);
	if (family === 4) {
		return !special4.check(plain);
	}
	if (family !== 6) {
		return false;
	}
	const embedded = embeddedIpv4(plain);
	return embedded === undefined ? !special6.check(plain, "ipv6") : !special4.check(embedded);
}

/** Returns the IPv4 address inside a mapped (`::ffff:0:0/96`) or translated (`64:ff9b::/96`) one. RFC 4291 §2.5.5, RFC 6052 §2.1. */
function embeddedIpv4(address: string): string | undefined {
	const written = new URL(`http://[${address}]/`).hostname.slice(1, -1);
	const match = /^(?:::ffff:|64:ff9b::)([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(written);
	if (!match) {
		return undefined;
	}
	const [high, low] = [match[1], match[2]].map(part => Number.parseInt(part ?? "", 16));
	return high === undefined || low === undefined
		? undefined
		: [high >> 8, high & 255, low >> 8, low & 255].join(".");
}

const special4 = blockList("ipv4", [
	"0.0.0.0/8",
	"10.0.0.0/8",
	"100.64.0.0/10",
	"127.0.0.0/8",
	"169.254.0.0/16",
	"172.16.0.0/12",
	"192.0.0.0/24",
	"192.0.2.0/24",
	"192.88.99.0/24",
	"192.168.0.0/16",
	"198.18.0.0/15",
	"198.51.100.0/24",
	"203.0.113.0/24",
	"224.0.0.0/4",
	"240.0.0.0/4",
]);

/** Everything outside 2000::/3, the only global unicast range, and the special ranges inside it. RFC 4291 §2.4. */
const special6 = blockList("ipv6", [
	"::/3",
	"4000::/2",
	"8000::/1",
	"2001::/23",
	"2001:db8::/32",
	"2002::/16",
	"3fff::/20",
]);

function blockList(family: "ipv4" | "ipv6", ranges: readonly string[]): BlockList {
	const list = new BlockList();
	for (const range of ranges) {
		const [network = "", prefix = "0"] = range.split("/");
		list.addSubnet(network, Number(prefix), family);
	}
	return list;
}

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
