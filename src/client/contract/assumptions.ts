/**
 * Points the interface leaves open and Cutaway settles: one named default each, in this one place. docs/interface.md. Where a
 * user can need another value, a setting overrides it and arrives in the `Connection`.
 */
export const assumptions = {
	/** Header that carries the key, and the word before it. Interface §5: not shown. */
	auth: { header: "Authorization", scheme: "Bearer" },
	/** Where a file is uploaded to, and the multipart field that holds it. Interface §4.4: not shown. */
	files: { path: "/v1/files", field: "file" },
	/** The reply to an upload holds the file's id as `named` anywhere, else as `bare` in one of `places`, else at the top. */
	fileId: { named: "file_id", bare: "id", places: ["file", "data"] },
	/** Role of a streamed message whose frames name none. Interface §6 rule 2. */
	answerRole: "assistant",
	/** Fields of an error body that may hold the service's words; first wins. Interface §7: not shown. */
	errorFields: ["message", "error", "detail", "errors"],
	/** Base of a `video_url` without scheme and host, on the endpoint's own origin. Interface §4.3: not shown. */
	videoUrlBase: "/",
} as const;

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
