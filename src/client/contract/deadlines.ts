/**
 * How long an exchange that is no stream may take as a whole, in milliseconds: a reply that drips would hold its place for good.
 * An upload and a download have time for the largest file on a slow line, an answer for a slow model.
 */
export const totalMs = {
	lookup: 60_000,
	creation: 600_000,
	upload: 1_800_000,
	answer: 1_800_000,
	download: 3_600_000,
} as const;
