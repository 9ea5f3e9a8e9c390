import { existsSync } from "node:fs";
import { createHash } from "node:crypto";
import {
	chmod,
	type FileHandle,
	link,
	open,
	readdir,
	readFile,
	stat,
	symlink,
	writeFile,
} from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import type { KnownModelFile } from "../../../../src/common/knownModelFiles.ts";
import {
	hubModels,
	type PullFailure,
	type PullProgress,
} from "../../../../src/common/modelSetup.ts";
import { downloadModel } from "../../../../src/localService/embedded/downloadModel.ts";
import { type ModelHub, startModelHub } from "../../../helpers/modelHub.ts";
import { quickClock } from "../../../helpers/quickClock.ts";
import { createRandom } from "../../../helpers/random.ts";
import { makeTempFolder } from "../../../helpers/tempFolder.ts";

const [model] = hubModels;
const content = Buffer.from(
	Array.from({ length: 400_000 }, (_, index) => (index * 31 + (index >> 8)) % 256),
);

let hub: ModelHub;
let folder: string;

beforeEach(async () => {
	hub = await startModelHub(content);
	onTestFinished(() => hub.close());
	folder = await makeTempFolder();
});

interface Asked {
	readonly known?: KnownModelFile;
	readonly origin?: string;
	readonly isUnchecked?: boolean;
	readonly signal?: AbortSignal;
	readonly listedBytes?: number;
	readonly onProgress?: (progress: PullProgress) => void;
}

function download({
	signal,
	onProgress = () => {},
	listedBytes = model.sizeBytes,
	origin = hub.url,
	known,
	isUnchecked,
}: Asked = {}): Promise<PullFailure | undefined> {
	return downloadModel({
		hub: hub.url,
		origin,
		known,
		isUnchecked,
		model: {
			...model,
			sizeBytes: listedBytes,
		},
		folder,
		onProgress,
		clock: quickClock,
		signal: signal ?? new AbortController().signal,
	});
}

async function names(): Promise<string[]> {
	return (await readdir(folder)).sort();
}

const isWhole = async (): Promise<boolean> =>
	(await readFile(join(folder, model.file))).equals(content);

test("a model has its name once it is whole, and nothing else is left", async () => {
	expect(await download()).toBeUndefined();
	expect(await isWhole()).toBe(true);
	expect(await names()).toEqual([model.file]);
	expect(hub.asked[0]).toBe(`HEAD /${model.repository}/resolve/main/${model.file}`);
	expect(hub.asked[1]).toMatch(/^GET \/unsloth\/.+\/resolve\/[0-9a-f]{40}\/.+\.gguf$/);
});

test(
	"cut at 200 random bytes it goes on from each, and is right at the end",
	{ tags: "thorough" },
	async () => {
		const random = createRandom(7);
		hub.faults.cuts = [
			...Array.from({ length: 200 }, () => 1 + random.below(3_900)),
			content.length,
		];
		expect(await download()).toBeUndefined();
		expect(await isWhole()).toBe(true);
		const ranges = hub.asked.filter(
			asked => asked.includes("/storage/") && asked.includes("bytes="),
		);
		expect(ranges.length).toBeGreaterThan(90);
	},
);

test("canceled, its part is kept, and the next download goes on from there", async () => {
	const stopper = new AbortController();
	hub.faults.bytesPerSecond = 400_000;
	const first = download({
		signal: stopper.signal,
		onProgress: ({ completedBytes }) => completedBytes > 0 && stopper.abort(),
	});
	await expect(first).rejects.toMatchObject({ name: "AbortError" });
	expect(await names()).toEqual([`${model.file}.part`, `${model.file}.part.json`]);
	hub.faults.bytesPerSecond = undefined;
	expect(await download()).toBeUndefined();
	expect(await isWhole()).toBe(true);
	expect(hub.asked.at(-1)).toMatch(/ "[0-9a-f]{64}" bytes=[1-9]\d*-$/);
});

