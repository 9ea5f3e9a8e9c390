/** A request as it arrived. */
export interface RecordedRequest {
	readonly method: string;
	/** Path and query, as sent. */
	readonly target: string;
	/** By lower-case name. */
	readonly headers: Readonly<Record<string, string>>;
	/** The bytes of the body that have come so far, unchunked. */
	readonly body: Buffer;
	/** Whether the body came to its end. */
	readonly isWhole: boolean;
}

interface MutableRequest extends RecordedRequest {
	body: Buffer;
	isWhole: boolean;
}

/** Reads requests from the bytes of one connection, one after the other. */
export function createRequestReader(handlers: {
	readonly onHead: (request: RecordedRequest) => void;
	readonly onEnd: (request: RecordedRequest) => void;
}): (bytes: Buffer) => void {
	let waiting: Buffer = Buffer.alloc(0);
	let request: MutableRequest | undefined;

	const readHead = (): boolean => {
		const end = waiting.indexOf("\r\n\r\n");
		if (end === -1) {
			return false;
		}
		request = parseHead(waiting.subarray(0, end).toString("latin1"));
		waiting = waiting.subarray(end + 4);
		handlers.onHead(request);
		return true;
	};
	const readBody = (current: MutableRequest): boolean => {
		const isChunked = current.headers["transfer-encoding"] === "chunked";
		const taken = isChunked
			? unchunk(waiting)
			: takeLength(waiting, Number(current.headers["content-length"] ?? 0) - current.body.length);
		current.body = Buffer.concat([current.body, taken.data]);
		waiting = taken.rest;
		if (taken.isEnd) {
			current.isWhole = true;
			request = undefined;
			handlers.onEnd(current);
		}
		return taken.isEnd;
	};
	return bytes => {
		waiting = Buffer.concat([waiting, bytes]);
		while (request ? readBody(request) : readHead()) {
			// Each step consumes what it understood.
		}
	};
}

function parseHead(text: string): MutableRequest {
	const [first = "", ...lines] = text.split("\r\n");
	const [method = "", target = ""] = first.split(" ");
	const headers = Object.fromEntries(
		lines.map(line => {
			const colon = line.indexOf(":");
			return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
		}),
	);
	return { method, target, headers, body: Buffer.alloc(0), isWhole: false };
}

interface Taken {
	readonly data: Buffer;
	readonly rest: Buffer;
	readonly isEnd: boolean;
}

function takeLength(bytes: Buffer, length: number): Taken {
	return {
		data: bytes.subarray(0, length),
		rest: bytes.subarray(length),
		isEnd: bytes.length >= length,
	};
}

function unchunk(bytes: Buffer): Taken {
	const parts: Buffer[] = [];
	let rest = bytes;
	for (;;) {
		const lineEnd = rest.indexOf("\r\n");
		const size =
			lineEnd === -1 ? Number.NaN : Number.parseInt(rest.toString("latin1", 0, lineEnd), 16);
		const end = lineEnd + 2 + size;
		if (Number.isNaN(size) || rest.length < end + 2) {
			return { data: Buffer.concat(parts), rest, isEnd: false };
		}
		parts.push(rest.subarray(lineEnd + 2, end));
		rest = rest.subarray(end + 2);
		if (size === 0) {
			return { data: Buffer.concat(parts), rest, isEnd: true };
		}
	}
}
