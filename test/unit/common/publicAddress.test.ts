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