test("a part is not mixed with another file that has its place", async () => {
	const stopper = new AbortController();
	hub.faults.bytesPerSecond = 400_000;
	const onProgress = ({ completedBytes }: PullProgress): false | void =>
		completedBytes > 0 && stopper.abort();
	await expect(download({ signal: stopper.signal, onProgress })).rejects.toThrow();
	const other = Buffer.concat([Buffer.from("other"), content]);
	hub.replace(other);
	hub.faults.bytesPerSecond = undefined;
	expect(await download()).toBeUndefined();
	expect((await readFile(join(folder, model.file))).equals(other)).toBe(true);
});

test("a server without ranges is asked for the whole file again", async () => {
	hub.faults.hasNoRanges = true;
	hub.faults.cuts = [1_000, content.length];
	expect(await download()).toBeUndefined();
	expect(await isWhole()).toBe(true);
});

test.each<[string, (hub: ModelHub) => unknown, PullFailure["reason"]]>([
	["a wrong hash", ({ faults }) => (faults.sha256 = "0".repeat(64)), "wrongFile"],
	["no such file", ({ faults }) => (faults.status = 404), "unknownModel"],
	["a refusal", ({ faults }) => (faults.status = 403), "refused"],
	["a login page", ({ faults }) => (faults.status = 200), "refused"],
	["a far larger file", ({ faults }) => (faults.sizeBytes = 1e15), "wrongFile"],
	["no hash", ({ faults }) => (faults.isNameless = true), "unchecked"],
	[
		"a way to another host",
		({ faults }) => (faults.elsewhere = "https://example.com/file"),
		"elsewhere",
	],
	["an endless cut", ({ faults }) => (faults.cuts = [0]), "lost"],
])(
	"%s ends a download with its reason, and gives no file the name of a model",
	async (_, break_, reason) => {
		break_(hub);
		expect(await download()).toMatchObject({ reason });
		expect(existsSync(join(folder, model.file))).toBe(false);
		expect(await names()).not.toContain(`${model.file}.lock`);
	},
);

test("a disk without room is told before anything is downloaded", async () => {
	hub.faults.sizeBytes = 1e15;
	expect(await download({ listedBytes: 1e15 })).toMatchObject({ reason: "noSpace" });
	expect(hub.asked.filter(line => line.startsWith("GET"))).toEqual([]);
});

test("a disk that is full in the middle is told as that, and not tried again", async () => {
	const probe = await open(join(folder, "probe"), "w");
	await probe.close();
	const full = Object.assign(new Error("No space left on device"), { code: "ENOSPC" });
	const handles: FileHandle = Object.getPrototypeOf(probe);
	const write = vi.spyOn(handles, "write").mockRejectedValue(full);
	onTestFinished(() => write.mockRestore());
	expect(await download()).toMatchObject({ reason: "noSpace" });
	expect(hub.asked.filter(line => line.includes("/storage/"))).toHaveLength(1);
});

test("two windows share one download", async () => {
	hub.faults.bytesPerSecond = 1_000_000;
	expect(await Promise.all([download(), download()])).toEqual([undefined, undefined]);
	expect(await isWhole()).toBe(true);
	expect(hub.asked.filter(asked => asked.startsWith("HEAD"))).toHaveLength(1);
});

test("what a window left that died is no hindrance", async () => {
	const dead = { pid: 999_999_999, host: hostname(), session: "x" };
	await writeFile(join(folder, `${model.file}.lock`), JSON.stringify(dead));
	expect(await download()).toBeUndefined();
});

test("the model that is there already is not asked for again", async () => {
	await writeFile(join(folder, model.file), content);
	expect(await download()).toBeUndefined();
	expect(hub.asked).toEqual([]);
});

const sha256 = createHash("sha256").update(content).digest("hex");
const commit = "0123456789abcdef0123456789abcdef01234567";

test("T52: a hash in the source counts, and its commit is asked for", async () => {
	expect(await download({ known: { commit, sha256 } })).toBeUndefined();
	expect(hub.asked[0]).toBe(`HEAD /${model.repository}/resolve/${commit}/${model.file}`);
});

