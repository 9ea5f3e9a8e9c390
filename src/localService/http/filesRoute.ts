import { type HttpExchange, sendJson, type RouteDependencies } from "./exchange.ts";
import type { HeldFile } from "../base/fileStore.ts";
import { HttpFailure } from "../base/failureResponse.ts";
import { boundaryOf, MultipartParser, headerParameters, type MultipartEvent } from "./multipart.ts";
import { readBody } from "./requestBody.ts";

/** Form field of the file. The Files API isn't part of the interface (§4.4); docs/interface.md defines it. */
const fileField = "file";
/** Allowance for boundaries and other fields. */
const formOverheadBytes = 1024 * 1024;

/** `POST /v1/files`: stores one file of a multipart form and returns its id for chat requests. docs/interface.md. */
export async function handleFileUpload(
	exchange: HttpExchange,
	dependencies: RouteDependencies,
): Promise<void> {
	const { request, response } = exchange;
	const boundary = boundaryOf(request.headers["content-type"] ?? "");
	const maxBytes = dependencies.limits.maxFileBytes + formOverheadBytes;
	const limits = { maxBytes, idleMs: dependencies.limits.bodyIdleMs };
	const form = readForm(readBody(request, limits, dependencies.clock), boundary);
	const file = await keepFile(form, dependencies);
	dependencies.log.info("File received", { size: file.size, type: file.type });
	sendJson(response, 200, {
		success: true,
		file_id: file.id,
		name: file.name,
		size: file.size,
		type: file.type,
	});
}

/** A file part and its bytes. The bytes must be read before the next part. */
type FormEvent =
	| { readonly type: "file"; readonly name: string; readonly mimeType: string }
	| Exclude<MultipartEvent, { type: "part" }>;

/** Yields the file parts of a form and skips other fields. */
async function* readForm(
	body: AsyncIterable<Uint8Array>,
	boundary: string,
): AsyncGenerator<FormEvent, void, undefined> {
	const parser = new MultipartParser(boundary);
	let file: FormEvent | undefined;
	for await (const chunk of body) {
		for (const event of parser.feed(chunk)) {
			file = event.type === "part" ? describeFile(event.headers) : file;
			if (file) {
				yield event.type === "part" ? file : event;
			}
		}
	}
	parser.end();
}

/** Stores the single file of the form. Removes it if an error follows, such as a second file. */
async function keepFile(
	form: AsyncGenerator<FormEvent, void, undefined>,
	dependencies: RouteDependencies,
): Promise<HeldFile> {
	let kept: HeldFile | undefined;
	try {
		for (let next = await form.next(); !next.done; next = await form.next()) {
			if (next.value.type !== "file") {
				continue;
			}
			if (kept) {
				throw new HttpFailure(400, "too_many_files", "Send one file at a time.");
			}
			const { name, mimeType: type } = next.value;
			kept = await dependencies.files.add({ name, type }, bytesOfPart(form));
		}
	} catch (error) {
		if (kept) {
			await dependencies.files.remove(kept.id);
		}
		throw error;
	}
	if (!kept) {
		throw new HttpFailure(400, "missing_file", `The form has no file in the field “${fileField}”.`);
	}
	return kept;
}

async function* bytesOfPart(
	form: AsyncGenerator<FormEvent, void, undefined>,
): AsyncGenerator<Uint8Array, void, undefined> {
	for (let next = await form.next(); !next.done; next = await form.next()) {
		if (next.value.type !== "bytes") {
			return;
		}
		yield next.value.bytes;
	}
}

function describeFile(headers: ReadonlyMap<string, string>): FormEvent | undefined {
	const disposition = headers.get("content-disposition") ?? "";
	const parameters = headerParameters(disposition);
	if (!/^form-data\b/i.test(disposition) || parameters.get("name") !== fileField) {
		return undefined;
	}
	const fileName = extendedValue(parameters.get("filename*")) ?? parameters.get("filename");
	if (fileName === undefined) {
		throw new HttpFailure(400, "missing_file_name", `The field “${fileField}” has no file name.`);
	}
	return {
		type: "file",
		name: displayName(fileName),
		mimeType: mimeType(headers.get("content-type")),
	};
}

/** Decodes values like `UTF-8''na%C3%AFve.txt`, which are not allowed in forms but sent by some clients. RFC 8187 §3.2. */
function extendedValue(value: string | undefined): string | undefined {
	const encoded = /^utf-8'[^']*'(.*)$/i.exec(value ?? "")?.[1];
	try {
		return encoded === undefined ? undefined : decodeURIComponent(encoded);
	} catch {
		return undefined;
	}
}

/**
 * Returns a display name without folders, control characters or direction-changing characters, at most 255 characters. Browsers encode quotes and
 * line breaks in names as %22, %0D and %0A. RFC 7578 §4.2.
 */
function displayName(fileName: string): string {
	const plain = fileName
		.replaceAll(/%22/g, '"')
		.replaceAll(/%0[AD]/gi, " ")
		.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "");
	const base = plain.split(/[/\\]/).at(-1)?.trim() ?? "";
	const isName = base !== "" && base !== "." && base !== "..";
	return isName ? [...base].slice(0, 255).join("") : "file";
}

/** @see https://www.rfc-editor.org/rfc/rfc6838#section-4.2 */
function mimeType(value: string | undefined): string {
	const type = value?.split(";")[0]?.trim().toLowerCase() ?? "";
	return /^[a-z0-9][a-z0-9!#$&^_.+-]{0,126}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,126}$/.test(type)
		? type
		: "application/octet-stream";
}
