import * as fs from "node:fs/promises";
import { type Connection, type Download, ServiceError } from "../client/index.ts";
import { type Clock, delay } from "../common/async.ts";
import { AddressRefusedError, type Resolve } from "./clipAddress.ts";
import { systemCode } from "./atomicFile.ts";
import { formatProbeBytes, recogniseClip } from "./clipFormat.ts";
import { type ClipPart, findFinished, openPart } from "./clipPart.ts";
import {
	brokenOff,
	changedError,
	compressedError,
	contentRange,
	continues,
	isCompressed,
	isPassing,
	statusError,
	validatorOf,
	wholeNumber,
} from "./clipAnswer.ts";
import { requestClip } from "./clipRequest.ts";
import type { DownloadEnding } from "./jobTransitions.ts";
import { videoFailureOf } from "./videoFailure.ts";
import type { ClipTarget } from "./videoJob.ts";

/** A clip to fetch. */
export interface ClipDownload {
	readonly address: string;
	/** The service that named the address. */
	readonly connection: Connection;
	readonly target: ClipTarget;
	/** The job that the clip is of. */
	readonly owner: string;
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

/** Attempts in a row that may bring no byte. docs/faults.md, class F. */
const maxIdleAttempts = 5;
const maxBackoffMs = 8_000;
const maxWishedMs = 60_000;
const maxRestarts = 1;
const maxWrongTries = 1;

/** One attempt: an ending, or why there should be another. */
type Attempt =
	| { readonly kind: "ended"; readonly outcome: DownloadEnding }
	| { readonly kind: "whole" }
	| { readonly kind: "cut"; readonly error: unknown }
	/** What is on the disk is not part of what the service has now (row J16). */
	| { readonly kind: "changed" }
	| { readonly kind: "wrong"; readonly outcome: DownloadEnding };

/**
 * Fetches a clip into `NAME.part`, checks it and gives it its name. Goes on where it stopped, also after a restart of the
 * program. `linkExpired` may be cured by a fresh address. Throws `AbortError`, and errors of programming. Rows J12–J17.
 */
export async function downloadClip(download: ClipDownload): Promise<DownloadEnding> {
	let part: ClipPart | undefined;
	try {
		const finished = await findFinished(download.target, download.owner);
		if (finished) {
			return { name: "ready", ...finished, savedAt: download.clock.now() };
		}
		part = await openPart(download.target, download.owner);
		return await fetchOrTidy(download, part);
	} catch (error) {
		const code = systemCode(error);
		if (code === "" || error instanceof ServiceError) {
			throw error;
		}
		return await cannotSave(download, part, code);
	} finally {
		await part?.close();
	}
}

/** A download that failed leaves no part without bytes in the person's folder. */
async function fetchOrTidy(download: ClipDownload, part: ClipPart): Promise<DownloadEnding> {
	const ending = await fetchUntilWhole(download, part);
	if (ending.name !== "ready" && part.size === 0) {
		await part.discard();
	}
	return ending;
}

async function fetchUntilWhole(download: ClipDownload, part: ClipPart): Promise<DownloadEnding> {
	let idle = 0;
	let restarts = 0;
	let wrongTries = 0;
	for (;;) {
		const before = part.size;
		const attempt = await fetchOnce(download, part);
		switch (attempt.kind) {
			case "ended":
				return attempt.outcome;
			case "whole":
				return await finish(download, part);
			case "changed":
				restarts += 1;
				await part.restart({});
				if (restarts > maxRestarts) {
					return failed(changedError(download.address));
				}
				break;
			case "wrong":
				wrongTries += 1;
				if (wrongTries > maxWrongTries) {
					await part.discard();
					return attempt.outcome;
				}
				await part.restart({});
				break;
			case "cut":
				idle = part.size > before ? 0 : idle + 1;
				if (idle > maxIdleAttempts || !isPassing(attempt.error)) {
					return failed(attempt.error);
				}
		}
		await delay(pauseMs(download, idle, attempt), download.signal, download.clock);
	}
}

async function fetchOnce(download: ClipDownload, part: ClipPart): Promise<Attempt> {
	const { validator } = part.tag;
	const canResume = part.size > 0 && validator !== undefined;
	let answer: Download | undefined;
	try {
		answer = await requestClip({
			...download,
			...(canResume ? { from: { start: part.size, validator } } : {}),
		});
		return (await judgeHead(download, part, answer)) ?? (await readBody(download, part, answer));
	} catch (error) {
		if (error instanceof AddressRefusedError) {
			const { address } = download;
			const reason = error.message;
			return { kind: "ended", outcome: { name: "addressRefused", reason, address } };
		}
		if (error instanceof ServiceError) {
			return { kind: "cut", error };
		}
		throw error;
	} finally {
		answer?.close();
	}
}

/** Reads the head of an answer and makes the part ready for its body; an attempt is returned when there is none to read. */
async function judgeHead(
	download: ClipDownload,
	part: ClipPart,
	answer: Download,
): Promise<Attempt | undefined> {
	const { status } = answer;
	if ([401, 403, 404, 410].includes(status)) {
		return { kind: "ended", outcome: { name: "linkExpired", status } };
	}
	if (status === 416) {
		return { kind: "changed" };
	}
	if (status !== 200 && status !== 206) {
		return { kind: "cut", error: statusError(answer) };
	}
	if (isCompressed(answer)) {
		return { kind: "cut", error: compressedError(answer) };
	}
	const range = status === 206 ? contentRange(answer) : undefined;
	const length = wholeNumber(answer.header("content-length"));
	const total = status === 206 ? range?.total : length;
	if (status === 206 && !continues(part, answer, range?.start, total)) {
		return { kind: "changed" };
	}
	const tooMuch = await checkSize(download, part, status === 206 ? part.size : 0, total);
	if (tooMuch) {
		return tooMuch;
	}
	if (status === 200) {
		await part.restart({ validator: validatorOf(answer), total });
	}
	return undefined;
}

async function readBody(
	download: ClipDownload,
	part: ClipPart,
	answer: Download,
): Promise<Attempt> {
	const { total } = part.tag;
	let isRecognised = part.size >= formatProbeBytes;
	for (let bytes = await answer.read(); bytes; bytes = await answer.read()) {
		if (part.size + bytes.length > download.maxBytes) {
			await part.discard();
			return tooLarge(download, undefined);
		}
		await part.append(bytes);
		if (!isRecognised && part.size >= formatProbeBytes) {
			isRecognised = true;
			if (!recogniseClip(await part.head())) {
				return wrong(answer, total ?? part.size);
			}
		}
		download.onProgress(part.size, total);
	}
	if (total !== undefined && part.size < total) {
		return { kind: "cut", error: brokenOff(answer) };
	}
	if (total !== undefined && part.size > total) {
		return { kind: "changed" };
	}
	return recogniseClip(await part.head()) ? { kind: "whole" } : wrong(answer, part.size);
}

async function finish(download: ClipDownload, part: ClipPart): Promise<DownloadEnding> {
	const format = recogniseClip(await part.head());
	if (!format) {
		return { name: "notAVideo", size: part.size };
	}
	const saved = await part.finish(format);
	return { name: "ready", ...saved, savedAt: download.clock.now() };
}

async function checkSize(
	download: ClipDownload,
	part: ClipPart,
	held: number,
	total: number | undefined,
): Promise<Attempt | undefined> {
	if (total === undefined) {
		return undefined;
	}
	if (total > download.maxBytes) {
		await part.discard();
		return tooLarge(download, total);
	}
	const free = await (download.freeBytes ?? systemFreeBytes)(download.target.folder);
	if (total - held > free) {
		await part.discard();
		return { kind: "ended", outcome: { name: "noRoom", needed: total - held, free } };
	}
	return undefined;
}

function tooLarge({ maxBytes }: ClipDownload, size: number | undefined): Attempt {
	return { kind: "ended", outcome: { name: "tooLarge", size, limit: maxBytes } };
}

function wrong(answer: Download, size: number): Attempt {
	const contentType = answer.header("content-type")?.slice(0, 100);
	return { kind: "wrong", outcome: { name: "notAVideo", contentType, size } };
}

async function cannotSave(
	download: ClipDownload,
	part: ClipPart | undefined,
	code: string,
): Promise<DownloadEnding> {
	const { folder } = download.target;
	if ((code === "ENOSPC" || code === "EDQUOT") && part) {
		const needed = Math.max(part.tag.total ?? part.size, 1);
		await part.discard();
		return { name: "noRoom", needed, free: await systemFreeBytes(folder) };
	}
	return { name: "cannotSave", code, folder };
}

async function systemFreeBytes(folder: string): Promise<number> {
	const { bavail, bsize } = await fs.statfs(folder);
	return bavail * bsize;
}

function pauseMs({ random }: ClipDownload, idle: number, attempt: Attempt): number {
	const wished =
		attempt.kind === "cut" && attempt.error instanceof ServiceError
			? attempt.error.retryAfterMs
			: undefined;
	return wished === undefined
		? Math.min(500 * 2 ** idle, maxBackoffMs) * random()
		: Math.min(wished, maxWishedMs);
}

function failed(error: unknown): DownloadEnding {
	return { name: "downloadFailed", failure: videoFailureOf(error) };
}
