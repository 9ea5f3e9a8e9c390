import { createHash } from "node:crypto";
import { readdirSync, statSync } from "node:fs";
import {
	type FileHandle,
	link,
	open,
	readdir,
	readFile,
	rm,
	stat,
	symlink,
	writeFile,
} from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { Download } from "../../../../src/client/download.ts";
import { AbortError } from "../../../../src/common/errors.ts";
import { anyLookup } from "../../../../src/video/download/clipAddress.ts";
import { type ClipDownload, downloadClip } from "../../../../src/video/download/videoDownload.ts";
import type { ClipTarget } from "../../../../src/video/job/videoJob.ts";
import { systemClock } from "../../../../src/common/async.ts";
import { connectionTo } from "../../../helpers/clientHarness.ts";
import { makeTempFolder } from "../../../helpers/tempFolder.ts";
import {
	type Answer,
	clip,
	clipBytes,
	generation,
	json,
	makeVideoBench,
	startVideoService,
	type VideoService,
} from "../../../helpers/videoService.ts";

const partName = "cutaway-job.part";

const quick = {
	...systemClock,
	setTimer: (ms: number, callback: () => void) => systemClock.setTimer(ms / 100, callback),
};

interface Bench {
	readonly service: VideoService;
	readonly folder: string;
	run(over?: Partial<ClipDownload>): ReturnType<typeof downloadClip>;
	names(): Promise<string[]>;
}

async function makeBench(...answers: Answer[]): Promise<Bench> {
	const service = await startVideoService();
	onTestFinished(() => service.close());
	const folder = await makeTempFolder();
	/** The job's record of where its clip goes. */
	const named: ClipTarget[] = [];
	let count = 0;
	service.onClip = (request, response) => {
		const answer = answers[Math.min(count, answers.length - 1)];
		count += 1;
		answer?.(request, response);
	};
	return {
		service,
		folder,
		run: over =>
			downloadClip({
				address: `${service.url}/clip`,
				connection: connectionTo(service.url),
				jobId: "job",
				target: named[0] ?? { folder },
				baseName: "Clip",
				onNamed: target => {
					named[0] = target;
					return Promise.resolve();
				},
				maxBytes: 1_000_000,
				clock: quick,
				random: () => 0.5,
				signal: new AbortController().signal,
				onProgress: () => undefined,
				...over,
			}),
		names: async () => (await readdir(folder)).sort(),
	};
}

/** Sends the head of a clip and a part of its bytes, then breaks the connection. */
const cutAfter =
	(sent: number, bytes = clipBytes()): Answer =>
	(_request, response) => {
		response.writeHead(200, { "content-type": "video/mp4", "content-length": bytes.length });
		response.write(bytes.subarray(0, sent), () => setTimeout(() => response.destroy(), 10));
	};

test.each([
	["http://example.com/a.mp4", "http:"],
	["file:///etc/passwd", "file:"],
	["data:video/mp4;base64,AAAA", "data:"],
	["https://user:pw@example.com/a.mp4", "user name"],
	["https://10.1.2.3/a.mp4", "private"],
	["https://169.254.169.254/latest", "private"],
	["https://127.0.0.1/a.mp4", "private"],
	["https://2130706433/a.mp4", "private"],
	["https://0x7f.1/a.mp4", "private"],
	["https://[::1]/a.mp4", "private"],
	["https://[::ffff:192.168.0.1]/a.mp4", "private"],
	["https://[64:ff9b::a00:1]/a.mp4", "private"],
	["https://[fd00::1]/a.mp4", "private"],
	["https://[::ffff:0:10.0.0.1]/a.mp4", "private"],
	["https://[::127.0.0.1]/a.mp4", "private"],
	["https://[2002:a00:1::]/a.mp4", "private"],
	["https://[4000::1]/a.mp4", "private"],
	["https://0177.0.0.1/a.mp4", "private"],
	["https://127.1/a.mp4", "private"],
	["https://127.0.0.1./a.mp4", "private"],
	["https://①②⑦.0.0.1/a.mp4", "private"],
	["https://localhost./a.mp4", "private"],
	["//10.0.0.1/a.mp4", "complete address"],
	["javascript:alert(1)", "javascript:"],
	["https://localhost/a.mp4", "private"],
	["not an address", "complete address"],
	["pending", "complete address"],
	["\\\\10.0.0.1\\a.mp4", "complete address"],
])("J12, T27: %s is refused before anything is sent", async (address, reason) => {
	const bench = await makeBench(clip());
	const outcome = await bench.run({ address });
	expect(outcome).toMatchObject({
		name: "addressRefused",
		reason: expect.stringContaining(reason),
	});
	expect(bench.service.log).toEqual([]);
});

