import { expect, test } from "vitest";
import { isPublicAddress } from "../../../src/common/publicAddress.ts";

test.each([
	"0.0.0.0",
	"10.0.0.1",
	"100.64.0.1",
	"127.0.0.1",
	"169.254.169.254",
	"172.16.0.1",
	"172.31.255.255",
	"192.168.1.1",
	"198.18.0.1",
	"224.0.0.1",
	"255.255.255.255",
	"::",
	"::1",
	"fc00::1",
	"fe80::1",
	"fe80::1%eth0",
	"ff02::1",
	"::ffff:10.0.0.1",
	"64:ff9b::7f00:1",
	"2002:7f00:1::",
	"2001:db8::1",
	"",
	"example.com",
	"8.8.8.8.8",
])("T27: %s is not a public address", address => {
	expect(isPublicAddress(address)).toBe(false);
});

/** The first and last address of every range of the registries, and the forms in which an IPv4 one hides in IPv6. */
const special: readonly string[] = [
	"0.0.0.1",
	"0.255.255.255",
	"10.0.0.0",
	"10.255.255.255",
	"100.64.0.0",
	"100.127.255.255",
	"127.0.0.0",
	"127.255.255.255",
	"169.254.0.0",
	"169.254.255.255",
	"172.16.0.0",
	"172.31.255.254",
	"192.0.0.0",
	"192.0.0.255",
	"192.0.2.0",
	"192.0.2.255",
	"192.88.99.1",
	"192.168.0.0",
	"192.168.255.255",
	"198.18.0.0",
	"198.19.255.255",
	"198.51.100.1",
	"203.0.113.1",
	"224.0.0.0",
	"239.255.255.255",
	"240.0.0.0",
	"255.255.255.254",
	"::2",
	"::ffff:127.0.0.1",
	"::ffff:7f00:1",
	"::ffff:169.254.169.254",
	"::ffff:c0a8:1",
	"0:0:0:0:0:ffff:10.1.2.3",
	"::127.0.0.1",
	"::10.0.0.1",
	"64:ff9b::10.0.0.1",
	"64:ff9b::a9fe:a9fe",
	"64:ff9b:1::1",
	"100::1",
	"2001::1",
	"2001:10::1",
	"2001:db8:ffff::1",
	"2002:a00:1::",
	"2002:c0a8:1::1",
	"3fff::1",
	"fc00::",
	"fdff:ffff::1",
	"fe80::",
	"febf::1",
	"fec0::1",
	"ff00::1",
	"ff0e::1",
	"fe80::1%25eth0",
	"4000::1",
	"8000::1",
];

test(`T27: none of ${special.length} private, reserved and translated addresses is a public one`, () => {
	expect(special.length).toBeGreaterThanOrEqual(49);
	expect(special.filter(isPublicAddress)).toEqual([]);
});

test.each([
	"8.8.8.8",
	"93.184.216.34",
	"172.32.0.1",
	"100.128.0.1",
	"2606:4700::1111",
	"::ffff:8.8.8.8",
	"64:ff9b::808:808",
])("T27: %s is a public address", address => {
	expect(isPublicAddress(address)).toBe(true);
});
