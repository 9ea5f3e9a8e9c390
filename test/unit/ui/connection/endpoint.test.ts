import { expect, test } from "vitest";
import { parseEndpoint } from "../../../../src/ui/connection/endpoint.ts";

test.each([
	["https://service.example.com", "https://service.example.com"],
	["  https://service.example.com/  ", "https://service.example.com"],
	["https://service.example.com/v1", "https://service.example.com"],
	["https://service.example.com/v1/", "https://service.example.com"],
	["https://service.example.com/base/v1", "https://service.example.com/base"],
	["https://SERVICE.example.com:8443/a/b/", "https://service.example.com:8443/a/b"],
	["http://127.0.0.1:4000", "http://127.0.0.1:4000"],
	["http://localhost:4000/v1", "http://localhost:4000"],
	["http://[::1]:4000", "http://[::1]:4000"],
])("keeps %j as %j", (text, baseUrl) => {
	expect(parseEndpoint(text)).toMatchObject({ ok: true, baseUrl });
});

test.each([
	["", /complete address/],
	["service.example.com", /complete address/],
	["ftp://service.example.com", /complete address/],
	["file:///etc/passwd", /complete address/],
	["javascript:alert(1)", /complete address/],
	["http://service.example.com", /Use https/],
	["http://127.0.0.1.example.com", /Use https/],
	["http://localhost.example.com", /Use https/],
	["https://user:pass@service.example.com", /user name/],
	["https://service.example.com?key=1", /after \? or #/],
	["https://service.example.com#x", /after \? or #/],
])("T3: refuses %j and says why", (text, sentence) => {
	expect(parseEndpoint(text)).toEqual({ ok: false, sentence: expect.stringMatching(sentence) });
});

test.each([
	["http://127.0.0.1:8188", true],
	["http://192.168.1.20:8188", true],
	["http://[fd00::5]:8188", true],
	["http://gpu:8188/v1", true],
	["http://gpu.local:8188", true],
	["http://100.103.78.84:11434/v1", true],
	["http://gpu.home.arpa", true],
	["https://openrouter.ai/api/v1", true],
	["http://gpu.example.com", false],
	["http://8.8.8.8:8188", false],
	["http://user:secret@192.168.1.20", false],
	["http://192.168.1.20/?a=1", false],
	["ftp://192.168.1.20", false],
	["gpu", false],
])("%s may be the address of a server: %s", (address, isOk) => {
	const checked = parseEndpoint(address);
	expect(checked.ok).toBe(isOk);
	if (checked.ok) {
		expect(checked.origin).toBe(new URL(address).origin);
	}
});

test("a query is for servers of models alone, and a fragment for none", () => {
	expect(parseEndpoint("https://a.example.com/v1?x=1", true)).toMatchObject({
		ok: true,
		baseUrl: "https://a.example.com?x=1",
	});
	expect(parseEndpoint("https://a.example.com/v1?x=1").ok).toBe(false);
	expect(parseEndpoint("https://a.example.com/v1#x", true).ok).toBe(false);
});
