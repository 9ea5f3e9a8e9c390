import { existsSync } from "node:fs";
import { type FileHandle, open, readdir, readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { directNetwork } from "../../../../src/client/transport/transport.ts";
import type { PullFailure } from "../../../../src/common/modelSetup.ts";
import { setNetwork } from "../../../../src/localService/base/network.ts";
import { PackageQuestions } from "../../../../src/localService/python/packages/packageQuestions.ts";
import { PackageStore } from "../../../../src/localService/python/packages/packageStore.ts";
import { type PackageMirror, startMirror } from "../../../helpers/packageMirror.ts";
import { startProxy } from "../../../helpers/proxyServer.ts";
import { quickClock } from "../../../helpers/quickClock.ts";
import { makeTempFolder } from "../../../helpers/tempFolder.ts";

const bytes = Buffer.from(Array.from({ length: 100_000 }, (_, index) => (index * 31) % 251));
const file = "large-1.0-py3-none-any.whl";

let mirror: PackageMirror;
let folder: string;

beforeEach(async () => {
	mirror = await startMirror({ large: { file, bytes, imports: ["large"] } });
	folder = await makeTempFolder();
});

afterEach(() => setNetwork(directNetwork));

const storeAt = (url: string): PackageStore =>
	new PackageStore({
		lockFile: mirror.lockFile,
		folder,
		mirror: () => url,
		clock: quickClock,
		questions: new PackageQuestions(),
	});

interface Asked {
	readonly at?: string;
	readonly signal?: AbortSignal;
	readonly onProgress?: (share: number) => void;
}

/** Downloads the package as one window does. */
async function download({
	at = mirror.url,
	signal = new AbortController().signal,
	onProgress = () => undefined,
}: Asked = {}): Promise<PullFailure | undefined> {
	const store = storeAt(at);
	return await store.download(await store.neededFor(["large"]), signal, onProgress);
}

const inFolder = (name: string): string => join(folder, "1.2.3", name);
const isWhole = async (): Promise<boolean> => (await readFile(inFolder(file))).equals(bytes);

test("T26: a mirror's package that is larger than any is not downloaded", async () => {
	const asked: string[] = [];
	const server = createServer(({ method = "" }, response) => {
		asked.push(method);
		response.writeHead(200, { "content-length": 10 * 1024 ** 3 }).end();
	});
	await new Promise<void>(resolve => server.listen(0, "127.0.0.1", resolve));
	onTestFinished(() => void server.close());
	const at = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	expect(await download({ at })).toMatchObject({ reason: "wrongFile" });
	expect(asked).toEqual(["HEAD"]);
	expect(await readdir(folder)).toEqual([]);
});

test("L20: a canceled download keeps its part, and the next one goes on from there", async () => {
	mirror.hold = new Promise(() => undefined);
	const stopper = new AbortController();
	const onProgress = (share: number): void => void (share > 0 && stopper.abort());
	await expect(download({ signal: stopper.signal, onProgress })).rejects.toMatchObject({
		name: "AbortError",
	});
	expect(existsSync(inFolder(file))).toBe(false);
	mirror.hold = undefined;
	expect(await download()).toBeUndefined();
	expect(await isWhole()).toBe(true);
	expect(mirror.asked.at(-1)).toMatch(/^GET .+ from [1-9]\d*$/);
	expect(await readdir(inFolder(""))).toEqual([file]);
});

test("L20: two windows share one download", async () => {
	const opened = Promise.withResolvers<void>();
	mirror.hold = opened.promise;
	const onProgress = (share: number): void => void (share > 0 && opened.resolve());
	expect(await Promise.all([download({ onProgress }), download({ onProgress })])).toEqual([
		undefined,
		undefined,
	]);
	expect(await isWhole()).toBe(true);
	expect(mirror.asked.filter(asked => asked.startsWith("GET"))).toHaveLength(1);
});

test("L20: a disk that is full in the middle is told as that, and not tried again", async () => {
	const probe = await open(join(folder, "probe"), "w");
	await probe.close();
	const full = Object.assign(new Error("No space left on device"), { code: "ENOSPC" });
	const handles: FileHandle = Object.getPrototypeOf(probe);
	const write = vi.spyOn(handles, "write").mockRejectedValue(full);
	onTestFinished(() => write.mockRestore());
	expect(await download()).toMatchObject({ reason: "noSpace" });
	expect(existsSync(inFolder(file))).toBe(false);
	expect(mirror.asked.filter(asked => asked.startsWith("GET"))).toHaveLength(1);
});

test("L20: a network without the mirror is told with its own words", async () => {
	expect(await download({ at: "http://127.0.0.1:9/py" })).toMatchObject({
		reason: "lost",
		words: expect.stringContaining("ECONNREFUSED"),
	});
});

test("packages come through the editor's proxy", async () => {
	const { port } = new URL(mirror.url);
	const proxy = await startProxy(Number(port));
	setNetwork({ ...directNetwork, mode: "auto", proxy: `http://${proxy.address}` });
	expect(await download({ at: "http://packages.example.com/py" })).toBeUndefined();
	expect(await isWhole()).toBe(true);
	expect(proxy.asked).toHaveLength(2);
});
