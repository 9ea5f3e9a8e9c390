import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { hubModels } from "../../src/common/modelSetup.ts";

/** How a hub misbehaves; each lasts until it is changed. */
export interface HubFaults {
	/** Breaks the connection of each answer after so many bytes of the file, the last one for all that follow. */
	cuts: number[];
	/** Answers every question for the file with this status, and a page. */
	status: number | undefined;
	/** Leads to another host in place of the file. */
	elsewhere: string | undefined;
	/** Another hash than the file's. */
	sha256: string | undefined;
	/** Another size than the file's. */
	sizeBytes: number | undefined;
	/** Says nothing of the file's size. */
	isNameless: boolean;
	/** Answers as a mirror without commits: with the hub's headers, with the file's size and tag, or with its size, and its hash in a list or nowhere. */
	mirror: "linked" | "own" | "listed" | "bare" | undefined;
	/** Does not know ranges. */
	hasNoRanges: boolean;
	/** Bytes in a second; as fast as possible without. */
	bytesPerSecond: number | undefined;
}

/** A hub that has one file, as Hugging Face answers: its address leads to a storage, here on the same host. */
export interface ModelHub {
	readonly url: string;
	readonly faults: HubFaults;
	/** What was asked: the method, the path, and the version and the range where there were any. */
	readonly asked: readonly string[];
	/** Puts another file in its place. */
	replace(file: Buffer): void;
	close(): void;
}

const commit = "0123456789abcdef0123456789abcdef01234567";

/** Starts a hub with a file, which has every name. */
export async function startModelHub(content: Buffer): Promise<ModelHub> {
	let file = content;
	const asked: string[] = [];
	const faults: HubFaults = {
		cuts: [],
		status: undefined,
		elsewhere: undefined,
		sha256: undefined,
		sizeBytes: undefined,
		mirror: undefined,
		isNameless: false,
		hasNoRanges: false,
		bytesPerSecond: undefined,
	};
	const server = createServer((request, response) => {
		const { method = "", url = "", headers } = request;
		asked.push([method, url, headers["if-range"], headers.range].filter(Boolean).join(" "));
		if (faults.status !== undefined) {
			response.writeHead(faults.status, { "content-type": "text/html" });
			response.end("<html>Sign in</html>");
		} else if (url.startsWith("/api/")) {
			const oid = createHash("sha256").update(file).digest("hex");
			const { length: size } = file;
			const list = hubModels.map(({ file: path }) => ({ path, size, lfs: { oid, size } }));
			response.writeHead(faults.mirror === "listed" ? 200 : 404);
			response.end(JSON.stringify(list));
		} else if (method === "HEAD" && faults.mirror !== undefined) {
			const tag = `"${createHash("sha256").update(file).digest("hex")}"`;
			const { length } = file;
			response.writeHead(
				200,
				{
					linked: { "x-linked-etag": tag, "x-linked-size": length },
					own: { etag: tag, "content-length": length },
					listed: { "content-length": length },
					bare: { "content-length": length },
				}[faults.mirror],
			);
			response.end();
		} else if (url.startsWith("/storage/") || faults.mirror !== undefined) {
			void sendFile(request, response, file, faults);
		} else {
			const sha256 = createHash("sha256").update(file).digest("hex");
			response.writeHead(302, {
				location: faults.elsewhere ?? `/storage/${sha256}`,
				"x-repo-commit": commit,
				...(faults.isNameless
					? {}
					: {
							"x-linked-etag": `"${faults.sha256 ?? sha256}"`,
							"x-linked-size": String(faults.sizeBytes ?? file.length),
						}),
			});
			response.end();
		}
	});
	await new Promise<void>(resolve => server.listen(0, "127.0.0.1", resolve));
	const { port } = server.address() as AddressInfo;
	return {
		url: `http://127.0.0.1:${port}`,
		faults,
		asked,
		replace: other => {
			file = other;
		},
		close: () => {
			server.closeAllConnections();
			server.close();
		},
	};
}

async function sendFile(
	{ headers }: IncomingMessage,
	response: ServerResponse,
	file: Buffer,
	faults: HubFaults,
): Promise<void> {
	const etag = `"${createHash("sha256").update(file).digest("hex")}"`;
	const isSame = headers["if-range"] === undefined || headers["if-range"] === etag;
	const range = faults.hasNoRanges || !isSame ? undefined : headers.range;
	const from = Number(/^bytes=(\d+)-$/.exec(range ?? "")?.[1] ?? 0);
	response.writeHead(range === undefined ? 200 : 206, {
		...(faults.isNameless ? {} : { etag }),
		"content-length": file.length - from,
		...(range === undefined
			? {}
			: { "content-range": `bytes ${from}-${file.length - 1}/${file.length}` }),
	});
	const cut = faults.cuts.length > 1 ? faults.cuts.shift() : faults.cuts[0];
	const end = Math.min(file.length, cut === undefined ? file.length : from + cut);
	const piece = faults.bytesPerSecond === undefined ? end - from : faults.bytesPerSecond / 20;
	for (let at = from; at < end && !response.destroyed; at += piece) {
		response.write(file.subarray(at, Math.min(at + piece, end)));
		if (faults.bytesPerSecond !== undefined) {
			await new Promise(resolve => setTimeout(resolve, 50));
		}
	}
	if (end < file.length) {
		setImmediate(() => response.destroy());
	} else {
		response.end();
	}
}
