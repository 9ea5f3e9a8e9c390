import * as fs from "node:fs/promises";
import { systemCode } from "../../common/errors.ts";
import type { Download } from "../../client/download.ts";
import { passingKinds, ServiceError, unsentKinds } from "../../client/contract/serviceError.ts";
import { delay } from "../../common/async.ts";
import { AddressRefusedError, type ClipRequest, requestClip } from "./clipAddress.ts";
import { formatProbeBytes, detectClipFormat, ClipPart, findNamed, nameClip } from "./clipFile.ts";
import type { DownloadEnding } from "../job/jobTransitions.ts";
import { videoFailureOf, type ClipFormat, type ClipTarget } from "../job/videoJob.ts";

export interface ClipDownload extends ClipRequest {
	readonly jobId: string;
	/** Destination folder, with a name if an earlier session may have named the clip. */
	readonly target: ClipTarget;
	/** The preferred name without extension. */
	readonly baseName: string;
	/** Called before the file gets its name, so that the clip is found after a crash. */
	readonly onNamed: (target: ClipTarget) => Promise<void>;
	readonly maxBytes: number;
	readonly random: () => number;
	/** Called with the bytes on disk. */
	readonly onProgress: (received: number, total: number | undefined) => void;
	/** Returns the free bytes of a folder; reported by the system by default. */
	readonly freeBytes?: ((folder: string) => Promise<number>) | undefined;
}

/** The most requests for a clip. docs/faults.md, class F. */
const maxAttempts = 6;
/** The most requests if the response isn't a video. */
const maxWrongAttempts = 2;
const maxBackoffMs = 8_000;
const maxWishedMs = 60_000;

/** Result of one request: an ending, or why to try again. */
type Attempt =
	| { readonly kind: "ended"; readonly ending: DownloadEnding }
	| { readonly kind: "whole"; readonly format: ClipFormat; readonly size: number }
	| { readonly kind: "cut"; readonly error: unknown }
	| { readonly kind: "wrong"; readonly ending: DownloadEnding };

/**
 * Downloads a clip to a temporary file, checks it and gives it its name. Restarts interrupted downloads from the beginning, because clips are only a
 * few seconds long. After `linkExpired`, a new address may help. Throws `AbortError` and programming errors.
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

/** Deletes an incomplete file. */
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

/** Checks the response headers. Returns an attempt if there is no body to read. */
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

/** Whether another attempt may succeed. docs/faults.md, class F. */
export function isTransientFailure(error: unknown): boolean {
	return (
		error instanceof ServiceError && (unsentKinds.has(error.kind) || passingKinds.has(error.kind))
	);
}

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

export function truncatedBodyError({ status, host }: Download): ServiceError {
	return new ServiceError("interrupted", { charge: "refused", status, host });
}

/** Parses a header's whole number. Returns undefined for anything else. */
export function wholeNumber(text: string | undefined): number | undefined {
	return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

/** Whether the body is compressed. Videos are never decompressed here. docs/security.md. */
export function isCompressed(answer: Download): boolean {
	const coding = answer.header("content-encoding")?.trim().toLowerCase() ?? "";
	return coding !== "" && coding !== "identity";
}

export function compressedError({ status, host }: Download): ServiceError {
	const detail = "the video came compressed, which was not asked for";
	return new ServiceError("unreadable", { charge: "refused", status, host, detail });
}
