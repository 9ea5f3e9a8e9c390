import * as fs from "node:fs/promises";
import type { Connection } from "../../client/contract/serviceClient.ts";
import type { Download } from "../../client/download.ts";
import { ServiceError, type ServiceErrorKind } from "../../client/contract/errors.ts";
import { type Clock, delay } from "../../common/async.ts";
import { AddressRefusedError, type Resolve } from "./clipAddress.ts";
import { systemCode } from "../../storage/atomicFile.ts";
import { formatProbeBytes, detectClipFormat } from "./clipFormat.ts";
import { ClipPart, findNamed, nameClip } from "./clipFile.ts";
import { requestClip } from "./clipRequest.ts";
import type { DownloadEnding } from "../job/jobTransitions.ts";
import { videoFailureOf } from "../job/videoFailure.ts";
import type { ClipFormat, ClipTarget } from "../job/videoJob.ts";

/** A clip to fetch. */
export interface ClipDownload {
	readonly address: string;
	/** The service that named the address. */
	readonly connection: Connection;
	/** The job that the clip is of. */
	readonly jobId: string;
	/** Where the clip goes; with a name when an earlier program may have given it one. */
	readonly target: ClipTarget;
	/** The clip's name without its ending, unless another file has it. */
	readonly baseName: string;
	/** Hears of the clip's name before the file has it. */
	readonly onNamed: (target: ClipTarget) => Promise<void>;
	/** The most bytes it may have. Row J17. */
	readonly maxBytes: number;
	readonly clock: Clock;
	readonly random: () => number;
	readonly signal: AbortSignal;
	/** Hears how much is on the disk, in bytes. */
	readonly onProgress: (received: number, total: number | undefined) => void;
	readonly resolve?: Resolve | undefined;
	/** Bytes free where the clip goes; the system says it unless told otherwise. */
	readonly freeBytes?: ((folder: string) => Promise<number>) | undefined;
}

/** How often a clip is asked for in all. docs/faults.md, class F. */
const maxAttempts = 6;
/** How often in all when what came was no video. */
const maxWrongAttempts = 2;
const maxBackoffMs = 8_000;
const maxWishedMs = 60_000;

/** One attempt: an ending, or why there should be another. */
type Attempt =
	| { readonly kind: "ended"; readonly ending: DownloadEnding }
	| { readonly kind: "whole"; readonly format: ClipFormat; readonly size: number }
	| { readonly kind: "cut"; readonly error: unknown }
	| { readonly kind: "wrong"; readonly ending: DownloadEnding };

/**
 * Fetches a clip into a part file, checks it and gives it its name. A part that was cut is fetched again as a whole: clips are of a
 * few seconds. `linkExpired` may be cured by a fresh address. Throws `AbortError`, and errors of programming. Rows J12–J17.
 */
export async function downloadClip(download: ClipDownload): Promise<DownloadEnding> {
	try {
		const named = await findNamed(download.target, download.jobId);
		if (named) {
			return { name: "ready", ...named, savedAt: download.clock.now() };
		}
		return await fetchUntilWhole(download);
	} catch (error) {
		const code = systemCode(error);
		if (code === "" || error instanceof ServiceError) {
			throw error;
		}
		const { folder } = download.target;
		return { name: "cannotSave", code, folder };
	}
}

async function fetchUntilWhole(download: ClipDownload): Promise<DownloadEnding> {
	for (let attempts = 1; ; attempts += 1) {
		const attempt = await fetchOnce(download);
		switch (attempt.kind) {
			case "ended":
				return attempt.ending;
			case "whole":
				return await save(download, attempt);
			case "wrong":
				if (attempts >= maxWrongAttempts) {
					return attempt.ending;
				}
				break;
			case "cut":
				if (attempts >= maxAttempts || !isTransientFailure(attempt.error)) {
					return { name: "downloadFailed", failure: videoFailureOf(attempt.error) };
				}
		}
		await delay(pauseMs(download, attempts, attempt), download.signal, download.clock);
	}
}

/** A part stays only when it is whole. */
async function fetchOnce(download: ClipDownload): Promise<Attempt> {
	let answer: Download | undefined;
	let part: ClipPart | undefined;
	let isWhole = false;
	try {
		answer = await requestClip(download);
		const refusal = await judgeHead(download, answer);
		if (refusal) {
			return refusal;
		}
		part = await ClipPart.create(download.target.folder, download.jobId);
		const attempt = await readBody(download, part, answer);
		isWhole = attempt.kind === "whole";
		return attempt;
	} catch (error) {
		return await attemptOf(download, error, { part, answer });
	} finally {
		answer?.close();
		await (isWhole ? undefined : part?.discard());
	}
}