test.each(["/clips/1.mp4", "clips/1.mp4", "./clips/1.mp4", "../clips/1.mp4?a=b/c"])(
	"J12: %s, an address without scheme and host, is of the service's own origin",
	async address => {
		const bench = await makeBench(clip());
		const connection = connectionTo(`${bench.service.url}/api`);
		expect(await bench.run({ address, connection })).toMatchObject({ name: "ready" });
		expect(bench.service.log[0]?.line).toMatch(/^GET \/clips\/1\.mp4/);
	},
);

test("J12, T27: a name that leads into a private network is refused, also when only one of its addresses does", async () => {
	const bench = await makeBench(clip());
	const resolve = (): Promise<{ address: string; family: 4 }[]> =>
		Promise.resolve([
			{ address: "93.184.216.34", family: 4 },
			{ address: "192.168.1.1", family: 4 },
		]);
	const outcome = await bench.run({ address: "https://rebind.example/a.mp4", resolve });
	expect(outcome).toMatchObject({ name: "addressRefused" });
});

test("T27: a name that changes to a private address between check and use is never connected to", async () => {
	const bench = await makeBench(clip());
	let asked = 0;
	const resolve = (): Promise<{ address: string; family: 4 }[]> => {
		asked += 1;
		return Promise.resolve([
			{ address: asked % 2 === 1 ? "93.184.216.34" : "127.0.0.1", family: 4 },
		]);
	};
	const address = `https://rebind.example:${new URL(bench.service.url).port}/clip`;
	const connection = connectionTo(bench.service.url, { network: "direct" });
	const outcome = await bench.run({ address, resolve, connection });
	expect(outcome.name).toBe("downloadFailed");
	expect(asked).toBeGreaterThan(1);
	expect(bench.service.log).toEqual([]);
});

test("J12, T27: a redirect into a private network is refused, one within the service is followed", async () => {
	const away: Answer = (_request, response) =>
		response.writeHead(302, { location: "https://192.168.0.1/x" }).end();
	const refused = await makeBench(away);
	expect(await refused.run()).toMatchObject({ name: "addressRefused" });
	const within: Answer = (_request, response) =>
		response.writeHead(302, { location: "/real" }).end();
	const followed = await makeBench(within, clip());
	expect(await followed.run()).toMatchObject({ name: "ready" });
});

test("J12, T27: a redirect from https to the service's own plain address is refused", async () => {
	const bench = await makeBench(clip());
	const headers: Record<string, string> = { location: `${bench.service.url}/clip` };
	const close = vi.fn();
	const opened = vi.spyOn(Download, "open");
	onTestFinished(() => opened.mockRestore());
	const away: Download = Object.create(Download.prototype, {
		status: { value: 302 },
		header: { value: (name: string) => headers[name] },
		close: { value: close },
	});
	opened.mockResolvedValueOnce(away);
	const resolve = () => Promise.resolve([{ address: "93.184.216.34", family: 4 as const }]);
	expect(await bench.run({ address: "https://cdn.example/a.mp4", resolve })).toMatchObject({
		name: "addressRefused",
		reason: "it redirects to an address without https",
	});
	expect(close).toHaveBeenCalledOnce();
	expect(bench.service.log).toEqual([]);
});

test("J12: redirects without end are refused", async () => {
	const bench = await makeBench((_request, response) =>
		response.writeHead(307, { location: "/on" }).end(),
	);
	expect(await bench.run()).toMatchObject({ name: "addressRefused" });
	expect(bench.service.log.length).toBeLessThanOrEqual(6);
});

