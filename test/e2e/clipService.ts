import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** What a request of the clip service is about. */
export type ClipPhase = "submit" | "poll" | "download";

/** Prompts of videos that are not made: one that is refused, one whose request gets no answer, one that is never finished. */
export const failingPrompts = {
	refused: "A video that is refused",
	unanswered: "A video without an answer",
	endless: "A video without an end",
} as const;

/** A service that makes every video after two lookups, but for those of `failingPrompts`, and counts what it is asked. */
export interface ClipService {
	readonly url: string;
	/** The clip that everybody gets. */
	readonly clip: Buffer;
	/** Prompts in the order of their requests; one for each POST. */
	readonly prompts: readonly string[];
	/** When generations were looked up, in milliseconds; one for each lookup. */
	readonly lookups: readonly { readonly id: string; readonly at: number }[];
	/** Clips asked for, from whatever byte on. */
	readonly downloads: number;
	/** Clips started from a byte other than the first. */
	readonly resumed: number;
	/** Hears every request as it comes, before it is answered. */
	onRequest: (phase: ClipPhase) => void;
	/** Forgets what it was asked. */
	reset(): void;
	stop(): Promise<void>;
}

/** How long the answers take, in milliseconds, so that something can happen meanwhile. */
export interface ClipServicePace {
	readonly submit?: number;
	/** From the first byte of a clip to the last. */
	readonly download?: number;
	/** Lookups of a generation that find it in progress. */
	readonly lookupsInProgress?: number;
}

const clipParts = 10;

/** Starts a service on 127.0.0.1. */
export async function startClipService(pace: ClipServicePace = {}): Promise<ClipService> {
	const prompts: string[] = [];
	const lookups: { id: string; at: number }[] = [];
	let downloads = 0;
	let resumed = 0;
	let created = 0;
	const endless = new Set<string>();
	const clip = Buffer.alloc(200_000, 7);
	clip.writeUInt32BE(0x1a45dfa3, 0);
	clip.write("\u009f\u0042\u0086\u0081webm", 4, "latin1");
	const create = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
		const prompt = promptOf(await bodyOf(request));
		prompts.push(prompt);
		created += 1;
		const generation_id = `generation-${created}`;
		if (prompt === failingPrompts.refused) {
			answer(response, { message: "This key may not make videos." }, 403);
			return;
		}
		if (prompt === failingPrompts.unanswered) {
			response.destroy();
			return;
		}
		if (prompt === failingPrompts.endless) {
			endless.add(generation_id);
		}
		setTimeout(() => answer(response, { success: true, generation_id }), pace.submit ?? 0);
	};
	const look = (id: string, response: ServerResponse): void => {
		lookups.push({ id, at: performance.now() });
		const times = lookups.filter(other => other.id === id).length;
		const isComplete = !endless.has(id) && times > (pace.lookupsInProgress ?? 1);
		const output = isComplete ? { video_url: `${service.url}/clip.webm` } : {};
		const status = isComplete ? "complete" : "in_progress";
		answer(response, { success: true, generation: { status, output } });
	};
	const server = createServer((request, response) => {
		const path = request.url ?? "";
		const phase = phaseOf(request.method, path);
		service.onRequest(phase);
		if (phase === "submit") {
			void create(request, response);
		} else if (phase === "poll") {
			look(path.slice(path.lastIndexOf("/") + 1), response);
		} else {
			const start = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? "")?.[1] ?? 0);
			downloads += 1;
			resumed += start > 0 ? 1 : 0;
			sendClip(response, { clip, start, milliseconds: pace.download ?? 0 });
		}
	});
	await new Promise<void>(resolve => server.listen(0, "127.0.0.1", resolve));
	// A TCP server's address is never a pipe's name.
	const { port } = server.address() as AddressInfo;
	const service: ClipService = {
		url: `http://127.0.0.1:${port}`,
		clip,
		prompts,
		lookups,
		get downloads() {
			return downloads;
		},
		get resumed() {
			return resumed;
		},
		onRequest: () => undefined,
		reset: () => {
			prompts.length = 0;
			lookups.length = 0;
			[downloads, resumed] = [0, 0];
		},
		stop: async () => {
			server.closeAllConnections();
			await new Promise(resolve => server.close(resolve));
		},
	};
	return service;
}

function phaseOf(method: string | undefined, path: string): ClipPhase {
	if (method === "POST") {
		return "submit";
	}
	return path.startsWith("/v1/generations/") ? "poll" : "download";
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
	const chunks: Buffer[] = [];
	// A message without an encoding gives buffers.
	for await (const chunk of request) {
		chunks.push(chunk as Buffer);
	}
	return JSON.parse(Buffer.concat(chunks).toString("utf8"));
}

function promptOf(body: unknown): string {
	const prompt = typeof body === "object" && body && "prompt" in body ? body.prompt : undefined;
	return typeof prompt === "string" ? prompt : "";
}

function answer(response: ServerResponse, body: unknown, status = 200): void {
	response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

/** Sends the clip from a byte on, in parts with pauses, as a good server of files does: with ETag and ranges. */
function sendClip(
	response: ServerResponse,
	{ clip, start, milliseconds }: { clip: Buffer; start: number; milliseconds: number },
): void {
	const rest = clip.subarray(start);
	response.writeHead(start > 0 ? 206 : 200, {
		"content-type": "video/webm",
		"content-length": rest.length,
		etag: '"one"',
		...(start > 0 ? { "content-range": `bytes ${start}-${clip.length - 1}/${clip.length}` } : {}),
	});
	const size = Math.ceil(rest.length / clipParts);
	const send = (part: number): void => {
		response.write(rest.subarray(part * size, (part + 1) * size));
		if (part + 1 < clipParts) {
			setTimeout(() => send(part + 1), milliseconds / clipParts);
		} else {
			response.end();
		}
	};
	send(0);
}
