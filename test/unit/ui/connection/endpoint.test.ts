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
