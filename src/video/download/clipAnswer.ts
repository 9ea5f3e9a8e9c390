import type { Download } from "../../client/download.ts";
import { ServiceError, type ServiceErrorKind } from "../../client/contract/errors.ts";

const passingKinds: ReadonlySet<ServiceErrorKind> = new Set([
	"refused",
	"unknownHost",
	"unreachable",
	"connectionLost",
	"noAnswer",
	"conflict",
	"rateLimited",
	"serverFailed",
	"busy",
	"interrupted",
	"stalled",
]);

/** Whether a download's failure passes by itself, so that another attempt is worth it. Class F. */
export function isTransientFailure(error: unknown): boolean {
	return error instanceof ServiceError && passingKinds.has(error.kind);
}

/** The failure that a status other than 2xx means for a download. */
export function statusError({ status, host }: Download): ServiceError {
	const kind =
		status === 429
			? "rateLimited"
			: status === 408 || status === 425
				? "conflict"
				: status >= 500
					? "serverFailed"
					: "badRequest";
	return new ServiceError(kind, { charge: "refused", status, host });
}

/** A body that ended before its stated length. Row J15. */
export function truncatedBodyError({ status, host }: Download): ServiceError {
	return new ServiceError("interrupted", { charge: "refused", status, host });
}

/** A header's whole number; undefined for anything else. */
export function wholeNumber(text: string | undefined): number | undefined {
	return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

/** Whether the bytes are packed; a video is never unpacked here (threat T26). */
export function isCompressed(answer: Download): boolean {
	const coding = answer.header("content-encoding")?.trim().toLowerCase() ?? "";
	return coding !== "" && coding !== "identity";
}

/** The failure that a packed video means. */
export function compressedError({ status, host }: Download): ServiceError {
	const detail = "the video came compressed, which was not asked for";
	return new ServiceError("unreadable", { charge: "refused", status, host, detail });
}
