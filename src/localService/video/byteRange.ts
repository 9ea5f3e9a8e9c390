/** The part of a file that a request asks for. RFC 9110 §14. */
export type ByteRange =
	| { readonly type: "whole" }
	/** `end` is the position of the last byte, as in `Content-Range`. */
	| { readonly type: "part"; readonly start: number; readonly end: number }
	| { readonly type: "unsatisfiable" };

/**
 * Parses a `Range` header for a file of `size` bytes. Returns the whole file for several ranges, other units and invalid ranges, as RFC 9110 §14.2
 * allows, and if `If-Range` names another version (§13.1.5).
 */
export function readRange(
	range: string | undefined,
	ifRange: string | undefined,
	file: { readonly size: number; readonly etag: string },
): ByteRange {
	const match = /^bytes=(?<first>\d*)-(?<last>\d*)$/i.exec(range?.trim() ?? "");
	const { first = "", last = "" } = match?.groups ?? {};
	const isOtherVersion = ifRange !== undefined && ifRange !== file.etag;
	if (!match || isOtherVersion || (first === "" && last === "")) {
		return { type: "whole" };
	}
	if (first !== "" && last !== "" && Number(first) > Number(last)) {
		return { type: "whole" };
	}
	const start = first === "" ? Math.max(0, file.size - Number(last)) : Number(first);
	const end = first === "" || last === "" ? file.size - 1 : Math.min(Number(last), file.size - 1);
	return start > end ? { type: "unsatisfiable" } : { type: "part", start, end };
}
