import { type Download, ServiceError, type ServiceErrorKind } from "../client/index.ts";
import type { ClipPart } from "./clipPart.ts";

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
export function isPassing(error: unknown): boolean {
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
export function brokenOff({ status, host }: Download): ServiceError {
	return new ServiceError("interrupted", { charge: "refused", status, host });
}

/** Only what changes with every byte can vouch for a part; a weak tag cannot. RFC 9110 §8.8.1, §13.1.5. */
export function validatorOf(answer: Download): string | undefined {
	const tag = answer.header("etag");
	return tag?.startsWith('"')
		? tag
		: tag === undefined
			? answer.header("last-modified")
			: undefined;
}

/** Where a partial answer begins and how long the whole is. RFC 9110 §14.4. */
export function contentRange(
	answer: Download,
): { start: number; total: number | undefined } | undefined {
	const match = /^bytes (\d{1,15})-\d{1,15}\/(\d{1,15}|\*)$/.exec(
		answer.header("content-range") ?? "",
	);
	return match ? { start: Number(match[1]), total: wholeNumber(match[2]) } : undefined;
}

/** A continuation must begin where the part ends and be of the same version and length. Row J16. */
export function continues(
	part: Pick<ClipPart, "size" | "tag">,
	answer: Download,
	start: number | undefined,
	total: number | undefined,
): boolean {
	const validator = validatorOf(answer);
	// Without a validator no range was asked for, so a partial answer is a part of something else.
	return (
		part.size > 0 &&
		part.tag.validator !== undefined &&
		start === part.size &&
		(part.tag.total === undefined || total === part.tag.total) &&
		(validator === undefined || validator === part.tag.validator)
	);
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

/** The failure of a clip that is another one at every attempt. Row J16. */
export function changedError(address: string): ServiceError {
	const detail = "the video changed while it was fetched";
	return new ServiceError("unreadable", {
		charge: "refused",
		detail,
		...(URL.canParse(address) ? { host: new URL(address).host } : {}),
	});
}
