import { describe, expect, test } from "vitest";
import {
	ServiceError,
	type ServiceErrorKind,
} from "../../../../src/client/contract/serviceError.ts";
import {
	noRepeats,
	planRepeat,
	type RepeatHistory,
	parseRetryAfter,
} from "../../../../src/client/request/retry.ts";

const now = Date.parse("Fri, 20 Nov 2026 12:00:00 GMT");

describe("G22: Retry-After", () => {
	test.each([
		["0", 0],
		["1", 1000],
		[" 7 ", 7000],
		["0.5", 500],
		["2.25", 2250],
		["60", 60_000],
		["61", 61_000],
		["86400", 86_400_000],
		["99999999999999999999", undefined],
		["9".repeat(400), undefined],
		["-5", undefined],
		["NaN", undefined],
		["Infinity", undefined],
		["1e3", undefined],
		["0x10", undefined],
		["", undefined],
		[undefined, undefined],
		["soon", undefined],
		["2026-11-20", undefined],
		["Fri, 20 Nov 2026 12:00:30 GMT", 30_000],
		["Friday, 20-Nov-26 12:00:30 GMT", 30_000],
		["Fri Nov 20 12:00:30 2026 GMT", 30_000],
		["Fri, 20 Nov 2026 11:00:00 GMT", 500],
		["Fri, 20 Nov 2026 12:00:00 GMT", 500],
		["Fri, 20 Nov 2026 13:00:00 GMT", 3_600_000],
		["Fri, 99 Nov 2026 12:00:00 GMT", undefined],
	])("G22, H8, H9: %j asks for %s ms", (value, ms) => {
		expect(parseRetryAfter(value, now)).toBe(ms);
	});

	test("G22: no wait is below 0 or above a minute, whatever the header says", () => {
		const values = [
			"0",
			"0.001",
			"59.999",
			"60",
			"60.001",
			"1e99",
			"-1",
			"7",
			"x",
			"Fri, 20 Nov 2026 12:01:01 GMT",
		];
		for (const value of values) {
			const plan = planRepeat("paid", rateLimited(parseRetryAfter(value, now)), noRepeats, () => 1);
			expect(plan?.delayMs ?? 0).toBeGreaterThanOrEqual(0);
			expect(plan?.delayMs ?? 0).toBeLessThanOrEqual(60_000);
		}
	});
});

function rateLimited(retryAfterMs: number | undefined): ServiceError {
	return new ServiceError("rateLimited", {
		charge: "refused",
		...(retryAfterMs === undefined ? {} : { retryAfterMs }),
	});
}

function failed(kind: ServiceErrorKind, charge: ServiceError["charge"] = "unknown"): ServiceError {
	return new ServiceError(kind, { charge });
}

/** The waits planned for a call that fails the same way for ever. */
function waits(repeatClass: "free" | "paid", error: ServiceError, random = 1): number[] {
	const delays: number[] = [];
	let history: RepeatHistory = noRepeats;
	for (;;) {
		const plan = planRepeat(repeatClass, error, history, () => random);
		if (!plan) {
			return delays;
		}
		delays.push(plan.delayMs);
		history = plan.history;
	}
}

describe("a paid call", () => {
	test.each<ServiceErrorKind>(["refused", "unknownHost", "unreachable"])(
		"N1, N2, N4: is repeated twice after %s, which sent nothing",
		kind => {
			expect(waits("paid", failed(kind, "notSent"))).toEqual([500, 1000]);
		},
	);

	test("N4: is not repeated when the same kind may have sent it", () => {
		expect(waits("paid", failed("unreachable"))).toEqual([]);
	});

	test("H8: is repeated twice after 429, by its wait", () => {
		expect(waits("paid", rateLimited(20_000))).toEqual([20_000, 20_000]);
		expect(waits("paid", rateLimited(60_000))).toEqual([60_000, 60_000]);
		expect(waits("paid", rateLimited(60_001))).toEqual([]);
		expect(waits("paid", rateLimited(undefined))).toEqual([500, 1000]);
	});

	const neverRepeated: readonly ServiceErrorKind[] = [
		...([
			"tls",
			"proxySignIn",
			"connectionLost",
			"noAnswer",
			"redirected",
			"webPage",
			"badRequest",
		] as const),
		...([
			"unauthorized",
			"forbidden",
			"notFound",
			"conflict",
			"tooLarge",
			"serverFailed",
			"busy",
		] as const),
		...([
			"rejected",
			"empty",
			"unreadable",
			"answerTooLarge",
			"noText",
			"interrupted",
			"endedEarly",
		] as const),
		...(["stalled", "invalidRequest"] as const),
	];
	test.each(neverRepeated)("G1: is never repeated after %s", kind => {
		for (const charge of ["notSent", "refused", "unknown"] as const) {
			expect(waits("paid", failed(kind, charge))).toEqual([]);
		}
	});
});

describe("a free call", () => {
	test("is repeated five times, 0.5·2ⁿ s apart, at most 8 s", () => {
		expect(waits("free", failed("serverFailed"))).toEqual([500, 1000, 2000, 4000, 8000]);
	});

	test("waits a part of that by chance", () => {
		expect(waits("free", failed("serverFailed"), 0.5)).toEqual([250, 500, 1000, 2000, 4000]);
		expect(waits("free", failed("serverFailed"), 0)).toEqual([0, 0, 0, 0, 0]);
	});

	test("waits no more than a minute in all", () => {
		expect(waits("free", rateLimited(25_000))).toEqual([25_000, 25_000]);
		expect(waits("free", rateLimited(60_000))).toEqual([60_000]);
		expect(waits("free", rateLimited(60_001))).toEqual([]);
	});

	test.each<ServiceErrorKind>([
		"tls",
		"proxySignIn",
		"redirected",
		"badRequest",
		"unauthorized",
		"notFound",
		"rejected",
		"empty",
		"unreadable",
		"answerTooLarge",
		"invalidRequest",
		"webPage",
	])("is not repeated after %s", kind => {
		expect(waits("free", failed(kind))).toEqual([]);
	});

	test("H13: is repeated after a gateway's page", () => {
		const page = new ServiceError("webPage", { charge: "unknown", status: 502 });
		expect(waits("free", page)).toHaveLength(5);
	});
});
