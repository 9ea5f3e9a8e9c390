import * as l10n from "@vscode/l10n";
import type { Connection, ServiceClient } from "../../client/contract/serviceClient.ts";
import { createServiceClient } from "../../client/createServiceClient.ts";
import type { RequestNotice } from "../../client/contract/events.ts";
import { ServiceError } from "../../client/contract/errors.ts";
import { type Clock, throwIfAborted } from "../../common/async.ts";
import { isAbortError, toError } from "../../common/errors.ts";
import type { Limiter } from "../../common/limiter.ts";
import type { Log } from "../../common/log.ts";
import { AttachmentError } from "../attachment/attachmentError.ts";
import type { UploadRecords } from "./uploadRecords.ts";
import { createHash } from "node:crypto";

/** Bytes that can be hashed and sent, as they are now. */
export interface UploadSource {
	readonly name: string;
	readonly mimeType: string;
	/** Bytes. */
	readonly size: number;
	hash(onProgress: (readBytes: number) => void, signal: AbortSignal): Promise<string>;
	/** The bytes in order; throws `AttachmentError` before the end when they are not those of the hash. */
	bytes(expectedHash: string): AsyncIterable<Uint8Array>;
	close(): Promise<void>;
}

/** Progress of an upload. */
export type UploadStep =
	| { readonly type: "waiting" }
	| { readonly type: "hashing"; readonly readBytes: number }
	| { readonly type: "uploading"; readonly sentBytes: number; readonly retryInMs?: number };

/** Bytes that a service holds. */
export interface HeldBytes {
	readonly fileId: string;
	/** Names the service and key; `fileAccountOf`. */
	readonly account: string;
	readonly hash: string;
	/** Bytes. */
	readonly size: number;
	/** Whether it held them before, so that nothing was sent. */
	readonly isReused: boolean;
}

/** How an upload is made. */
export interface UploadOptions {
	readonly onStep: (step: UploadStep) => void;
	readonly signal: AbortSignal;
	/** Bytes with another hash are not sent: the promise then rejects with `AttachmentError` of kind `changed`. */
	readonly onlyHash?: string;
}

/** Dependencies of an uploader. */
export interface UploaderDependencies {
	readonly connection: () => Promise<Connection>;
	readonly records: UploadRecords;
	readonly limiter: Limiter;
	readonly clock: Clock;
	readonly log: Log;
}

/**
 * Brings bytes to the service of now, unless it holds them: the same bytes are sent once, also when asked for twice at the
 * same time, in two windows too.
 */
export class Uploader {
	private readonly dependencies: UploaderDependencies;
	private readonly underWay = new Map<string, Promise<HeldBytes>>();

	constructor(dependencies: UploaderDependencies) {
		this.dependencies = dependencies;
	}

	/** Opens the source when its turn has come, and closes it. Throws `AttachmentError`, `ServiceError` or `AbortError`. */
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
			await settled(other);
			throwIfAborted(signal);
		}
		const sending = findOrSend(this.dependencies, { source, upload, account, hash }).finally(() =>
			this.underWay.delete(key),
		);
		this.underWay.set(key, sending);
		return sending;
	}
}

/** The service and key of now; a connection that cannot be told is a failure in which nothing was sent. */
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
		throw new AttachmentError("changed", l10n.t("This isn't the file that was sent before."));
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
	const { account, hash, source, upload } = sending;
	const { records } = dependencies;
	const find = async (): Promise<HeldBytes | undefined> => {
		const fileId = await records.find(account, hash);
		return fileId === undefined
			? undefined
			: { fileId, account, hash, size: source.size, isReused: true };
	};
	const claim = { signal: upload.signal, onWait: () => upload.onStep({ type: "waiting" }) };
	return (
		(await find()) ??
		records.whileClaimed(account, hash, claim, async () => {
			// Another window may have brought them while this one waited for it.
			const found = await find();
			if (found) {
				return found;
			}
			const fileId = await send(dependencies, sending);
			await records.remember(account, hash, fileId);
			return { fileId, account, hash, size: source.size, isReused: false };
		})
	);
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

/** A client that sends to this service with this key and to no other, whatever the settings say by then. */
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
				const detail = l10n.t("the service or its key has changed");
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

async function settled(promise: Promise<unknown>): Promise<void> {
	await promise.then(
		() => undefined,
		() => undefined,
	);
}

/**
 * Names the service and key that hold a file, without giving either away: 32 hex digits. The local service has an address and
 * a key of its own for every run, and so has what it forgets when it stops.
 */
export function fileAccountOf({ baseUrl, apiKey, files }: Connection): string {
	return createHash("sha256")
		.update(JSON.stringify([baseUrl, files.path, apiKey ?? null]))
		.digest("hex")
		.slice(0, 32);
}
