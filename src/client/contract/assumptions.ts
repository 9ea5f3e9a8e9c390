/**
 * Defaults for what the interface doesn't specify, all in this place. docs/interface.md. Settings that override them are passed in the `Connection`.
 */
export const assumptions = {
	/** Header and scheme of the key. Not specified in docs/interface.md §5. */
	auth: { header: "Authorization", scheme: "Bearer" },
	/** Path for uploads, and the multipart field of the file. Not specified in docs/interface.md §4.4. */
	files: { path: "/v1/files", field: "file" },
	/**
	 * Location of the file id in an upload's response: in a field `named` anywhere, otherwise in a field `bare` of one of `places`, otherwise at the
	 * top.
	 */
	fileId: { named: "file_id", bare: "id", places: ["file", "data"] },
	/** Role of a streamed message whose frames have none. docs/interface.md §6 rule 2. */
	answerRole: "assistant",
	/** Fields of an error body that may contain the message, in order of precedence. Not specified in docs/interface.md §7. */
	errorFields: ["message", "error", "detail", "errors"],
	/** Base of a `video_url` without scheme and host, on the endpoint's origin. Not specified in docs/interface.md §4.3. */
	videoUrlBase: "/",
} as const;

/**
 * Time limits of exchanges without streaming, in milliseconds; otherwise a response that trickles in would never time out. Uploads and downloads
 * allow for the largest file on a slow connection, answers for a slow model.
 */
export const totalMs = {
	lookup: 60_000,
	creation: 600_000,
	upload: 1_800_000,
	answer: 1_800_000,
	download: 3_600_000,
} as const;
