import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** An upload that came to its end. */
export interface ReceivedUpload {
	readonly fileId: string;
	/** As it was in the form, escapes included. */
	readonly rawName: string;
	readonly type: string;
	readonly hash: string;
	readonly size: number;
}

/** What a test does with an upload in place of taking it; says whether it has dealt with it. */
type Behavior = (request: IncomingMessage, response: ServerResponse) => boolean;

/** A real HTTP server that takes files as the service does, and counts. */
export interface FileService {
	readonly url: string;
	/** Uploads that came whole, in order. */
	readonly uploads: readonly ReceivedUpload[];
	/** How many uploads were started. */
	readonly posts: number;
	/** The most uploads that were open at the same time. */
	readonly mostAtOnce: number;
	/** Deals with uploads otherwise from now on; nothing given takes them again. */
	behave(behavior?: Behavior): void;
}

/** Starts a file service that ends with the test. */
export async function startFileService(): Promise<FileService> {
	const uploads: ReceivedUpload[] = [];
	const counts = { posts: 0, open: 0, most: 0 };
	let behavior: Behavior = () => false;
	const server = createServer((request, response) => {
		counts.posts += 1;
		counts.open += 1;
		counts.most = Math.max(counts.most, counts.open);
		let isOpen = true;
		const leave = (): void => {
			counts.open -= isOpen ? 1 : 0;
			isOpen = false;
		};
		request.on("close", leave);
		request.on("error", () => undefined);
		if (!behavior(request, response)) {
			// Whoever has the answer may begin the next upload before this one's connection is closed.
			void take(request, response, uploads, leave);
		}
	});
	await new Promise<void>(resolve => {
		server.listen(0, "127.0.0.1", resolve);
	});
	onTestFinished(() => {
		server.closeAllConnections();
		server.close();
	});
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		uploads,
		get posts() {
			return counts.posts;
		},
		get mostAtOnce() {
			return counts.most;
		},
		behave: (next = () => false) => {
			behavior = next;
		},
	};
}

/** Refuses an upload once it has come whole, or at once. */
export function refuse(
	status: number,
	body: string = JSON.stringify({ error: { message: `Refused with ${status}` } }),
	headers: Readonly<Record<string, string>> = {},
): Behavior {
	return (request, response) => {
		request.resume();
		request.on("end", () => {
			response.writeHead(status, { "content-type": "application/json", ...headers });
			response.end(body);
		});
		return true;
	};
}

async function take(
	request: IncomingMessage,
	response: ServerResponse,
	uploads: ReceivedUpload[],
	leave: () => void,
): Promise<void> {
	const chunks: Buffer[] = [];
	try {
		for await (const chunk of request) {
			chunks.push(chunk as Buffer);
		}
	} catch {
		// An upload that breaks off was not received.
		return;
	}
	const upload = parse(Buffer.concat(chunks), `file-${uploads.length + 1}`);
	uploads.push(upload);
	leave();
	response.writeHead(200, { "content-type": "application/json" });
	response.end(JSON.stringify({ success: true, file_id: upload.fileId }));
}

function parse(body: Buffer, fileId: string): ReceivedUpload {
	const headEnd = body.indexOf("\r\n\r\n");
	const head = body.subarray(0, headEnd).toString("utf8");
	const boundary = head.slice(0, head.indexOf("\r\n"));
	const content = body.subarray(headEnd + 4, body.lastIndexOf(`\r\n${boundary}`));
	return {
		fileId,
		rawName: /filename="([^"]*)"/.exec(head)?.[1] ?? "",
		type: /Content-Type: (.*)/.exec(head)?.[1] ?? "",
		hash: createHash("sha256").update(content).digest("hex"),
		size: content.length,
	};
}
