import { HttpFailure } from "../base/failureResponse.ts";

/** Events of a multipart body in order: for each part one `part`, any number of `bytes` and one `part-end`. */
export type MultipartEvent =
	| { readonly type: "part"; readonly headers: ReadonlyMap<string, string> }
	| { readonly type: "bytes"; readonly bytes: Uint8Array }
	| { readonly type: "part-end" };

/** More than any form needs. A body of boundaries only must not keep the service busy. */
const maxParts = 64;
/** Limits the memory used between calls of `feed`. */
const maxPartHeaderBytes = 8 * 1024;

const lineEnd = Buffer.from("\r\n");
const headersEnd = Buffer.from("\r\n\r\n");
const closingDashes = Buffer.from("--");

type ReaderState = "preamble" | "delimiter" | "headers" | "content" | "epilogue";

/** Parses a multipart body incrementally. RFC 2046 §5.1, RFC 7578. */
export class MultipartParser {
	private readonly delimiter: Buffer;
	/** Bytes not parsed yet. Starts with a line ending, because the first boundary may start the body. */
	private buffer = lineEnd;
	private state: ReaderState = "preamble";
	private parts = 0;
	private events: MultipartEvent[] = [];

	constructor(boundary: string) {
		this.delimiter = Buffer.from(`\r\n--${boundary}`);
	}

	/** Parses the next bytes and returns the completed events. Throws `HttpFailure` 400 if they are invalid. */
	feed(bytes: Uint8Array): readonly MultipartEvent[] {
		this.events = [];
		this.buffer = Buffer.concat([this.buffer, bytes]);
		while (this.step()) {
			// Ends, because each step consumes bytes or changes the state.
		}
		return this.events;
	}

	/** Throws `HttpFailure` 400 if the last boundary is missing. */
	end(): void {
		if (this.state !== "epilogue") {
			throw malformed("The multipart body ends before its last boundary");
		}
	}

	/** Returns false if more bytes are needed. */
	private step(): boolean {
		switch (this.state) {
			case "preamble":
				return this.takeContent().isWhole;
			case "delimiter":
				return this.readDelimiterEnd();
			case "headers":
				return this.readHeaders();
			case "content":
				return this.readContent();
			case "epilogue":
				this.buffer = Buffer.alloc(0);
				return false;
		}
	}

	private readContent(): boolean {
		const { bytes, isWhole } = this.takeContent();
		if (bytes.length > 0) {
			this.events.push({ type: "bytes", bytes });
		}
		if (isWhole) {
			this.events.push({ type: "part-end" });
		}
		return isWhole;
	}

	/** Consumes the bytes before the next delimiter, and the delimiter. Keeps what may be the start of one. */
	private takeContent(): { readonly bytes: Buffer; readonly isWhole: boolean } {
		const { buffer, delimiter } = this;
		const index = buffer.indexOf(delimiter);
		if (index === -1) {
			const end = Math.max(0, buffer.length - delimiter.length + 1);
			this.buffer = buffer.subarray(end);
			return { bytes: buffer.subarray(0, end), isWhole: false };
		}
		this.buffer = buffer.subarray(index + delimiter.length);
		this.state = "delimiter";
		return { bytes: buffer.subarray(0, index), isWhole: true };
	}

	private readDelimiterEnd(): boolean {
		const { buffer } = this;
		if (buffer.subarray(0, 2).equals(closingDashes)) {
			this.state = "epilogue";
			return true;
		}
		const padding = paddingLength(buffer);
		if (buffer.length < padding + 2) {
			return false;
		}
		if (!buffer.subarray(padding, padding + 2).equals(lineEnd)) {
			throw malformed("A boundary of the multipart body is followed by other text");
		}
		// Keeps the line ending, so that a part without headers is parsed like any other.
		this.buffer = buffer.subarray(padding);
		this.state = "headers";
		return true;
	}

	private readHeaders(): boolean {
		const end = this.buffer.indexOf(headersEnd);
		const length = end === -1 ? this.buffer.length : end;
		if (length > maxPartHeaderBytes || this.parts >= maxParts) {
			throw malformed("The multipart body has too many parts or too long headers");
		}
		if (end === -1) {
			return false;
		}
		this.parts += 1;
		const headers = parseHeaders(this.buffer.subarray(0, end).toString());
		this.events.push({ type: "part", headers });
		this.buffer = this.buffer.subarray(end + headersEnd.length);
		this.state = "content";
		return true;
	}
}

/** @see https://www.rfc-editor.org/rfc/rfc2046#section-5.1.1 */
const boundaryPattern = /^[0-9A-Za-z'()+_,\-./:=? ]{0,69}[0-9A-Za-z'()+_,\-./:=?]$/;

/** Returns the boundary in a `Content-Type` header. Throws `HttpFailure` 400 if there is no valid one. */
export function boundaryOf(contentType: string): string {
	const boundary = headerParameters(contentType).get("boundary");
	if (boundary === undefined || !boundaryPattern.test(boundary)) {
		throw malformed("The Content-Type header names no boundary of 1 to 70 legal characters");
	}
	return boundary;
}

/** Parses a header's parameters. Within quotes only `\"` and `\\` are escapes: some send Windows paths. RFC 9110 §5.6.6. */
export function headerParameters(value: string): ReadonlyMap<string, string> {
	const parameters = new Map<string, string>();
	const pattern = /;\s*([^\s=;"]+)\s*=\s*(?:"((?:\\["\\]|[^"\\]|\\(?!["\\]))*)"|([^\s;"]*))/g;
	for (const [, name = "", quoted, plain = ""] of value.matchAll(pattern)) {
		const key = name.toLowerCase();
		if (!parameters.has(key)) {
			parameters.set(key, quoted?.replaceAll(/\\(["\\])/g, "$1") ?? plain);
		}
	}
	return parameters;
}

function paddingLength(buffer: Buffer): number {
	const length = buffer.findIndex(byte => byte !== 0x20 && byte !== 0x09);
	const padding = length === -1 ? buffer.length : length;
	if (padding > maxPartHeaderBytes) {
		throw malformed("A boundary of the multipart body is followed by too many spaces");
	}
	return padding;
}

function parseHeaders(block: string): ReadonlyMap<string, string> {
	const headers = new Map<string, string>();
	for (const line of block.split("\r\n")) {
		const colon = line.indexOf(":");
		if (colon > 0) {
			headers.set(line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim());
		}
	}
	return headers;
}

function malformed(message: string): HttpFailure {
	return new HttpFailure(400, "malformed_multipart", `${message}.`);
}