test("T6: the key goes to the service's own origin and to no other", async () => {
	const own = await makeBench(clip());
	await own.run();
	expect(own.service.log[0]?.headers.authorization).toContain("Bearer");
	const other = await startVideoService();
	onTestFinished(() => other.close());
	const answer = await Download.open({
		url: new URL(`${other.url}/clip`),
		connection: connectionTo(own.service.url),
		lookup: anyLookup,
		signal: new AbortController().signal,
	});
	answer.close();
	expect(JSON.stringify(other.log[0]?.headers)).not.toContain("canary");
});

test.each([401, 403, 404, 410])("J13: after %i a fresh address is asked for once", async status => {
	const bench = await makeVideoBench();
	const { service } = bench;
	let polls = 0;
	service.onPoll = (request, response) => {
		polls += 1;
		generation("complete", `${service.url}/clip-${polls}`)(request, response);
	};
	service.onClip = (request, response) =>
		(request.url === "/clip-1" ? json({}, status) : clip())(request, response);
	await bench.reach(await bench.submit(), "ready");
	expect(polls).toBe(2);
	service.onClip = json({}, status);
	const id = await bench.submit();
	expect(await bench.reach(id, "linkExpired")).toEqual({ name: "linkExpired", status });
	expect(polls).toBe(4);
	expect(service.posts).toBe(2);
});

test.each([
	[
		"a web page",
		"<!doctype html><title>Sign in</title><p>please wait for it to load, it takes time",
	],
	["JSON", JSON.stringify({ error: "x".repeat(200) })],
	["nothing", ""],
	["other bytes", "x".repeat(5_000)],
])(
	"J14: %s in place of a video is tried once more, then shown, and nothing is kept",
	async (_name, text) => {
		const answer: Answer = (_request, response) =>
			response.writeHead(200, { "content-type": "text/html" }).end(text);
		const bench = await makeBench(answer);
		expect(await bench.run()).toMatchObject({ name: "notAVideo", contentType: "text/html" });
		expect(bench.service.log).toHaveLength(2);
		expect(await bench.names()).toEqual([]);
	},
);

test("J15: a cut download is asked for again as a whole, and a service that never sends it is given up", async () => {
	const bytes = clipBytes(50_000);
	const bench = await makeBench(cutAfter(20_000, bytes), clip(bytes));
	expect(await bench.run()).toMatchObject({ name: "ready", size: 50_000 });
	expect((await readFile(join(bench.folder, "Clip.mp4"))).equals(bytes)).toBe(true);
	expect(await bench.names()).toEqual(["Clip.mp4"]);
	for (const answer of [json({}, 503), cutAfter(20_000, bytes)]) {
		const stuck = await makeBench(answer);
		expect(await stuck.run()).toMatchObject({ name: "downloadFailed" });
		expect(stuck.service.log).toHaveLength(6);
		expect(await stuck.names()).toEqual([]);
	}
});

test("J15: what a stopped program left of a clip is replaced, and what is stopped leaves nothing", async () => {
	const bytes = clipBytes(50_000);
	const bench = await makeBench(cutAfter(20_000, bytes), clip(bytes));
	const stop = new AbortController();
	const stopped = bench.run({ signal: stop.signal, onProgress: () => stop.abort() });
	await expect(stopped).rejects.toBeInstanceOf(AbortError);
	expect(await bench.names()).toEqual([]);
	await writeFile(join(bench.folder, partName), "half");
	expect(await bench.run()).toMatchObject({ name: "ready" });
	expect((await readFile(join(bench.folder, "Clip.mp4"))).equals(bytes)).toBe(true);
	expect(await bench.names()).toEqual(["Clip.mp4"]);
});

test("J16: what changed meanwhile is never stitched", async () => {
	const [first, second] = [clipBytes(50_000, 1), clipBytes(50_000, 2)];
	const bench = await makeBench(cutAfter(20_000, first), clip(second));
	expect(await bench.run()).toMatchObject({ name: "ready" });
	expect((await readFile(join(bench.folder, "Clip.mp4"))).equals(second)).toBe(true);
});

