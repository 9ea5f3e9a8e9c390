import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { loadUndici } from "../../src/client/transport/fetchTransport.ts";
import { VideoJobs, type VideoJobsDependencies } from "../../src/video/videoJobs.ts";
import type { VideoEndpoint, VideoJob, VideoJobStateName } from "../../src/video/job/videoJob.ts";
import { connectionTo } from "./clientHarness.ts";
import { createFakeClock } from "./fakeClock.ts";
import { atRest, holdRequest, stepped, type SteppedClock } from "./videoIdle.ts";

/** What a route does with a request. */
export type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** A service for videos whose answers a test may change at any moment. */
export interface VideoService {
	readonly url: string;
	/** Requests so far: `POST /v1/…`, with the headers that came, and the body once it has. */
	readonly log: readonly Readonly<LoggedRequest>[];
	readonly posts: number;
	/** Lookups of generations so far. */
	readonly polls: number;
	/** The most lookups open at the same moment. */
	readonly mostPolls: number;
	onCreate: Answer;
	onPoll: Answer;
	onClip: Answer;
	close(): Promise<void>;
}

/** A request as it came. */
export interface LoggedRequest {
	line: string;
	headers: IncomingMessage["headers"];
	body: string;
}

/** Answers with JSON. */
export const json =
	(body: unknown, status = 200): Answer =>
	(_request, response) => {
		response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
	};

/** The answer to a lookup. */
export const generation = (status: unknown, video_url?: unknown): Answer =>
	json({ success: true, generation: { status, output: { video_url } } });

/** Breaks the connection without an answer. */
export const breakOff: Answer = request => {
	request.socket.destroy();
};

/** Bytes that look like an MP4 of this size. */
export function clipBytes(size = 5_000, seed = 1): Buffer {
	const bytes = Buffer.alloc(size, seed);
	bytes.writeUInt32BE(24, 0);
	bytes.write("ftypisom", 4, "latin1");
	return bytes;
}

/** Serves a whole clip. */
export const clip =
	(bytes: Buffer = clipBytes()): Answer =>
	(_request, response) => {
		const headers = { "content-type": "video/mp4", "content-length": bytes.length };
		response.writeHead(200, headers).end(bytes);
	};

/** Starts a service that makes every video at once; generation ids are `g1`, `g2`, … */
export async function startVideoService(): Promise<VideoService> {
	const log: LoggedRequest[] = [];
	let created = 0;
	let openPolls = 0;
	let mostPolls = 0;
	const count = (start: string): number => log.filter(({ line }) => line.startsWith(start)).length;
	const server = createServer((request, response) => {
		const { headers } = request;
		const entry = { line: `${request.method} ${request.url}`, headers, body: "" };
		log.push(entry);
		request.on("data", (data: Buffer) => {
			entry.body += data.toString("utf8");
		});
		request.on("end", () => {
			holdUntilAnswered(response);
			if (request.method === "POST") {
				service.onCreate(request, response);
			} else if (request.url?.startsWith("/v1/generations/")) {
				openPolls += 1;
				mostPolls = Math.max(mostPolls, openPolls);
				response.on("close", () => {
					openPolls -= 1;
				});
				service.onPoll(request, response);
			} else {
				service.onClip(request, response);
			}
		});
	});
	await new Promise<void>(resolve => {
		server.listen(0, "127.0.0.1", resolve);
	});
	const address = server.address();
	const url = `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`;
	const service: VideoService = {
		url,
		log,
		get posts() {
			return count("POST");
		},
		get polls() {
			return count("GET /v1/generations/");
		},
		get mostPolls() {
			return mostPolls;
		},
		onCreate: (request, response) => {
			created += 1;
			json({ success: true, generation_id: `g${created}` })(request, response);
		},
		onPoll: generation("complete", `${url}/clip.mp4`),
		onClip: clip(),
		close: () =>
			new Promise(resolve => {
				server.closeAllConnections();
				server.close(() => resolve());
			}),
	};
	return service;
}

/** An answer counts as held back by the test from the request's end until it is ended or the connection is. */
function holdUntilAnswered(response: ServerResponse): void {
	const { release } = holdRequest();
	const end = response.end.bind(response);
	response.end = ((...args: Parameters<typeof end>) => {
		release();
		return end(...args);
		// A cast, because the overloads of `end` cannot be written down as one function.
	}) as typeof response.end;
	response.on("close", release);
}

/** The endpoint of a service, as a remote one. */
export function endpointOf(url: string): VideoEndpoint {
	return { kind: "remote", baseUrl: url, origin: new URL(url).origin, label: new URL(url).host };
}

