import { isAbortError } from "../common/errors.ts";
import {
	assumptions,
	totalMs,
	type FileReference,
	uploadResponseSchema,
} from "./contract/schemas.ts";
import { type CallDependencies, callService } from "./request/attempts.ts";
import { ServiceError } from "./contract/errors.ts";
import { readJson, invalidRequest } from "./request/jsonAnswer.ts";
import { multipartBody } from "./request/multipart.ts";
import type { ResponseStream } from "./request/request.ts";
import type { CallOptions, FileUpload } from "./contract/serviceClient.ts";
import { isRecord, own } from "./request/serviceMessage.ts";

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
				...{ field: files.field, fileName: name, type, size, open },
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
		[...placesIn(reply, places), reply].map(level => idIn(level, bare)).find(isFound);
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

function isFound(id: string | undefined): boolean {
	return id !== undefined;
}
