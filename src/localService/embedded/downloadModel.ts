import { createHash } from "node:crypto";
import { createReadStream, existsSync } from "node:fs";
import { type FileHandle, mkdir, readFile, rename, rm, stat, statfs } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod/mini";
import { type Clock, delay, throwIfAborted } from "../../common/async.ts";
import { toError, systemCode } from "../../common/errors.ts";
import { parseJson } from "../../common/json.ts";
import { type KnownModelFile, knownModelFiles } from "../../common/knownModelFiles.ts";
import {
	defaultHub,
	type HubModel,
	type PullFailure,
	type PullProgress,
} from "../../common/modelSetup.ts";
import { currentHolder, isDead, Lease, silenceOf, takeLease } from "../../storage/lease.ts";
import { nodeFileSystem } from "../../storage/fileSystem.ts";
import { writeAtomically } from "../../storage/atomicFile.ts";
import { openPrivate } from "../../storage/privateFile.ts";
import { ProxyError } from "../base/proxyChoice.ts";
import { type HubFile, HubError, openFile, resolveChecked } from "./hubFile.ts";

export interface ModelDownloadOptions extends Omit<
	DownloadOptions,
	"name" | "sizeBytes" | "resolve"
> {
	readonly hub: string;
	/** The hub itself, whose hash counts if `hub` is a mirror; Hugging Face by default. */
	readonly origin?: string;
	/** Commit and hash of the model's file; those in the source by default. */
	readonly known?: KnownModelFile | undefined;
	/** Whether the user agreed to a file whose hash nobody names. */
	readonly isUnchecked?: boolean | undefined;
	readonly model: HubModel;
}

export interface DownloadOptions {
	/** Name of the file in `folder`. */
	readonly name: string;
	/** Its listed size in bytes. */
	readonly sizeBytes: number;
	/** Requests its URL, actual size and hash. */
	readonly resolve: () => Promise<HubFile>;
	/** Folder of the file. Other windows may use it at the same time. */
	readonly folder: string;
	readonly clock: Clock;
	/** Cancels the download. The partial file is kept and resumed by the next download. */
	readonly signal: AbortSignal;
	readonly onProgress: (progress: PullProgress) => void;
}

const progressMs = 200;
/** The most consecutive attempts without progress. */
const maxAttempts = 5;
const retryMs = 1_000;
/** Disk space to leave free, in bytes. */
const spareBytes = 200 * 1024 * 1024;
/** How many times larger than listed a file may be. */
const maxGrowth = 2;
const heartbeatMs = 5_000;
/** After how many milliseconds without a heartbeat another window's download counts as abandoned. */
const silentMs = 30_000;
const leasePollMs = 1_000;

const bytesSchema = z.instanceof(Uint8Array);

/** Record of a partial file. */
const partSchema = z.object({ sha256: z.string(), etag: z.optional(z.string()) });
type PartRecord = z.infer<typeof partSchema>;

/** Downloads a model from a hub, like `downloadFile`. */
export async function downloadModel(
	options: ModelDownloadOptions,
): Promise<PullFailure | undefined> {
	const {
		hub,
		origin = defaultHub,
		model,
		known = knownModelFiles[model.file],
		isUnchecked,
		...others
	} = options;
	return await downloadFile({
		...others,
		name: model.file,
		sizeBytes: model.sizeBytes,
		resolve: () => resolveChecked({ hub, origin }, model, known, others.signal, isUnchecked),
	});
}

/**
 * Downloads a file, or waits for another window's download of it. The file gets its name only when it is complete and its hash, if there is one, is correct. Resolves
 * to the reason if that fails. Rejects with `AbortError` if the signal aborts.
 */