/** Jobs on a folder of their own against a service, with a clock that a test moves. */
export interface VideoBench {
	readonly service: VideoService;
	readonly clock: SteppedClock;
	readonly folder: string;
	readonly records: string;
	readonly jobs: VideoJobs;
	/** Another window, or this one after a reload. */
	open(over?: Partial<VideoJobsDependencies>): Promise<VideoJobs>;
	/** Submits a prompt and gives the job's id. */
	submit(prompt?: string): Promise<string>;
	state(id: string, jobs?: VideoJobs): VideoJob["state"] | undefined;
	/** Moves the clock until the job has come into a state; fails after `limitMs` of its time. */
	reach(id: string, name: VideoJobStateName, options?: ReachOptions): Promise<VideoJob["state"]>;
	/** Moves the clock by `ms`, from timer to timer, each only when nothing is under way any more. */
	pass(ms: number): Promise<void>;
	/** Closes every window and the service, and deletes the folder; also done when the test is over. */
	close(): Promise<void>;
}

interface ReachOptions {
	readonly limitMs?: number;
	readonly jobs?: VideoJobs;
}

/** Makes a bench, gone when the test is over. */
export async function makeVideoBench(
	over: Partial<VideoJobsDependencies> = {},
): Promise<VideoBench> {
	const folder = await mkdtemp(join(tmpdir(), "cutaway-video-"));
	const records = join(folder, "records");
	const service = await startVideoService();
	const clock = stepped(createFakeClock());
	const windows: VideoJobs[] = [];
	// A module being loaded is nothing that can be seen to be under way.
	await loadUndici();
	let closing: Promise<void> | undefined;
	const close = async (): Promise<void> => {
		windows.forEach(jobs => jobs.dispose());
		await service.close();
		await atRest();
		await rm(folder, { recursive: true, force: true, maxRetries: 5 });
	};
	const closeOnce = (): Promise<void> => (closing ??= close());
	onTestFinished(closeOnce);
	const open = async (more: Partial<VideoJobsDependencies> = {}): Promise<VideoJobs> => {
		const jobs = new VideoJobs({
			recordsFolder: records,
			clipsFolder: () => join(folder, "clips"),
			endpoint: () => endpointOf(service.url),
			connection: endpoint => Promise.resolve(connectionTo(endpoint.baseUrl)),
			clock,
			random: () => 0.5,
			writeRecord: writeUnsynced,
			...over,
			...more,
		});
		windows.push(jobs);
		await jobs.start();
		return jobs;
	};
	const jobs = await open();
	const state = (id: string, from = jobs): VideoJob["state"] | undefined => from.job(id)?.state;
	return {
		service,
		clock,
		folder,
		records,
		jobs,
		open,
		submit: (prompt = "A red fox") => jobs.submit({ kind: "text", prompt, duration: 2 }),
		state,
		pass: clock.pass,
		close: closeOnce,
		reach: async (id, name, { limitMs = 300_000, jobs: from = jobs } = {}) => {
			for (let passed = 0; ; passed += await clock.step(limitMs - passed)) {
				await atRest();
				const now = state(id, from);
				if (now?.name === name) {
					return now;
				}
				if (passed >= limitMs) {
					throw new Error(`The job is ${JSON.stringify(now)} instead of ${name}`);
				}
			}
		},
	};
}

/** Writes a record as a whole without waiting for the disk, for tests of many steps in which no machine loses its power. */
async function writeUnsynced(path: string, text: string): Promise<void> {
	const draft = `${path}.${randomUUID()}.tmp`;
	await writeFile(draft, text);
	await rename(draft, path);
}

/** Notes at which second of the clock each lookup comes in, and answers it. */
export function pollTimes({ service, clock }: VideoBench, answer: Answer): number[] {
	const startedAt = clock.monotonic();
	const times: number[] = [];
	service.onPoll = (request, response) => {
		times.push((clock.monotonic() - startedAt) / 1000);
		answer(request, response);
	};
	return times;
}

/** Gives real input and output time to happen, in milliseconds. */
export function breathe(ms: number): Promise<void> {
	return new Promise(resolve => {
		setTimeout(resolve, ms);
	});
}

/** Waits in real time for something to become true. */
export async function eventually(isTrue: () => boolean): Promise<void> {
	for (let tries = 0; !isTrue(); tries += 1) {
		if (tries > 400) {
			throw new Error("It never became true");
		}
		await breathe(10);
	}
}