test("T52: another hash than the one in the source is refused before anything is downloaded", async () => {
	const known = { commit, sha256: "0".repeat(64) };
	expect(await download({ known })).toMatchObject({ reason: "otherHash" });
	expect(hub.asked).toHaveLength(1);
	expect(await names()).toEqual([]);
});

test("T52: behind a mirror the hub itself is asked for the hash, and another one is refused", async () => {
	const own = await startModelHub(content);
	onTestFinished(() => own.close());
	expect(await download({ origin: own.url })).toBeUndefined();
	expect(own.asked).toEqual([`HEAD /${model.repository}/resolve/main/${model.file}`]);
	hub.replace(Buffer.from("another file"));
	folder = await makeTempFolder();
	expect(await download({ origin: own.url })).toEqual({
		reason: "otherHash",
		words: new URL(own.url).host,
	});
	expect(await names()).toEqual([]);
});

test("T52: a mirror is used where the hub itself can't be reached", async () => {
	expect(await download({ origin: "http://127.0.0.1:9" })).toBeUndefined();
	expect(await isWhole()).toBe(true);
});

test.each(["linked", "own"] as const)(
	"a mirror that names hash and size in its %s headers and no commit is used",
	async headers => {
		hub.faults.mirror = headers;
		expect(await download()).toBeUndefined();
		expect(await isWhole()).toBe(true);
		expect(hub.asked[1]).toContain("/resolve/main/");
	},
);

test("T52: a mirror without a hash of its own is believed where its list of files has it", async () => {
	hub.faults.mirror = "listed";
	expect(await download()).toBeUndefined();
	expect(await isWhole()).toBe(true);
	expect(hub.asked[1]).toBe(`GET /api/models/${model.repository}/tree/main`);
});

test("T52: behind a mirror that names no hash, the file is checked against the hub's or the source's", async () => {
	hub.faults.mirror = "bare";
	expect(await download({ known: { commit, sha256 } })).toBeUndefined();
	const own = await startModelHub(Buffer.from("another file"));
	onTestFinished(() => own.close());
	folder = await makeTempFolder();
	expect(await download({ origin: own.url })).toMatchObject({ reason: "wrongFile" });
	expect(await names()).toEqual([]);
});

test("T52: a file whose hash nobody names is downloaded only once the user has agreed", async () => {
	hub.faults.mirror = "bare";
	expect(await download()).toMatchObject({ reason: "unchecked" });
	expect(hub.asked.filter(line => line.startsWith("GET") && !line.includes("/api/"))).toEqual([]);
	expect(await names()).toEqual([]);
	expect(await download({ isUnchecked: true })).toBeUndefined();
	expect(await isWhole()).toBe(true);
});

test.each([
	["a link", (path: string, target: string) => symlink(target, path)],
	["another name of a file", (path: string, target: string) => link(target, path)],
])("T53: %s in place of a part is replaced, and what it leads to stays", async (_name, put) => {
	const target = join(await makeTempFolder(), "mine.txt");
	await writeFile(target, "mine", { mode: 0o600 });
	await writeFile(join(folder, `${model.file}.part.json`), JSON.stringify({ sha256 }));
	await put(join(folder, `${model.file}.part`), target);
	expect(await download()).toBeUndefined();
	expect(await isWhole()).toBe(true);
	expect(await readFile(target, "utf8")).toBe("mine");
});

test("T53: a part that others may write is not gone on with", async () => {
	const part = join(folder, `${model.file}.part`);
	await writeFile(`${part}.json`, JSON.stringify({ sha256 }));
	await writeFile(part, content.subarray(0, 1_000));
	await chmod(part, 0o666);
	expect(await download()).toBeUndefined();
	expect(hub.asked.every(asked => !asked.includes("bytes="))).toBe(true);
	expect((await stat(join(folder, model.file))).mode & 0o077).toBe(0);
});