export async function downloadFile(options: DownloadOptions): Promise<PullFailure | undefined> {
	const { folder, name, signal } = options;
	try {
		await mkdir(folder, { recursive: true, mode: 0o700 });
		const lease = await leaseOf(options);
		try {
			if (lease && !existsSync(join(folder, name))) {
				await download(options);
			}
			return undefined;
		} finally {
			await lease?.release();
		}
	} catch (error) {
		throwIfAborted(signal);
		return downloadFailure(error);
	}
}

/** Returns the reason why a download failed. */
export function downloadFailure(error: unknown): PullFailure {
	if (error instanceof HubError) {
		return error.failure;
	}
	if (["ENOSPC", "EDQUOT"].includes(systemCode(error) ?? "")) {
		return { reason: "noSpace", words: "" };
	}
	return { reason: "lost", words: toError(error).message };
}

/** Resolves to undefined once another window has downloaded the file. */
async function leaseOf(options: DownloadOptions): Promise<Lease | undefined> {
	const { folder, name, sizeBytes, clock, signal, onProgress } = options;
	const path = join(folder, name);
	const place = { files: nodeFileSystem, path: `${path}.lock`, clock };
	const holder = currentHolder();
	for (;;) {
		const isTaken = await takeLease(
			place,
			holder,
			found => isDead(found) || silenceOf(found, clock) > silentMs,
		);
		if (isTaken) {
			return new Lease(place, holder, heartbeatMs);
		}
		const { size } = await stat(`${path}.part`).catch(() => ({ size: 0 }));
		onProgress({ stage: "downloading", completedBytes: size, totalBytes: sizeBytes });
		await delay(leasePollMs, signal, clock);
		if (existsSync(path)) {
			return undefined;
		}
	}
}

async function download(options: DownloadOptions): Promise<void> {
	const { name, sizeBytes, resolve, folder, signal, clock, onProgress } = options;
	const path = join(folder, name);
	onProgress({ stage: "starting", completedBytes: 0, totalBytes: sizeBytes });
	const file = await resolve();
	if (file.sizeBytes > sizeBytes * maxGrowth) {
		throw new HubError("wrongFile");
	}
	const part = await PartFile.open(path, file, onProgress, clock);
	try {
		await checkSpace(folder, file.sizeBytes - part.size);
		for (let attempt = 0; part.size < file.sizeBytes;) {
			const before = part.size;
			try {
				await part.resume(signal);
			} catch (error) {
				attempt = part.size > before ? 0 : attempt + 1;
				rethrow(error, signal, attempt);
				await delay(retryMs * attempt, signal, clock);
			}
		}
		await part.sync();
	} finally {
		await part.close();
	}
	await verify(`${path}.part`, file, options);
	await rename(`${path}.part`, path);
	await rm(`${path}.part.json`, { force: true });
}

function rethrow(error: unknown, signal: AbortSignal, attempt: number): void {
	throwIfAborted(signal);
	const isFinal = error instanceof HubError || (error instanceof ProxyError && !error.isPassing);
	const isDisk = /^(?:ENOSPC|EDQUOT|EACCES|EROFS|EIO)$/.test(systemCode(error) ?? "");
	if (isFinal || isDisk || attempt >= maxAttempts) {
		throw error;
	}
}

async function checkSpace(folder: string, needed: number): Promise<void> {
	const { bavail, bsize } = await statfs(folder);
	if (bavail * bsize < needed + spareBytes) {
		throw new HubError("noSpace", String(needed + spareBytes - bavail * bsize));
	}
}

async function verify(
	path: string,
	{ sha256, sizeBytes }: HubFile,
	{ signal, onProgress, clock }: DownloadOptions,
): Promise<void> {
	if (sha256 === undefined) {
		return;
	}
	const hash = createHash("sha256");
	const meter = new Meter("verifying", sizeBytes, onProgress, clock);
	let read = 0;
	for await (const chunk of createReadStream(path, { signal, highWaterMark: 1024 * 1024 })) {
		const bytes = bytesSchema.parse(chunk);
		hash.update(bytes);
		read += bytes.length;
		meter.report(read);
	}
	if (hash.digest("hex") !== sha256) {
		await Promise.all([rm(path, { force: true }), rm(`${path}.json`, { force: true })]);
		throw new HubError("wrongFile");
	}
}

