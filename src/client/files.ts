import { isAbortError, toError } from "../common/errors.ts";
import { isRecord } from "../common/json.ts";
import { ServiceError } from "./contract/serviceError.ts";
import {
	assumptions,
	type FileReference,
	totalMs,
	uploadResponseSchema,
} from "./contract/schemas.ts";
import type { CallOptions, FileUpload } from "./contract/serviceClient.ts";
import { type CallDependencies, callService } from "./request/attempts.ts";
import { invalidRequest, readJson } from "./request/jsonAnswer.ts";
import type { ResponseStream } from "./request/request.ts";
import { own } from "./request/serviceMessage.ts";
import type { StreamedBody } from "./transport/transport.ts";

/**
 * Uploads a file. Class P (docs/faults.md). Throws `invalidRequest` if the file can't be read or its size differs from the announced one; the request
 * is aborted before its end, so no partial file is uploaded. docs/interface.md, Files API.
 */
export async function uploadFile(
	dependencies: CallDependencies,
	file: FileUpload,
	options: CallOptions,
): Promise<FileReference> {
	if (!Number.isSafeInteger(file.size) || file.size < 0) {
		throw invalidRequest("size must be a whole number of bytes");
	}
	const { name, type, size, open } = file;
	let fileFailure: Error | undefined;
	const call = {
		name: "uploadFile",
		repeatClass: "paid",
		request: ({ files }) => {
			fileFailure = undefined;
			const part = {
				field: files.field,
				fileName: name,
				type,
				size,
				open,
				onProgress: (sentBytes: number) => file.onProgress?.(sentBytes),
				onFailure: (error: Error) => {
					fileFailure = error;
				},
			};
			return {
				method: "POST",
				path: files.path,
				accept: "application/json",
				totalMs: totalMs.upload,
				...multipartBody(part),
			};
		},
	} satisfies Parameters<typeof callService>[1];
	try {
		const id = await callService(dependencies, call, options, readFileId);
		return { file_id: id, name, type };
	} catch (error) {
		if (fileFailure && !isAbortError(error)) {
			throw invalidRequest(`the file could not be sent: ${fileFailure.message}`, fileFailure);
		}
		throw error;
	}
}

/**
 * Finds the file id in the response: the first `file_id` at any level, otherwise an `id` that can only belong to the file. An `id` in another field
 * may be that of a user or an organization. docs/interface.md, Files API.
 */
async function readFileId(exchange: ResponseStream): Promise<string> {
	const reply = await readJson(exchange, uploadResponseSchema);
	const { named, bare, places } = assumptions.fileId;
	const id =
		nearestId(reply, named) ??
		[...placesIn(reply, places), reply]
			.map(level => idIn(level, bare))
			.find(found => found !== undefined);
	if (id !== undefined) {
		return id;
	}
	throw new ServiceError("unreadable", {
		charge: "unknown",
		status: exchange.status,
		host: exchange.host,
		detail: "the reply to the upload names no file id",
	});
}

const maxValues = 1000;

/** Finds a field in the response, level by level. */
function nearestId(reply: unknown, field: string): string | undefined {
	const waiting = [reply];
	for (let index = 0; index < waiting.length && index < maxValues; index += 1) {
		const value = waiting[index];
		const id = idIn(value, field);
		if (id !== undefined) {
			return id;
		}
		if (typeof value === "object" && value !== null) {
			waiting.push(...Object.values(value).slice(0, maxValues));
		}
	}
	return undefined;
}

/** Returns the values of these fields, including nested ones: `{data: {file: {…}}}`. */
function placesIn(reply: unknown, fields: readonly string[]): unknown[] {
	const found = fields.flatMap(field => (isRecord(reply) ? [own(reply, field)] : []));
	return [
		...found.flatMap(value =>
			fields.map(field => (isRecord(value) ? own(value, field) : undefined)),
		),
		...found,
	];
}

function idIn(level: unknown, field: string): string | undefined {
	const id = isRecord(level) ? own(level, field) : undefined;
	return typeof id === "string" && id !== "" ? id : undefined;
}

/** The single part of a `multipart/form-data` body. RFC 7578. */
interface FilePart {
	readonly field: string;
	readonly fileName: string;
	/** MIME type. An invalid one is replaced by `application/octet-stream`. */
	readonly type: string;
	/** Size in bytes. */
	readonly size: number;
	readonly open: () => AsyncIterable<Uint8Array>;
	/** Called with the number of the file's bytes that the network has taken. */
	readonly onProgress: (sentBytes: number) => void;
	/** Called if the file couldn't be read completely. The body then fails with the same error. */
	readonly onFailure: (error: Error) => void;
}

/** The file's size differs from the announced one, so the request wasn't completed. */
class FileSizeError extends Error {
	override readonly name = "FileSizeError";
}

/** Bytes passed to the network at a time, for accurate progress and little memory. */
const maxChunkBytes = 64 * 1024;

/**
 * Creates the body and its content type. The file is read as the network takes it. `FormData` with `openAsBlob` has neither the body's length, which
 * the request must announce, nor the progress.
 */
function multipartBody(part: FilePart): { body: StreamedBody; contentType: string } {
	const boundary = `cutaway-${crypto.randomUUID()}`;
	const encoder = new TextEncoder();
	const head = encoder.encode(
		[
			`--${boundary}`,
			`Content-Disposition: form-data; name="${escaped(part.field)}"; filename="${escaped(part.fileName)}"`,
			`Content-Type: ${mimeType(part.type)}`,
			"",
			"",
		].join("\r\n"),
	);
	const tail = encoder.encode(`\r\n--${boundary}--\r\n`);
	return {
		contentType: `multipart/form-data; boundary=${boundary}`,
		body: {
			length: head.byteLength + part.size + tail.byteLength,
			chunks: bytes(head, part, tail),
		},
	};
}

async function* bytes(
	head: Uint8Array,
	part: FilePart,
	tail: Uint8Array,
): AsyncGenerator<Uint8Array> {
	yield head;
	let sent = 0;
	for await (const piece of wholeFile(part)) {
		yield piece;
		sent += piece.byteLength;
		part.onProgress(sent);
	}
	// The end of the body completes the upload, so it is sent only after the whole file.
	yield tail;
}

/** Yields the file's bytes in small chunks. Throws if they can't be read or their number differs from the announced size. */
async function* wholeFile(part: FilePart): AsyncGenerator<Uint8Array> {
	let seen = 0;
	try {
		for await (const chunk of part.open()) {
			seen += chunk.byteLength;
			if (seen > part.size) {
				throw new FileSizeError(`it is longer than the announced ${part.size} bytes`);
			}
			yield* pieces(chunk);
		}
		if (seen < part.size) {
			throw new FileSizeError(`it has ${seen} of the announced ${part.size} bytes`);
		}
	} catch (error) {
		part.onFailure(toError(error));
		throw error;
	}
}

function* pieces(chunk: Uint8Array): Generator<Uint8Array> {
	for (let start = 0; start < chunk.byteLength; start += maxChunkBytes) {
		yield chunk.subarray(start, start + maxChunkBytes);
	}
}

/**
 * Escapes a quoted name like browsers: quotes and line breaks as percent escapes (WHATWG HTML §4.10.22.8), and other control characters, which
 * headers can't contain. Other characters remain, in UTF-8.
 */
function escaped(name: string): string {
	return name.toWellFormed().replaceAll(/["\p{Cc}]/gu, character => encodeURIComponent(character));
}

function mimeType(type: string): string {
	return /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(; ?[\w-]+=[\w."+-]+)*$/.test(type)
		? type
		: "application/octet-stream";
}
