import { expect, test } from "vitest";
import { addedAddresses, webAddressesIn } from "../../../src/shared/webAddresses.ts";
import { cpuTimeOf } from "../../helpers/growth.ts";

test.each([
	["What does https://a.example/b?c=1 say?", "https://a.example/b?c=1"],
	["See https://a.example.", "https://a.example/"],
	["(https://a.example/b)", "https://a.example/b"],
	["[it](https://a.example/b), then", "https://a.example/b"],
	["<https://a.example/b>", "https://a.example/b"],
	['"https://a.example/b"', "https://a.example/b"],
	["`https://a.example/b`", "https://a.example/b"],
	["https://en.wiki.example/Foo_(bar)", "https://en.wiki.example/Foo_(bar)"],
	["HTTPS://A.Example/B", "https://a.example/B"],
	["https://a.example/b#part", "https://a.example/b"],
	["https://a.example/ページ を読んで", "https://a.example/%E3%83%9A%E3%83%BC%E3%82%B8"],
	["https://a.example/pageを読んで", "https://a.example/page"],
	["https://a.example/page。谢谢", "https://a.example/page"],
	["https://\u0430.example/", "https://xn--80a.example/"],
	[
		"当当网http://a.example/RUy3HJN《一尺闲梦》亚马逊http://b.example/RUyQxlU",
		"http://a.example/RUy3HJN",
	],
	[
		"当当网http://a.example/RUy3HJN《一尺闲梦》亚马逊http://b.example/RUyQxlU",
		"http://b.example/RUyQxlU",
	],
	["https://a.example：谢谢", "https://a.example/"],
	["看https://a.example，还有https://b.example/x", "https://a.example/"],
	["看https://a.example，还有https://b.example/x", "https://b.example/x"],
	[
		"https://archive.example/2020/https://a.example/",
		"https://archive.example/2020/https://a.example/",
	],
	["“https://a.example/q”", "https://a.example/q"],
	["https://a.example/what?", "https://a.example/what"],
	["http://a.example", "http://a.example/"],
	["**https://a.example/b**", "https://a.example/b"],
])("%s names %s", (text, address) => {
	expect(webAddressesIn(text)).toContain(address);
});

test.each([
	"a.example/b",
	"www.a.example",
	"file:///etc/passwd",
	"https://name:word@a.example/",
	"xhttps://a.example",
	"https:a.example",
])("%s names no address that is read without a question", text => {
	expect(webAddressesIn(text)).toEqual([]);
});

test("the beginning of a host, of a path or of a query is not an address that stands there", () => {
	const found = webAddressesIn("https://evil.docs.example/guide/part?page=2&of=3");
	expect(found).toEqual(["https://evil.docs.example/guide/part?page=2&of=3"]);
});

test("what is new in a text is what was added to it", () => {
	const before = "Read https://a.example/";
	expect(addedAddresses(before, `${before} and https://b.example/`)).toEqual([
		"https://b.example/",
	]);
	expect(addedAddresses(before, "Read https://a.example/x")).toEqual(["https://a.example/x"]);
});

test("a text of a million characters is looked at within a moment", () => {
	for (const text of [
		"https://a.example/,".repeat(50_000),
		"https://".repeat(120_000),
		`https://${"a,".repeat(500_000)}`,
	]) {
		expect(cpuTimeOf(() => webAddressesIn(text))).toBeLessThan(500);
	}
});
