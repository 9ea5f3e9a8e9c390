import { isRecord, parseJson } from "../../common/json.ts";
import { parseRetryAfter, pastDateMs } from "./retry.ts";

/** Returns a response header by its lower-case name. */
type HeaderOf = (name: string) => string | undefined;

/** Statuses whose headers and body say how long to wait. 529 is Anthropic's `overloaded_error`. */
const waitStatuses: ReadonlySet<number> = new Set([429, 503, 529]);

/**
 * Returns how long a response asks the client to wait, in milliseconds: by `Retry-After`, its relatives in milliseconds, the body, or else the
 * headers of an exhausted limit. Of statuses other than 429, 503 and 529 only `Retry-After` counts. Returns undefined if there is nothing usable.
 */
export function retryHint(
	status: number,
	headerOf: HeaderOf,
	body: string,
	nowMs: number,
): number | undefined {
	return waitStatuses.has(status)
		? (headerHint(headerOf, nowMs) ?? bodyHint(body, nowMs) ?? resetHint(headerOf, nowMs))
		: parseRetryAfter(headerOf("retry-after"), nowMs);
}

function headerHint(headerOf: HeaderOf, nowMs: number): number | undefined {
	const inMs = ["retry-after-ms", "x-ms-retry-after-ms"].map(name => numberIn(headerOf(name)));
	return inMs.find(ms => ms !== undefined) ?? parseRetryAfter(headerOf("retry-after"), nowMs);
}

/** Headers with the time until a limit is reset, and those with what is left of it. */
const resets: readonly (readonly [reset: string, remaining?: string])[] = [
	...["requests", "tokens", "input-tokens", "output-tokens"].map(
		what => [`anthropic-ratelimit-${what}-reset`, `anthropic-ratelimit-${what}-remaining`] as const,
	),
	...["requests", "tokens"].flatMap(what =>
		["", "-minute", "-hour", "-day"].map(
			span => [`x-ratelimit-reset-${what}${span}`, `x-ratelimit-remaining-${what}${span}`] as const,
		),
	),
	...["x-ratelimit", "ratelimit", "ratelimitbysize"].map(
		name => [`${name}-reset`, `${name}-remaining`] as const,
	),
	["x-ratelimit-timeremaining"],
	["x-ratelimit-reset-after"],
];

/** Returns the longest time until an exhausted limit is reset. A limit with something left isn't the reason. */
function resetHint(headerOf: HeaderOf, nowMs: number): number | undefined {
	const waits = resets
		.filter(([, left]) => left === undefined || (numberIn(headerOf(left)) ?? 0) <= 0)
		.map(([reset]) => waitIn(headerOf(reset), nowMs));
	// https://www.ietf.org/archive/id/draft-ietf-httpapi-ratelimit-headers-10.html
	const policies = (headerOf("ratelimit") ?? "").matchAll(/;\s*r=0\s*;\s*t=(\d{1,9})/g);
	const all = [...waits, ...Array.from(policies, ([, seconds]) => waitIn(seconds, nowMs))];
	const known = all.filter(wait => wait !== undefined);
	return known.length > 0 ? Math.max(...known) : undefined;
}

/** How deep and how many fields of a body are searched. */
const maxDepth = 6;
const maxFields = 200;

/** Returns the wait that a body states in a field, in quoted headers, or in words. */
function bodyHint(body: string, nowMs: number): number | undefined {
	const fields: [name: string, value: unknown][] = [];
	const collect = (value: unknown, depth: number): void => {
		for (const [name, field] of Object.entries(typeof value === "object" ? (value ?? {}) : {})) {
			if (fields.length < maxFields && depth < maxDepth) {
				fields.push([name.toLowerCase(), field]);
				collect(field, depth + 1);
			}
		}
	};
	collect(parseJson(body), 0);
	const headers = new Map(fields);
	const headerOf: HeaderOf = name => {
		const value = headers.get(name);
		return typeof value === "string" || typeof value === "number" ? String(value) : undefined;
	};
	const stated = fields.map(([name, value]) => fieldHint(name, value, nowMs));
	return (
		stated.find(wait => wait !== undefined) ??
		headerHint(headerOf, nowMs) ??
		resetHint(headerOf, nowMs) ??
		wordsHint(body, nowMs)
	);
}