test("J17: a clip above the limit is refused by its length, and by its bytes when it states none", async () => {
	const stated = await makeBench(clip(clipBytes(20_000)));
	expect(await stated.run({ maxBytes: 10_000 })).toEqual({
		name: "tooLarge",
		size: 20_000,
		limit: 10_000,
	});
	const endless: Answer = (_request, response) => {
		const timer = setInterval(() => response.write(clipBytes(4_000)), 1);
		response.on("close", () => clearInterval(timer));
	};
	const unstated = await makeBench(endless);
	expect(await unstated.run({ maxBytes: 10_000 })).toMatchObject({
		name: "tooLarge",
		limit: 10_000,
	});
	expect(await stated.names()).toEqual([]);
	expect(await unstated.names()).toEqual([]);
});

test("J17: a disk without room is found out before the first byte", async () => {
	const bench = await makeBench(clip(clipBytes(20_000)));
	const outcome = await bench.run({ freeBytes: () => Promise.resolve(19_999) });
	expect(outcome).toEqual({ name: "noRoom", needed: 20_000, free: 19_999 });
	expect(await bench.names()).toEqual([]);
});

test("J17: a disk that fills up half-way is named with what is needed, and nothing is left", async () => {
	const bench = await makeBench(clip(clipBytes(900_000)));
	const handle = await open(join(bench.folder, "probe"), "w");
	await handle.close();
	await rm(join(bench.folder, "probe"));
	const prototype: object = Object.getPrototypeOf(handle);
	const write: unknown = Reflect.get(prototype, "write");
	let calls = 0;
	Reflect.set(prototype, "write", function (this: FileHandle, ...args: unknown[]): unknown {
		calls += 1;
		const error = Object.assign(new Error("full"), { code: "ENOSPC" });
		return calls > 1 || typeof write !== "function"
			? Promise.reject(error)
			: Reflect.apply(write, this, args);
	});
	onTestFinished(() => void Reflect.set(prototype, "write", write));
	expect(await bench.run()).toMatchObject({ name: "noRoom", needed: 900_000 });
	expect(calls).toBe(2);
	expect(await bench.names()).toEqual([]);
});

test("J17: the user may still have a larger clip", async () => {
	const bench = await makeVideoBench({ maxClipBytes: 1_000 });
	const id = await bench.submit();
	expect(await bench.reach(id, "tooLarge")).toMatchObject({ size: 5_000, limit: 1_000 });
	await bench.jobs.downloadAnyway(id);
	await bench.reach(id, "ready");
	expect(bench.service.posts).toBe(1);
});

test("L7: a folder that cannot be written to is named", async () => {
	const bench = await makeVideoBench();
	await writeFile(join(bench.folder, "clips"), "a file in the way");
	const id = await bench.submit();
	const state = await bench.reach(id, "cannotSave");
	expect(state).toMatchObject({ code: "EEXIST", folder: join(bench.folder, "clips") });
});

test("L7: after a folder that cannot be written to, the clip goes to the one that is chosen next", async () => {
	let clips = "clips";
	const folders = { root: "" };
	const bench = await makeVideoBench({ clipsFolder: () => join(folders.root, clips) });
	folders.root = bench.folder;
	await writeFile(join(bench.folder, "clips"), "a file in the way");
	const id = await bench.submit();
	await bench.reach(id, "cannotSave");
	clips = "others";
	await bench.jobs.checkAgain(id);
	const state = await bench.reach(id, "ready");
	expect(state).toMatchObject({ file: expect.stringContaining(join(bench.folder, "others")) });
});

test("T26: a packed video is refused unread", async () => {
	const packed: Answer = (_request, response) =>
		response.writeHead(200, { "content-encoding": "gzip" }).end(Buffer.alloc(1_000));
	const bench = await makeBench(packed);
	expect(await bench.run()).toMatchObject({
		name: "downloadFailed",
		failure: { kind: "unreadable" },
	});
});

