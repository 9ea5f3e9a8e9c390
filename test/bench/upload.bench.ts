/** What attaching and uploading costs the extension host: its event loop, its memory and the user's time. */
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createReadStream } from "node:fs";
import { mkdir, mkdtemp, open, realpath, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { request } from "undici";
import { AttachmentTray } from "../../src/attachments/tray.ts";
import { systemClock } from "../../src/common/async.ts";
import { silentLog } from "../../src/common/log.ts";
import { connectionTo } from "../helpers/clientHarness.ts";

const megabyte = 1024 * 1024;
const largeMegabytes = 100;
const folderFiles = 200;
const rounds = 5;

/** Prints the figures, each beside its target or its reference from the same run. */
export async function run(): Promise<void> {
	const server = spawn(process.execPath, [new URL("uploadServer.ts", import.meta.url).pathname], {
		stdio: ["pipe", "pipe", "inherit"],
	});
	const [output]: unknown[] = await once(server.stdout, "data");
	const baseUrl = `http://127.0.0.1:${String(output).trim()}`;
	const folder = await realpath(await mkdtemp(join(tmpdir(), "cutaway-bench-")));
	try {
		await measureLarge(folder, baseUrl);
		await measureFolder(folder, baseUrl);
	} finally {
		server.stdin.end();
		await rm(folder, { recursive: true, force: true });
	}
}

async function measureLarge(folder: string, baseUrl: string): Promise<void> {
	const small = join(folder, "small.bin");
	await writeFile(small, randomBytes(4 * megabyte));
	await upload(trayOf(folder, baseUrl), [small]);
	await plainUpload(small, baseUrl);
	const seen: Round[] = [];
	for (let round = 0; round < rounds; round++) {
		seen.push(await measureRound(folder, baseUrl, round));
	}
	const middle = (figure: (round: Round) => number): string =>
		(seen.map(figure).toSorted((a, b) => a - b)[Math.floor(rounds / 2)] ?? Number.NaN).toFixed(1);
	print(`upload of ${largeMegabytes} MB, hash included`, `${middle(({ own }) => own.ms)} ms`);
	print("  undici with a read stream, no hash", `${middle(({ bare }) => bare.ms)} ms`);
	print("  the same bytes again, nothing sent", `${middle(({ again }) => again.ms)} ms`);
	print("  event loop, p99 (target: under 20 ms)", `${middle(({ own }) => own.p99)} ms`);
	print("    undici with a read stream", `${middle(({ bare }) => bare.p99)} ms`);
	print("    nothing done", `${middle(({ idle }) => idle.p99)} ms`);
	// What a process once took it keeps, so only the most of all rounds says anything.
	const most = (figure: (round: Round) => number): string =>
		Math.max(...seen.map(figure)).toFixed(1);
	print(
		"  memory, most of all rounds (target: under +30 MB)",
		`+${most(({ own }) => own.memory)} MB`,
	);
	print("    undici with a read stream", `+${most(({ bare }) => bare.memory)} MB`);
}

interface Round {
	readonly bare: Watched;
	readonly own: Watched;
	readonly again: Watched;
	/** As long as the upload took, so that the machine's own unrest shows. */
	readonly idle: Watched;
}

async function measureRound(folder: string, baseUrl: string, round: number): Promise<Round> {
	const large = join(folder, `large-${round}.bin`);
	await writeLarge(large);
	const own = await watch(() => upload(trayOf(folder, baseUrl), [large]));
	const bare = await watch(() => plainUpload(large, baseUrl));
	const again = await watch(() => upload(trayOf(folder, baseUrl), [large]));
	const idle = await watch(() => new Promise(resolve => setTimeout(resolve, own.ms)));
	await rm(large);
	return { bare, own, again, idle };
}

async function measureFolder(folder: string, baseUrl: string): Promise<void> {
	const many = join(folder, "many");
	await mkdir(many);
	for (let file = 0; file < folderFiles; file++) {
		await writeFile(join(many, `${file}.csv`), `n\n${file}\n`.repeat(1000));
	}
	const tray = trayOf(folder, baseUrl);
	const adding = await watch(() => tray.addPaths([many]));
	const sending = await watch(() => tray.prepare());
	print(`attaching a folder of ${folderFiles} files`, `${adding.ms.toFixed(0)} ms`);
	print("  event loop, p99 (target: under 20 ms)", `${adding.p99.toFixed(1)} ms`);
	print(`uploading them`, `${sending.ms.toFixed(0)} ms`);
	print("  event loop, p99 (target: under 20 ms)", `${sending.p99.toFixed(1)} ms`);
}

function trayOf(folder: string, baseUrl: string): AttachmentTray {
	return new AttachmentTray({
		readDocument: () => Promise.reject(new Error("none")),
		connection: () => Promise.resolve(connectionTo(baseUrl)),
		recordsFolder: join(folder, "records"),
		workspaceFolders: () => [folder],
		clock: systemClock,
		log: silentLog,
	});
}

async function upload(tray: AttachmentTray, paths: readonly string[]): Promise<void> {
	await tray.addPaths(paths);
	const { type } = await tray.prepare();
	if (type !== "prepared") {
		throw new Error(`Nothing was uploaded: ${JSON.stringify(tray.attachments)}`);
	}
	tray.clear();
}

/** The reference: the least that sends a file without holding it. */
async function plainUpload(path: string, baseUrl: string): Promise<void> {
	const { size } = await stat(path);
	const { body } = await request(`${baseUrl}/v1/files`, {
		method: "POST",
		headers: { "content-length": String(size), "content-type": "application/octet-stream" },
		body: createReadStream(path),
	});
	await body.text();
}

/** In pieces of their own, so that the bytes are not in this process's memory. */
async function writeLarge(path: string): Promise<void> {
	const file = await open(path, "w");
	for (let piece = 0; piece < largeMegabytes; piece++) {
		await file.write(randomBytes(megabyte));
	}
	await file.close();
}

interface Watched {
	readonly ms: number;
	/** Delay of the event loop that 99 of 100 samples stay below, in milliseconds, without the monitor's own resolution. */
	readonly p99: number;
	/** The most the process grew by meanwhile, in megabytes. */
	readonly memory: number;
}

const resolutionMs = 1;

async function watch(task: () => Promise<unknown>): Promise<Watched> {
	globalThis.gc?.();
	await new Promise(resolve => setTimeout(resolve, 200));
	const before = process.memoryUsage.rss();
	let most = before;
	const sampling = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 10);
	const delay = monitorEventLoopDelay({ resolution: resolutionMs });
	delay.enable();
	const start = performance.now();
	await task();
	const ms = performance.now() - start;
	delay.disable();
	clearInterval(sampling);
	const inMs = (nanoseconds: number): number => Math.max(0, nanoseconds / 1e6 - resolutionMs);
	return {
		ms,
		p99: inMs(delay.percentile(99)),
		memory: (most - before) / megabyte,
	};
}

function print(name: string, figure: string): void {
	process.stdout.write(`${name.padEnd(52)} ${figure.padStart(12)}\n`);
}