const waitField =
	/^(?:retry[_-]?(?:after|in|delay)|wait(?:[_-]?time)?|estimated_time|reset[_-]?after)[_-]?(ms|milliseconds|s|secs?|seconds)?$/;

/** Reads a field such as `retryDelay` of Google's `RetryInfo`: seconds, a text, or an object with `seconds`. */
function fieldHint(name: string, value: unknown, nowMs: number): number | undefined {
	const [isWait, unit = ""] = waitField.exec(name) ?? [];
	if (isWait === undefined) {
		return undefined;
	}
	const amount = isRecord(value) ? value["seconds"] : value;
	return unit.startsWith("m") ? numberIn(amount) : waitIn(String(amount), nowMs);
}

const amount = String.raw`\d{1,9}(?:\.\d{1,12})?`;
/** Units in any language that servers write, with their length in milliseconds. */
const units: readonly (readonly [pattern: string, ms: number])[] = [
	["ms|msecs?|milliseconds?|毫秒", 1],
	["s|secs?|seconds?|秒", 1_000],
	["m|mins?|minutes?|分钟|分", 60_000],
	["h|hrs?|hours?|小时", 3_600_000],
	["d|days?|天", 86_400_000],
];
const anyUnit = units.map(([pattern]) => pattern).join("|");
const piece = String.raw`${amount}\s?(?:${anyUnit})(?![a-z])`;
/** One or more amounts with units, such as `1m26.4s` or `1 minute and 5 seconds`. */
const duration = String.raw`${piece}(?:(?:,? and |,? )?${piece}){0,3}`;
const moment = String.raw`\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)`;
const wholeDuration = new RegExp(`^${duration}$`, "i");
const wholeMoment = new RegExp(`^${moment}$`);
const written = new RegExp(
	String.raw`\b(?:re-?try(?:ing)?|try(?:ing)? again|available|wait|resets?)\b[^.\d\n]{0,40}(${moment}|${duration})`,
	"i",
);
/** The field of Google's `RetryInfo` in a body that a gateway quotes. */
const quotedField = new RegExp(String.raw`\bretryDelay[\\"']{1,8}:\s?[\\"']{1,8}(${duration})`);
const writtenBefore = new RegExp(String.raw`(${duration})\s?(?:之?后|以后)`);

/** How much of a body is searched for words. */
const maxSearched = 4_000;

function wordsHint(body: string, nowMs: number): number | undefined {
	const start = body.slice(0, maxSearched);
	const found = [written, quotedField, writtenBefore].map(pattern => pattern.exec(start)?.[1]);
	return waitIn(
		found.find(wait => wait !== undefined),
		nowMs,
	);
}

/** Numbers from here on are a moment since 1970, in seconds or milliseconds. */
const firstMoment = 1_000_000_000;

/** Reads seconds, a duration with units, or a moment. Returns milliseconds. */
function waitIn(value: string | undefined, nowMs: number): number | undefined {
	const text = value?.trim() ?? "";
	const number = numberIn(text);
	if (number !== undefined) {
		const isMs = number >= firstMoment * 1_000;
		return number < firstMoment
			? Math.round(number * 1_000)
			: Math.max(number * (isMs ? 1 : 1_000) - nowMs, pastDateMs);
	}
	if (wholeMoment.test(text)) {
		return Math.max(Date.parse(text) - nowMs, pastDateMs);
	}
	return wholeDuration.test(text) ? durationMs(text) : parseRetryAfter(text, nowMs);
}

function durationMs(text: string): number {
	const parts = text.matchAll(new RegExp(String.raw`(${amount})\s?(${anyUnit})(?![a-z])`, "gi"));
	return Math.round(
		Array.from(parts, ([, many, unit = ""]) => Number(many) * unitMs(unit)).reduce(
			(a, b) => a + b,
			0,
		),
	);
}

function unitMs(unit: string): number {
	return units.find(([pattern]) => new RegExp(`^(?:${pattern})$`, "i").test(unit))?.[1] ?? 0;
}

function numberIn(value: unknown): number | undefined {
	const text = typeof value === "number" || typeof value === "string" ? String(value).trim() : "";
	return /^\d{1,15}(?:\.\d{1,12})?$/.test(text) ? Number(text) : undefined;
}
