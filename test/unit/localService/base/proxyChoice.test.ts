import { describe, expect, test } from "vitest";
import { directNetwork, type NetworkSetup } from "../../../../src/client/transport/transport.ts";
import { proxyFor } from "../../../../src/localService/base/proxyChoice.ts";
import { growth, linearGrowth } from "../../../helpers/growth.ts";

const auto: NetworkSetup = { ...directNetwork, mode: "auto" };

/** The host and port of the proxy that is asked, or «none». */
function chosen(
	address: string,
	setup: Partial<NetworkSetup> = {},
	environment: Readonly<Record<string, string>> = {},
): string {
	const proxy = proxyFor(new URL(address), { ...auto, ...setup }, environment);
	return proxy ? `${proxy.host}:${proxy.port}` : "none";
}

describe("which proxy", () => {
	test.each<[string, Record<string, string>, string, string]>([
		["https by its own", { HTTPS_PROXY: "http://a:1" }, "https://x.example/", "a:1"],
		[
			"in small letters first",
			{ https_proxy: "b:2", HTTPS_PROXY: "a:1" },
			"https://x.example/",
			"b:2",
		],
		["https by the only one", { HTTP_PROXY: "a:1" }, "https://x.example/", "a:1"],
		["http by its own", { http_proxy: "a:1", https_proxy: "b:2" }, "http://x.example/", "a:1"],
		["http not by that of https", { HTTPS_PROXY: "a:1" }, "http://x.example/", "none"],
		[
			"an address without a scheme",
			{ HTTPS_PROXY: "proxy.corp:8080" },
			"https://x.example/",
			"proxy.corp:8080",
		],
		["the port of http", { HTTPS_PROXY: "http://p" }, "https://x.example/", "p:80"],
		["the port of https", { HTTPS_PROXY: "https://p" }, "https://x.example/", "p:443"],
		[
			"an address of IPv6",
			{ HTTPS_PROXY: "http://[fd00::1]:8" },
			"https://x.example/",
			"fd00::1:8",
		],
		["an empty variable", { https_proxy: "", HTTPS_PROXY: " " }, "https://x.example/", "none"],
	])("%s", (_what, environment, address, proxy) => {
		expect(chosen(address, {}, environment)).toBe(proxy);
	});

	test("the setting goes before the environment, and none is asked for with direct", () => {
		const environment = { HTTPS_PROXY: "http://env:1" };
		const setup = { proxy: "http://set:2" };
		expect(chosen("https://x.example/", setup, environment)).toBe("set:2");
		expect(chosen("https://x.example/", { ...setup, mode: "direct" }, environment)).toBe("none");
	});

	test.each([
		"http://localhost:11434/",
		"http://127.0.0.1/",
		"http://127.9.9.9:1/",
		"http://[::1]:1/",
		"http://ollama.localhost/",
		"http://0.0.0.0:11434/",
		"http://[::ffff:127.0.0.1]/",
	])("never for this machine: %s", address => {
		expect(chosen(address, { proxy: "http://p:1" })).toBe("none");
	});
});