/** Reports progress a few times per second. */
class Meter {
	private readonly tell: (completedBytes: number) => void;
	private readonly clock: Clock;
	private at = -Infinity;

	constructor(
		stage: PullProgress["stage"],
		totalBytes: number,
		onProgress: DownloadOptions["onProgress"],
		clock: Clock,
	) {
		this.tell = completedBytes => onProgress({ stage, completedBytes, totalBytes });
		this.clock = clock;
	}

	report(completedBytes: number): void {
		const now = this.clock.monotonic();
		if (now - this.at >= progressMs) {
			this.at = now;
			this.tell(completedBytes);
		}
	}
}

class PartFile {
	private readonly path: string;
	private readonly file: HubFile;
	private readonly handle: FileHandle;
	private readonly meter: Meter;
	private part: PartRecord;
	size: number;

	/** Opens the partial file of an earlier download. Discards one of another version. */
	static async open(
		path: string,
		file: HubFile,
		onProgress: DownloadOptions["onProgress"],
		clock: Clock,
	): Promise<PartFile> {
		// Without its record, the partial file can't be used.
		const record = await readFile(`${path}.part.json`, "utf8").catch(() => "");
		const known = partSchema.safeParse(parseJson(record)).data;
		const sha256 = file.sha256 ?? "";
		const isSame = known?.sha256 === sha256;
		const handle = await openPrivate(`${path}.part`, isSame);
		const { size } = await handle.stat();
		const part = isSame ? known : { sha256 };
		const meter = new Meter("downloading", file.sizeBytes, onProgress, clock);
		const opened = new PartFile(path, file, handle, meter, part, size);
		await opened.keep(part);
		return opened;
	}

	private constructor(
		path: string,
		file: HubFile,
		handle: FileHandle,
		meter: Meter,
		part: PartRecord,
		size: number,
	) {
		this.path = path;
		this.file = file;
		this.handle = handle;
		this.meter = meter;
		this.part = part;
		this.size = size;
	}

	/** Downloads and writes the missing part. Rejects if the connection breaks. */
	async resume(signal: AbortSignal): Promise<void> {
		const answer = await openFile(this.file, this.size, this.part.etag, signal);
		const { statusCode: status, headers } = answer;
		const from = /^bytes (\d+)-/.exec(headers["content-range"] ?? "")?.[1];
		if (status === 416 || (status === 206 && Number(from) !== this.size)) {
			answer.destroy();
			await this.restart();
			throw new Error("the server has another part of the file");
		}
		if (status === 200 && this.size > 0) {
			await this.restart();
		}
		const { etag } = headers;
		if (etag?.startsWith('"') && etag !== this.part.etag) {
			await this.keep({ ...this.part, etag });
		}
		for await (const chunk of answer) {
			await this.write(bytesSchema.parse(chunk));
		}
		throwIfAborted(signal);
		if (this.size < this.file.sizeBytes) {
			throw new Error("the connection ended early");
		}
	}

	async sync(): Promise<void> {
		await this.handle.sync();
	}

	async close(): Promise<void> {
		await this.handle.close();
	}

	private async write(chunk: Uint8Array): Promise<void> {
		if (this.size + chunk.length > this.file.sizeBytes) {
			await this.restart();
			throw new HubError("wrongFile");
		}
		await this.handle.write(chunk, 0, chunk.length, this.size);
		this.size += chunk.length;
		this.meter.report(this.size);
	}

	private async restart(): Promise<void> {
		await this.handle.truncate(0);
		this.size = 0;
	}

	private async keep(part: PartRecord): Promise<void> {
		this.part = part;
		await writeAtomically(`${this.path}.part.json`, JSON.stringify(part));
	}
}
