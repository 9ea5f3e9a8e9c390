import type { ServiceError, ServiceErrorKind } from "../contract/errors.ts";

/**
 * `free` (class F): a lookup that may be repeated after any passing failure. `paid` (class P): whatever may cost money, which
 * is repeated only when provably not sent, or told 429. docs/faults.md.
 */
export type RepeatClass = "free" | "paid";

/** The repeats already spent on one call. */
export interface RepeatHistory {
	readonly repeats: number;
	readonly notSentRepeats: number;
	readonly rateLimitedRepeats: number;
	/** Sum of the pauses so far, in milliseconds. */
	readonly pausedMs: number;
}

/** A call that was not repeated yet. */
export const noRepeats: RepeatHistory = {
	repeats: 0,
	notSentRepeats: 0,
	rateLimitedRepeats: 0,
	pausedMs: 0,
};

/** A repeat the rules allow, after `delayMs` milliseconds. */
export interface PlannedRepeat {
	readonly delayMs: number;
	readonly reason: "notSent" | "rateLimited" | "failed";
	readonly history: RepeatHistory;
}

const maxFreeRepeats = 5;
const maxPaidRepeats = 2;
/** No single wait, and for free calls no sum of waits, is longer. */
const maxPauseMs = 60_000;
const firstBackoffMs = 500;
const maxBackoffMs = 8_000;

/** Nothing left the machine, and the next try may fare better. N4 is treated as N1 and N2: at most two more tries. */
const unsentKinds: ReadonlySet<ServiceErrorKind> = new Set([
	"refused",
	"unknownHost",
	"unreachable",
]);

/** Failures that pass by themselves, so a free call is worth repeating. Rows N6–N8, H5, H8–H12, H19. */
const passingKinds: ReadonlySet<ServiceErrorKind> = new Set([
	"connectionLost",
	"noAnswer",
	"conflict",
	"rateLimited",
	"serverFailed",
	"busy",
	"interrupted",
	"stalled",
]);

/**
 * Says whether and when a failed call is repeated. Waits follow `Retry-After` up to a minute and else 0.5·2ⁿ s, at most
 * 8 s, with full jitter from `random` (0 to 1); longer demands are left to the user. docs/faults.md, rows H8, H9.
 */
export function planRepeat(
	repeatClass: RepeatClass,
	error: ServiceError,
	history: RepeatHistory,
	random: () => number,
): PlannedRepeat | undefined {
	const reason = repeatReason(repeatClass, error, history);
	const delayMs = error.retryAfterMs ?? backoffMs(history.repeats, random);
	const pausedMs = history.pausedMs + delayMs;
	const isTooLong = delayMs > maxPauseMs || (repeatClass === "free" && pausedMs > maxPauseMs);
	if (!reason || isTooLong) {
		return undefined;
	}
	return {
		delayMs,
		reason,
		history: {
			repeats: history.repeats + 1,
			notSentRepeats: history.notSentRepeats + (reason === "notSent" ? 1 : 0),
			rateLimitedRepeats: history.rateLimitedRepeats + (reason === "rateLimited" ? 1 : 0),
			pausedMs,
		},
	};
}

function repeatReason(
	repeatClass: RepeatClass,
	error: ServiceError,
	history: RepeatHistory,
): PlannedRepeat["reason"] | undefined {
	const isFree = repeatClass === "free";
	if (isFree && history.repeats >= maxFreeRepeats) {
		return undefined;
	}
	if (error.charge === "notSent" && unsentKinds.has(error.kind)) {
		return isFree || history.notSentRepeats < maxPaidRepeats ? "notSent" : undefined;
	}
	if (error.kind === "rateLimited") {
		return isFree || history.rateLimitedRepeats < maxPaidRepeats ? "rateLimited" : undefined;
	}
	return isFree && isTransientFailure(error) ? "failed" : undefined;
}

/** H13: a gateway's error page passes; any other web page stays one. */
function isTransientFailure(error: ServiceError): boolean {
	return passingKinds.has(error.kind) || (error.kind === "webPage" && (error.status ?? 0) >= 500);
}

function backoffMs(repeats: number, random: () => number): number {
	return Math.round(random() * Math.min(maxBackoffMs, firstBackoffMs * 2 ** repeats));
}

/** The shortest wait a date in the past asks for, in milliseconds. Row H9. */
const pastDateMs = 500;

/**
 * Reads `Retry-After` (RFC 9110 §10.2.3) as milliseconds from `nowMs`: whole or fractional seconds, or an HTTP date, a past
 * one counting as half a second. A missing, negative, unreadable or absurdly large value gives nothing. Rows H8, H9.
 */
export function parseRetryAfter(value: string | undefined, nowMs: number): number | undefined {
	const text = value?.trim() ?? "";
	if (/^\d+(\.\d+)?$/.test(text)) {
		const ms = Number(text) * 1000;
		return Number.isSafeInteger(Math.round(ms)) ? Math.round(ms) : undefined;
	}
	// A date names its month; `Date.parse` alone would read "-5" or "1e3" as a year.
	const date = /^[A-Za-z]{3,9},? /.test(text) ? Date.parse(text) : Number.NaN;
	if (Number.isNaN(date)) {
		return undefined;
	}
	return date <= nowMs ? pastDateMs : date - nowMs;
}
