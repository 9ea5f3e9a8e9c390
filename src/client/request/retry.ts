import { passingKinds, type ServiceError, unsentKinds } from "../contract/serviceError.ts";

/**
 * `free` (class F): lookups, retried after any transient failure. `paid` (class P): requests that may be charged, retried only if provably not sent,
 * or on 429. docs/faults.md.
 */
export type RepeatClass = "free" | "paid";

/** The retries of a call so far. */
export interface RepeatHistory {
	readonly repeats: number;
	readonly notSentRepeats: number;
	readonly rateLimitedRepeats: number;
	/** Sum of the delays so far, in milliseconds. */
	readonly pausedMs: number;
}

/** The history of a call without retries. */
export const noRepeats: RepeatHistory = {
	repeats: 0,
	notSentRepeats: 0,
	rateLimitedRepeats: 0,
	pausedMs: 0,
};

/** A retry that the rules allow, after `delayMs` milliseconds. */
export interface PlannedRepeat {
	readonly delayMs: number;
	readonly reason: "notSent" | "rateLimited" | "failed";
	readonly history: RepeatHistory;
}

const maxFreeRepeats = 5;
const maxPaidRepeats = 2;
/** The longest single delay, and for free calls also the longest sum. */
const maxPauseMs = 60_000;
const firstBackoffMs = 500;
const maxBackoffMs = 8_000;

/**
 * Determines whether and when a failed call is retried. Delays follow `Retry-After` up to a minute, or else 0.5·2ⁿ s, at most 8 s, with full jitter
 * from `random` (0 to 1). Leaves longer waits to the user. docs/faults.md.
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
	// The local service has already waited for its model's server.
	if (error.kind === "rateLimited" && error.facts.reason === undefined) {
		return isFree || history.rateLimitedRepeats < maxPaidRepeats ? "rateLimited" : undefined;
	}
	return isFree && isTransientFailure(error) ? "failed" : undefined;
}

/** A gateway's error page is transient; any other HTML page isn't. */
function isTransientFailure(error: ServiceError): boolean {
	return passingKinds.has(error.kind) || (error.kind === "webPage" && (error.status ?? 0) >= 500);
}

function backoffMs(repeats: number, random: () => number): number {
	return Math.round(random() * Math.min(maxBackoffMs, firstBackoffMs * 2 ** repeats));
}

/** The wait until a date that has passed, in milliseconds. */
export const pastDateMs = 500;

/**
 * Parses `Retry-After` (RFC 9110 §10.2.3) to milliseconds from `nowMs`: whole or fractional seconds, or an HTTP date; a past one means half a second.
 * Returns undefined for a missing, negative, invalid or absurdly large value.
 */
export function parseRetryAfter(value: string | undefined, nowMs: number): number | undefined {
	const text = value?.trim() ?? "";
	if (/^\d+(\.\d+)?$/.test(text)) {
		const ms = Number(text) * 1000;
		return Number.isSafeInteger(Math.round(ms)) ? Math.round(ms) : undefined;
	}
	// Requires a weekday or month, because `Date.parse` would read "-5" or "1e3" as a year.
	const date = /^[A-Za-z]{3,9},? /.test(text) ? Date.parse(text) : Number.NaN;
	if (Number.isNaN(date)) {
		return undefined;
	}
	return date <= nowMs ? pastDateMs : date - nowMs;
}
