import * as l10n from "@vscode/l10n";
import type {
	Connection,
	ServiceClient,
	RequestNotice,
} from "../../client/contract/serviceClient.ts";
import { createServiceClient } from "../../client/createServiceClient.ts";
import { ServiceError } from "../../client/contract/serviceError.ts";
import { type Clock, throwIfAborted, type Limiter } from "../../common/async.ts";
import { isAbortError, toError } from "../../common/errors.ts";
import type { Log } from "../../common/log.ts";
import { AttachmentError } from "../contract/failures.ts";
import type { UploadRecords } from "./uploadRecords.ts";
import { createHash } from "node:crypto";

/** Content that can be hashed and sent. */
export interface UploadSource {
	readonly name: string;
	readonly mimeType: string;
	/** In bytes. */
	readonly size: number;
	hash(onProgress: (readBytes: number) => void, signal: AbortSignal): Promise<string>;
	/** Yields the bytes. Throws `AttachmentError` before the end if they don't match the hash. */
	bytes(expectedHash: string): AsyncIterable<Uint8Array>;
	close(): Promise<void>;
}

export type UploadStep =
	| { readonly type: "waiting" }
	| { readonly type: "hashing"; readonly readBytes: number }
	| { readonly type: "uploading"; readonly sentBytes: number; readonly retryInMs?: number };

/** Content that a service has. */
export interface HeldBytes {
	readonly fileId: string;
	/** Identifies the service and key; see `fileAccountOf`. */
	readonly account: string;
	readonly hash: string;
	/** In bytes. */
	readonly size: number;
	/** Whether the service had it before, so nothing was sent. */
	readonly isReused: boolean;
}

export interface UploadOptions {
	readonly onStep: (step: UploadStep) => void;
	readonly signal: AbortSignal;
	/** Rejects with an `AttachmentError` of kind `changed` if the content has another hash. */
	readonly onlyHash?: string;
}

export interface UploaderDependencies {
	readonly connection: () => Promise<Connection>;
	readonly records: UploadRecords;
	readonly limiter: Limiter;
	readonly clock: Clock;
	readonly log: Log;
}

/** Uploads content unless the current service has it. Uploads the same content once, even if requested twice at the same time. */
export class Uploader {
	private readonly dependencies: UploaderDependencies;
	private readonly underWay = new Map<string, Promise<HeldBytes>>();

	constructor(dependencies: UploaderDependencies) {
		this.dependencies = dependencies;
	}

	/** Opens the source when a slot is free, and closes it. Throws `AttachmentError`, `ServiceError` or `AbortError`. */
	async bring(openSource: () => Promise<UploadSource>, upload: UploadOptions): Promise<HeldBytes> {
		upload.onStep({ type: "waiting" });
		return this.dependencies.limiter.run(async () => {
			const source = await openSource();
			try {
				return await this.hold(source, upload);
			} finally {
				await source.close();
			}
		}, upload.signal);
	}

	private async hold(source: UploadSource, upload: UploadOptions): Promise<HeldBytes> {
		const { onStep, signal } = upload;
		const account = await accountNow(this.dependencies.connection);
		const hash = await hashOf(source, upload);
		const key = `${account}/${hash}`;
		for (let other = this.underWay.get(key); other; other = this.underWay.get(key)) {
			onStep({ type: "waiting" });
			await other.catch(() => undefined);
			throwIfAborted(signal);
		}
		const sending = findOrSend(this.dependencies, { source, upload, account, hash }).finally(() =>
			this.underWay.delete(key),
		);
		this.underWay.set(key, sending);
		return sending;
	}
}

/** Returns the current service and key. A failing connection counts as a failure in which nothing was sent. */
async function accountNow(connection: UploaderDependencies["connection"]): Promise<string> {
	try {
		return fileAccountOf(await connection());
	} catch (error) {
		if (error instanceof ServiceError || isAbortError(error)) {
			throw error;
		}
		const cause = toError(error);
		throw new ServiceError("notReady", { charge: "notSent", detail: cause.message, cause });
	}
}

async function hashOf(source: UploadSource, upload: UploadOptions): Promise<string> {
	const { onStep, signal, onlyHash } = upload;
	onStep({ type: "hashing", readBytes: 0 });
	const hash = await source.hash(readBytes => onStep({ type: "hashing", readBytes }), signal);
	if (onlyHash !== undefined && hash !== onlyHash) {
		throw new AttachmentError(
			"changed",
			l10n.t("Nothing was sent: the file changed. Retry when it's no longer changing."),
		);
	}
	return hash;
}

interface Sending {
	readonly source: UploadSource;
	readonly upload: UploadOptions;
	readonly account: string;
	readonly hash: string;
}

async function findOrSend(
	dependencies: UploaderDependencies,
	sending: Sending,
): Promise<HeldBytes> {
	const { account, hash, source } = sending;
	const { records } = dependencies;
	const known = await records.find(account, hash);
	const fileId = known ?? (await send(dependencies, sending));
	if (known === undefined) {
		await records.remember(account, hash, fileId);
	}
	return { fileId, account, hash, size: source.size, isReused: known !== undefined };
}

async function send(dependencies: UploaderDependencies, sending: Sending): Promise<string> {
	const { source, upload, account, hash } = sending;
	const { onStep, signal } = upload;
	let fileFailure: AttachmentError | undefined;
	onStep({ type: "uploading", sentBytes: 0 });
	const file = {
		name: source.name,
		type: source.mimeType,
		size: source.size,
		onProgress: (sentBytes: number) => onStep({ type: "uploading", sentBytes }),
		open: () =>
			watched(source.bytes(hash), error => {
				fileFailure = error;
			}),
	};
	const onNotice = (notice: RequestNotice): void => {
		if (notice.type === "retrying") {
			onStep({ type: "uploading", sentBytes: 0, retryInMs: notice.delayMs });
		}
	};
	try {
		return (await clientOf(dependencies, account).uploadFile(file, { signal, onNotice })).file_id;
	} catch (error) {
		throw fileFailure !== undefined && !isAbortError(error) ? fileFailure : error;
	}
}

/** Creates a client that sends only to this service with this key, even if the settings change. */
function clientOf(
	{ connection, clock, log }: UploaderDependencies,
	account: string,
): ServiceClient {
	return createServiceClient({
		clock,
		log,
		connection: async () => {
			const found = await connection();
			if (fileAccountOf(found) !== account) {
				const detail = l10n.t("The service or its key has changed.");
				throw new ServiceError("notReady", { charge: "notSent", detail });
			}
			return found;
		},
	});
}

async function* watched(
	bytes: AsyncIterable<Uint8Array>,
	onFailure: (error: AttachmentError) => void,
): AsyncGenerator<Uint8Array> {
	try {
		yield* bytes;
	} catch (error) {
		if (error instanceof AttachmentError) {
			onFailure(error);
		}
		throw toError(error);
	}
}

/** Identifies a service and key by 32 hex digits that reveal neither. Differs after every start of the local service. */
export function fileAccountOf({ baseUrl, apiKey, files }: Connection): string {
	return createHash("sha256")
		.update(JSON.stringify([baseUrl, files.path, apiKey ?? null]))
		.digest("hex")
		.slice(0, 32);
}