async function attemptOf(
	{ address, target, freeBytes }: ClipDownload,
	error: unknown,
	{ part, answer }: { readonly part: ClipPart | undefined; readonly answer: Download | undefined },
): Promise<Attempt> {
	if (error instanceof AddressRefusedError) {
		const reason = error.message;
		return { kind: "ended", ending: { name: "addressRefused", reason, address } };
	}
	if (error instanceof ServiceError) {
		return { kind: "cut", error };
	}
	const code = systemCode(error);
	if ((code === "ENOSPC" || code === "EDQUOT") && part && answer) {
		const needed = totalOf(answer) ?? Math.max(part.size, 1);
		await part.discard();
		const free = await (freeBytes ?? systemFreeBytes)(target.folder);
		return { kind: "ended", ending: { name: "noRoom", needed, free } };
	}
	throw error;
}

/** Reads the head of an answer; an attempt is returned when there is no body to read. */
async function judgeHead(download: ClipDownload, answer: Download): Promise<Attempt | undefined> {
	const { status } = answer;
	if ([401, 403, 404, 410].includes(status)) {
		return { kind: "ended", ending: { name: "linkExpired", status } };
	}
	if (status !== 200) {
		return { kind: "cut", error: statusError(answer) };
	}
	if (isCompressed(answer)) {
		return { kind: "cut", error: compressedError(answer) };
	}
	const total = totalOf(answer);
	if (total !== undefined && total > download.maxBytes) {
		return tooLarge(download, total);
	}
	const { folder } = download.target;
	await fs.mkdir(folder, { recursive: true });
	const free = total === undefined ? 0 : await (download.freeBytes ?? systemFreeBytes)(folder);
	return total !== undefined && total > free
		? { kind: "ended", ending: { name: "noRoom", needed: total, free } }
		: undefined;
}

async function readBody(
	download: ClipDownload,
	part: ClipPart,
	answer: Download,
): Promise<Attempt> {
	const total = totalOf(answer);
	let isRecognized = false;
	for (let bytes = await answer.read(); bytes; bytes = await answer.read()) {
		if (part.size + bytes.length > download.maxBytes) {
			return tooLarge(download, undefined);
		}
		await part.append(bytes);
		if (!isRecognized && part.size >= formatProbeBytes) {
			isRecognized = true;
			if (!detectClipFormat(await part.head())) {
				return wrong(answer, total ?? part.size);
			}
		}
		download.onProgress(part.size, total);
	}
	if (total !== undefined && part.size !== total) {
		return { kind: "cut", error: truncatedBodyError(answer) };
	}
	const format = detectClipFormat(await part.head());
	if (!format) {
		return wrong(answer, part.size);
	}
	await part.finish();
	return { kind: "whole", format, size: part.size };
}

async function save(
	download: ClipDownload,
	{ format, size }: { readonly format: ClipFormat; readonly size: number },
): Promise<DownloadEnding> {
	const { jobId, baseName, onNamed, target } = download;
	const saved = await nameClip({ folder: target.folder, jobId, baseName, format, size, onNamed });
	return { name: "ready", ...saved, savedAt: download.clock.now() };
}

function totalOf(answer: Download): number | undefined {
	return wholeNumber(answer.header("content-length"));
}

function tooLarge({ maxBytes }: ClipDownload, size: number | undefined): Attempt {
	return { kind: "ended", ending: { name: "tooLarge", size, limit: maxBytes } };
}

function wrong(answer: Download, size: number): Attempt {
	const contentType = answer.header("content-type")?.slice(0, 100);
	return { kind: "wrong", ending: { name: "notAVideo", contentType, size } };
}

async function systemFreeBytes(folder: string): Promise<number> {
	const { bavail, bsize } = await fs.statfs(folder);
	return bavail * bsize;
}

function pauseMs({ random }: ClipDownload, attempts: number, attempt: Attempt): number {
	const wished =
		attempt.kind === "cut" && attempt.error instanceof ServiceError
			? attempt.error.retryAfterMs
			: undefined;
	return wished === undefined
		? Math.min(500 * 2 ** attempts, maxBackoffMs) * random()
		: Math.min(wished, maxWishedMs);
}

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
