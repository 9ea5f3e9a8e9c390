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
