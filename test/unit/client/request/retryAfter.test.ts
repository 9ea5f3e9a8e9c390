import { expect, test } from "vitest";
import { retryHint } from "../../../../src/client/request/retryAfter.ts";
import { growth, linearGrowth } from "../../../helpers/growth.ts";

const now = Date.parse("2026-11-28T13:00:00Z");

function hint(headers: Readonly<Record<string, string>>, body: unknown = "", status = 429) {
	const text = typeof body === "string" ? body : JSON.stringify(body);
	return retryHint(status, name => headers[name], text, now);
}

test.each<readonly [Readonly<Record<string, string>>, number]>([
	[{ "retry-after": "39" }, 39_000],
	[{ "retry-after": "Sat, 28 Nov 2026 13:00:39 GMT" }, 39_000],
	[{ "retry-after-ms": "39000" }, 39_000],
	[{ "x-ms-retry-after-ms": "39000", "retry-after": "40" }, 39_000],
	[{ "x-ratelimit-reset-requests": "39s", "x-ratelimit-remaining-requests": "0" }, 39_000],
	[
		{
			"x-ratelimit-reset-requests": "1h2m3s",
			"x-ratelimit-remaining-requests": "58",
			"x-ratelimit-reset-tokens": "20ms",
			"x-ratelimit-remaining-tokens": "0",
		},
		20,
	],
	[
		{ "x-ratelimit-reset-tokens-minute": "11.38", "x-ratelimit-remaining-tokens-minute": "0" },
		11_380,
	],
	[{ "anthropic-ratelimit-input-tokens-reset": "2026-11-28T13:00:39Z" }, 39_000],
	[{ "x-ratelimit-reset": String(now / 1_000 + 39), "x-ratelimit-remaining": "0" }, 39_000],
	[{ "x-ratelimit-reset": String(now + 39_000) }, 39_000],
	[{ "x-ratelimit-reset-after": "39" }, 39_000],
	[{ "ratelimit-reset": "39", "ratelimit-remaining": "0" }, 39_000],
	[{ ratelimit: '"default";r=0;t=39' }, 39_000],
])("the headers %j ask for %i ms", (headers, ms) => {
	expect(hint(headers)).toBe(ms);
});

test.each<readonly [unknown, number]>([
	[
		[
			{
				error: {
					code: 429,
					message: "… Please retry in 39.137s.",
					details: [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "39s" }],
				},
			},
		],
		39_000,
	],
	[{ error: { details: [{ retryDelay: { seconds: 39, nanos: 5 } }] } }, 39_000],
	[{ error: { message: '429 {"error":{"details":[{"retryDelay":"39s"}]}}' } }, 39_000],
	[{ error: { metadata: { headers: { "X-RateLimit-Reset": String(now + 39_000) } } } }, 39_000],
	[{ error: "Model x is currently loading", estimated_time: 20.5 }, 20_500],
	[{ message: "Slow down", retry_after: 39 }, 39_000],
	[{ error: { message: "Slow down", retry_after_ms: 390 } }, 390],
	["Rate limit reached. Please try again in 1m26.4s. Visit …", 86_400],
	["Please try again in 6ms.", 6],
	["Please retry after 26 seconds.", 26_000],
	["Request was throttled. Expected available in 1 second.", 1_000],
	["Please wait 2 minutes and 5 seconds before the next request", 125_000],
	["Too many requests, retry after 2026-11-28T13:00:39Z", 39_000],
	["请在39秒后重试", 39_000],
])("the body %j asks for %i ms", (body, ms) => {
	expect(hint({}, body)).toBe(ms);
	expect(hint({}, body, 503)).toBe(ms);
});

test.each<readonly [Readonly<Record<string, string>>, unknown]>([
	[{}, ""],
	[{ "retry-after": "soon" }, "Slow down"],
	[{ "retry-after": "-5" }, "You may send 3 requests, then wait"],
	[{ "x-ratelimit-reset-requests": "39s", "x-ratelimit-remaining-requests": "4" }, ""],
	[{}, { error: { message: "Wait for 5 more people", retry_after: null } }],
	[{}, "limit of 30 requests per 60 seconds"],
])("nothing usable is in %j with %j", (headers, body) => {
	expect(hint(headers, body)).toBeUndefined();
});

test("a rejected request without a limit waits for nothing but its own header", () => {
	expect(hint({}, "Please try again in 39 s", 400)).toBeUndefined();
	expect(hint({ "retry-after": "2" }, "", 500)).toBe(2_000);
});

test.each(["try again ", "retry in 1", "1s ", '{"a":'])(
	"a body made of %j is searched in the time of its length",
	piece => {
		expect(growth(text => hint({}, text), piece)).toBeLessThan(linearGrowth);
	},
);
