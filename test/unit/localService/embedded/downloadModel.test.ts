import { existsSync } from "node:fs";
import { readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { hubModels, type PullFailure, type PullProgress } from "../../../../src/common/models.ts";
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
	readonly signal?: AbortSignal;
	readonly listedBytes?: number;
	readonly onProgress?: (progress: PullProgress) => void;
}

function download({
	signal,
	onProgress = () => {},
	listedBytes = model.sizeBytes,
}: Asked = {}): Promise<PullFailure | undefined> {
	return downloadModel({
		...{ hub: hub.url, model: { ...model, sizeBytes: listedBytes }, folder, onProgress },
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

test("cut at 200 random bytes it goes on from each, and is right at the end", async () => {
	const random = createRandom(7);
	hub.faults.cuts = [...Array.from({ length: 200 }, () => 1 + random.below(3_900)), content.length];
	expect(await download()).toBeUndefined();
	expect(await isWhole()).toBe(true);
	const ranges = hub.asked.filter(asked => asked.includes("/storage/") && asked.includes("bytes="));
	expect(ranges.length).toBeGreaterThan(90);
});

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
	["no size and hash", ({ faults }) => (faults.isNameless = true), "refused"],
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

test.skipIf(process.platform !== "linux")(
	"a disk that is full in the middle is told as that, and not tried again",
	async () => {
		await symlink("/dev/full", join(folder, `${model.file}.part`));
		expect(await download()).toMatchObject({ reason: "noSpace" });
		expect(hub.asked.filter(line => line.includes("/storage/"))).toHaveLength(1);
	},
);

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