describe("what is asked without one", () => {
	test.each<[entry: string, passes: readonly string[], proxied: readonly string[]]>([
		["*", ["https://x.example/", "http://10.0.0.1/"], []],
		[
			"example.com",
			["https://example.com/", "https://a.EXAMPLE.com./"],
			["https://notexample.com/"],
		],
		[".example.com", ["https://a.example.com/", "https://example.com/"], ["https://aexample.com/"]],
		["*.example.com", ["https://a.b.example.com/"], ["https://example.com/"]],
		["example.com:8443", ["https://example.com:8443/"], ["https://example.com/"]],
		["example.com:443", ["https://example.com/"], ["http://example.com/"]],
		["10.0.0.0/8", ["http://10.1.2.3:8000/"], ["http://11.1.2.3/", "http://ten.example/"]],
		["10.1.2.3", ["http://10.1.2.3/"], ["http://10.1.2.33/"]],
		["192.168.*", ["http://192.168.7.9/"], ["http://192.169.7.9/"]],
		[
			"gpu-*.corp",
			["http://gpu-7.corp/"],
			["http://cpu-7.corp/", "http://gpu-7.corp.evil.example/"],
		],
		["fd00::/8", ["http://[fd12::1]/"], ["http://[fe80::1]/"]],
		["[fd00::1]:8000", ["http://[fd00::1]:8000/"], ["http://[fd00::1]:8001/"]],
		["fd00:0::0001", ["http://[fd00::1]/"], ["http://[fd00::2]/"]],
		["<local>", ["http://gpu-box:8000/"], ["http://gpu.box/", "http://10.0.0.1/"]],
		["https://example.com/", ["https://example.com/"], ["https://other.com/"]],
		["10.0.0.0/99", [], ["http://10.0.0.1/"]],
		["", [], ["https://example.com/"]],
	])("%j", (entry, passes, proxied) => {
		for (const noProxy of [[entry], ["other.example", ` ${entry} `]]) {
			const setup = { proxy: "http://p:1", noProxy };
			expect(passes.map(address => chosen(address, setup))).toEqual(passes.map(() => "none"));
			expect(proxied.map(address => chosen(address, setup))).toEqual(proxied.map(() => "p:1"));
		}
	});

	test("the environment's list counts where the settings have none, with commas, blanks or semicolons", () => {
		const environment = { HTTP_PROXY: "p:1", NO_PROXY: "a.example, b.example;c.example d.example" };
		for (const host of ["a", "b", "c", "d"]) {
			expect(chosen(`http://${host}.example/`, {}, environment)).toBe("none");
			expect(chosen(`http://${host}.example/`, { noProxy: ["x"] }, environment)).toBe("p:1");
		}
	});

	test.each(["*", "*a", "a*", ".", ":", "[", "<local>", "1."])(
		"a list of %j is read in time",
		piece => {
			const look = (text: string): unknown =>
				chosen("http://aaaa.example/", { proxy: "p:1", noProxy: [text] });
			expect(growth(look, piece)).toBeLessThan(linearGrowth);
		},
	);
});

describe("its name and password", () => {
	const authorization = (proxy: string, proxyAuthorization = ""): string | undefined =>
		proxyFor(new URL("https://x.example/"), { ...auto, proxy, proxyAuthorization }, {})
			?.authorization;
	const basic = (text: string): string => `Basic ${Buffer.from(text).toString("base64")}`;

	test("come from its address, or from the setting before that", () => {
		expect(authorization("http://p:1")).toBeUndefined();
		expect(authorization("http://me:p%40ss@p:1")).toBe(basic("me:p@ss"));
		expect(authorization("http://me:100%@p:1")).toBe(basic("me:100%"));
		expect(authorization("http://me@p:1")).toBe(basic("me:"));
		expect(authorization("http://me:p@ss#wo/rd?@p:1")).toBe(basic("me:p@ss#wo/rd?"));
		expect(authorization("http://corp%5Cme:a:b@p:1")).toBe(basic(String.raw`corp\me:a:b`));
		expect(chosen("https://x.example/", { proxy: "http://me:p@ss#word@p.corp:8080" })).toBe(
			"p.corp:8080",
		);
		expect(chosen("https://x.example/", { proxy: "me:p#1@p.corp:8080" })).toBe("p.corp:8080");
		expect(authorization("http://me:x@p:1", "Bearer t")).toBe("Bearer t");
	});

	test.each([
		["http://me:secret@", "cannot be read"],
		["socks5://me:secret@proxy.corp:1080", "proxy.corp:1080 is one of socks5"],
	])("are in no failure: %s", (proxy, words) => {
		expect(() => authorization(proxy)).toThrow(words);
		expect(() => authorization(proxy)).toThrow(/^(?!.*(?:secret|cret@|me:))/);
	});
});