test("a file of the same name is never replaced", async () => {
	const bench = await makeBench(clip());
	await writeFile(join(bench.folder, "Clip.mp4"), "mine");
	expect(await bench.run()).toMatchObject({ file: join(bench.folder, "Clip-2.mp4") });
	expect(await readFile(join(bench.folder, "Clip.mp4"), "utf8")).toBe("mine");
});

test("a large clip arrives byte for byte", async () => {
	const bytes = clipBytes(900_000, 9);
	const bench = await makeBench(clip(bytes));
	await bench.run();
	const hash = (data: Buffer): string => createHash("sha256").update(data).digest("hex");
	expect(hash(await readFile(join(bench.folder, "Clip.mp4")))).toBe(hash(bytes));
});

test("J19: a crash between a clip's name and its part's end leaves one clip, not two", async () => {
	const bench = await makeBench(clip());
	const outcome = await bench.run();
	await link(join(bench.folder, "Clip.mp4"), join(bench.folder, partName));
	expect(await bench.run()).toEqual({ ...outcome, savedAt: expect.any(Number) });
	expect(await bench.names()).toEqual(["Clip.mp4"]);
	expect(bench.service.log).toHaveLength(1);
});

test("J19: a file that took the clip's name before it was given is not taken for the clip", async () => {
	const bytes = clipBytes(50_000);
	const bench = await makeBench(clip(bytes));
	await writeFile(join(bench.folder, "Clip.mp4"), "mine");
	const target = { folder: bench.folder, name: "Clip.mp4", size: bytes.length };
	expect(await bench.run({ target })).toMatchObject({ file: join(bench.folder, "Clip-2.mp4") });
	expect(await readFile(join(bench.folder, "Clip.mp4"), "utf8")).toBe("mine");
});

test("J16: a part of something that no part was asked of is not a clip", async () => {
	const bytes = clipBytes(5_000);
	const bench = await makeBench((_request, response) =>
		response
			.writeHead(206, { "content-length": 200, "content-range": "bytes 0-199/5000" })
			.end(bytes.subarray(0, 200)),
	);
	expect(await bench.run()).toMatchObject({ name: "downloadFailed" });
	expect(await bench.names()).toEqual([]);
});

test.skipIf(process.platform === "win32")(
	"a clip and its part are for their owner alone",
	async () => {
		const bytes = clipBytes();
		const modes = async (bench: Bench): Promise<(string | number)[][]> =>
			Promise.all(
				(await bench.names()).map(async name => [
					name,
					(await stat(join(bench.folder, name))).mode & 0o777,
				]),
			);
		const cut = await makeBench(clip(bytes));
		const stop = new AbortController();
		const during: (string | number)[][][] = [];
		const stopped = cut.run({
			signal: stop.signal,
			onProgress: () => {
				during.push(
					readdirSync(cut.folder).map(name => [
						name,
						statSync(join(cut.folder, name)).mode & 0o777,
					]),
				);
				stop.abort();
			},
		});
		await expect(stopped).rejects.toBeInstanceOf(AbortError);
		expect(during).toEqual([[[partName, 0o600]]]);
		const whole = await makeBench(clip(bytes));
		await whole.run();
		expect(await modes(whole)).toContainEqual(["Clip.mp4", 0o600]);
	},
);

test("T26: a link in the part's place is not written through", async () => {
	const bench = await makeBench(clip());
	const victim = join(await makeTempFolder(), "victim");
	await writeFile(victim, "precious");
	await symlink(victim, join(bench.folder, partName));
	expect(await bench.run()).toMatchObject({ name: "ready" });
	expect(await readFile(victim, "utf8")).toBe("precious");
	expect(await bench.names()).toEqual(["Clip.mp4"]);
});

test.each([
	["a refused address", { address: "https://10.0.0.1/a.mp4" }],
	["a full disk", { freeBytes: () => Promise.resolve(1) }],
	["a clip above the limit", { maxBytes: 10 }],
])("after %s no part is left", async (_name, over) => {
	const bench = await makeBench(clip());
	await bench.run(over);
	expect(await bench.names()).toEqual([]);
});
