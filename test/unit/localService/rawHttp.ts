import { connect } from "node:net";

/** What came back on a raw connection. */
export interface RawAnswer {
	/** 0 when the connection closed without a status line. */
	readonly status: number;
	/** Names in lower case. */
	readonly headers: ReadonlyMap<string, string>;
	/** As sent, without the framing of a chunked body. */
	readonly body: string;
	/** Everything as it came. */
	readonly raw: string;
}

/** Sends bytes as they are and resolves with the first response once it is complete or the connection closed. */
export function sendRaw(port: number, bytes: string | Uint8Array): Promise<RawAnswer> {
	return new Promise((resolve, reject) => {
		let raw = "";
		// The answer to HEAD gives the length of a body that does not come.
		const isHead = Buffer.from(bytes).subarray(0, 5).toString() === "HEAD ";
		const socket = connect({ port, host: "127.0.0.1" });
		const timer = setTimeout(() => {
			socket.destroy();
			reject(new Error(`No complete response within 10 s: ${JSON.stringify(raw.slice(0, 500))}`));
		}, 10_000);
		const finish = (): void => {
			clearTimeout(timer);
			socket.destroy();
			resolve(parseAnswer(raw));
		};
		socket.setEncoding("latin1");
		socket.on("data", text => {
			raw += text;
			if (isComplete(raw, isHead)) {
				finish();
			}
		});
		// A reset is one of the ways to be refused.
		socket.on("error", () => undefined);
		socket.on("close", finish);
		socket.write(bytes);
	});
}

function isComplete(raw: string, isHead: boolean): boolean {
	const end = raw.indexOf("\r\n\r\n");
	if (end === -1 || raw.startsWith("HTTP/1.1 100")) {
		return false;
	}
	if (isHead) {
		return true;
	}
	const length = /^content-length: (\d+)/im.exec(raw.slice(0, end))?.[1];
	return length === undefined
		? raw.endsWith("\r\n0\r\n\r\n")
		: raw.length >= end + 4 + Number(length);
}

function parseAnswer(raw: string): RawAnswer {
	const end = raw.indexOf("\r\n\r\n");
	const [line = "", ...lines] = raw.slice(0, Math.max(0, end)).split("\r\n");
	const headers = new Map(
		lines.map(text => {
			const colon = text.indexOf(":");
			return [text.slice(0, colon).toLowerCase(), text.slice(colon + 1).trim()] as const;
		}),
	);
	const framed = raw.slice(end + 4);
	const body = headers.get("transfer-encoding") === "chunked" ? unchunk(framed) : framed;
	return {
		status: Number(/^HTTP\/1\.1 (\d{3})/.exec(line)?.[1] ?? 0),
		headers,
		body: Buffer.from(body, "latin1").toString("utf8"),
		raw,
	};
}

/** @see https://www.rfc-editor.org/rfc/rfc9112#section-7.1 */
function unchunk(framed: string): string {
	const pieces: string[] = [];
	let rest = framed;
	for (;;) {
		const size = /^([0-9a-f]+)\r\n/i.exec(rest);
		const length = Number.parseInt(size?.[1] ?? "0", 16);
		if (!size || length === 0) {
			return pieces.join("");
		}
		pieces.push(rest.slice(size[0].length, size[0].length + length));
		rest = rest.slice(size[0].length + length + 2);
	}
}
