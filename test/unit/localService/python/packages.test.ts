// @module-tag thorough
import { createHash } from "node:crypto";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { CodeInterpreter } from "../../../../src/localService/python/codeInterpreter.ts";
import { PackageLock } from "../../../../src/localService/python/packages/packageStore.ts";
import { PackageQuestions } from "../../../../src/localService/python/packages/packageQuestions.ts";
import {
	type ToolOutcome,
	offerServerTools,
} from "../../../../src/localService/python/pythonTool.ts";
import { storeZip } from "../../../../src/localService/python/storedZip.ts";
import { type BuiltPython, buildPython } from "../../../helpers/pythonFiles.ts";
import { makeTempFolder } from "../../../helpers/tempFolder.ts";
import { systemClock } from "../../../../src/common/async.ts";

// Loading Python takes its time on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

const emptyZip = Buffer.from(`504b0506${"00".repeat(18)}`, "hex");

function wheelOf(files: Readonly<Record<string, string>>): Buffer {
	const more = new Map(Object.entries(files).map(([name, text]) => [name, Buffer.from(text)]));
	return storeZip(emptyZip, () => true, more);
}

const wheels: Readonly<Record<string, Buffer>> = {
	"base-1.0-py3-none-any.whl": wheelOf({
		"base/__init__.py":
			"import os\ntable = open(os.path.join(os.path.dirname(__file__), 'n.txt')).read()",
		"base/n.txt": "41",
	}),
	"leaf-2.0-py3-none-any.whl": wheelOf({
		"leaf_module.py": "import base\nvalue = int(base.table) + 1",
	}),
};

const hashOf = (bytes: Buffer): string => createHash("sha256").update(bytes).digest("hex");

function lockOf(): object {
	const [base = "", leaf = ""] = Object.keys(wheels);
	const packageOf = (file: string, depends: readonly string[], module: string): object => ({
		...{ file, depends, imports: [module] },
		sha256: hashOf(wheels[file] ?? emptyZip),
	});
	return {
		version: "1.2.3",
		packages: {
			base: packageOf(base, [], "base"),
			"leaf-package": packageOf(leaf, ["base"], "leaf_module"),
		},
	};
}

let built: BuiltPython;

beforeAll(async () => {
	built = await buildPython();
}, 120_000);

afterAll(() => built.remove());

interface Mirror {
	readonly asked: string[];
	/** Changes what is sent. */
	change: (bytes: Buffer) => Buffer;
	/** After how many bytes the connection is cut, once each. */
	readonly cuts: number[];
	readonly url: string;
}

async function startMirror(): Promise<Mirror> {
	const mirror = { asked: [] as string[], change: (bytes: Buffer) => bytes, cuts: [] as number[] };
	const server = createServer((request, response) => {
		const name = request.url?.replace("/py/v1.2.3/full/", "") ?? "";
		const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? "")?.[1] ?? 0);
		mirror.asked.push(`${request.method} ${name}${from > 0 ? ` from ${from}` : ""}`);
		const found = wheels[name];
		if (!found) {
			response.writeHead(404).end();
			return;
		}
		const whole = mirror.change(found);
		const bytes = whole.subarray(from);
		response.writeHead(from > 0 ? 206 : 200, {
			"content-length": bytes.length,
			...(from > 0 ? { "content-range": `bytes ${from}-${whole.length - 1}/${whole.length}` } : {}),
		});
		const cut = request.method === "GET" ? mirror.cuts.shift() : undefined;
		if (cut === undefined) {
			response.end(request.method === "HEAD" ? undefined : bytes);
		} else {
			response.write(bytes.subarray(0, cut), () => response.destroy());
		}
	});
	await new Promise<void>(resolve => server.listen(0, "127.0.0.1", resolve));
	onTestFinished(() => void server.close());
	const { port } = server.address() as AddressInfo;
	return Object.assign(mirror, { url: `http://127.0.0.1:${port}/py` });
}

interface Bench {
	readonly folder: string;
	/** Runs code as a model's call, and answers a question about packages. */
	readonly call: (
		code: string,
		isAccepted: boolean,
	) => Promise<{ asked: ToolOutcome["detail"][]; result: string }>;
}

async function openBench(url: string, folder?: string): Promise<Bench> {
	const own = folder ?? (await makeTempFolder());
	const lockFile = join(await makeTempFolder(), "packages.json");
	await writeFile(lockFile, JSON.stringify(lockOf()));
	const questions = new PackageQuestions();
	const packages = { lockFile, folder: own, mirror: () => url, questions };
	const interpreter = new CodeInterpreter({ ...built.options, packages }, systemClock);
	onTestFinished(() => interpreter.stop());
	const python = interpreter.open("one", []);
	const [tool] = offerServerTools({ python });
	return {
		folder: own,
		call: async (code, isAccepted) => {
			const asked: ToolOutcome["detail"][] = [];
			const results: string[] = [];
			for await (const { detail, result } of tool?.run(
				JSON.stringify({ code }),
				new AbortController().signal,
			) ?? []) {
				if (detail?.type === "packages") {
					asked.push(detail);
					questions.answer(detail.id, isAccepted);
				}
				results.push(result ?? "");
			}
			return { asked, result: results.join("") };
		},
	};
}

const code = "import leaf_module\nleaf_module.value";

test("packages that code imports are downloaded after one question, with what they depend on, and kept on disk", async () => {
	const mirror = await startMirror();
	const { call, folder } = await openBench(mirror.url);
	const first = await call(code, true);
	expect(first.asked).toEqual([
		expect.objectContaining({ names: ["leaf-package"], count: 2, host: new URL(mirror.url).host }),
	]);
	expect(first.result).toContain("42");
	expect((await readdir(join(folder, "1.2.3"))).sort()).toEqual(Object.keys(wheels).sort());
	const count = mirror.asked.length;

	const other = await openBench("http://127.0.0.1:9/py", folder);
	const second = await other.call(code, false);
	expect(second).toMatchObject({ asked: [], result: expect.stringContaining("42") });
	expect(mirror.asked).toHaveLength(count);
});

test("nothing is asked of the mirror before or without consent, and the conversation isn't asked again", async () => {
	const mirror = await startMirror();
	const { call } = await openBench(mirror.url);
	const first = await call(code, false);
	expect(first.asked).toHaveLength(1);
	expect(first.result).toContain("Without leaf-package, whose download the user declined.");
	expect(first.result).toContain("ModuleNotFoundError");
	expect((await call(code, true)).asked).toEqual([]);
	expect(mirror.asked).toEqual([]);
	expect((await call("import json, no_such_module", true)).asked).toEqual([]);
});

test("T42: a package with another hash than the promised one is never used", async () => {
	const mirror = await startMirror();
	mirror.change = bytes =>
		Buffer.from(bytes.map((byte, index) => (index === 40 ? byte ^ 1 : byte)));
	const { call, folder } = await openBench(mirror.url);
	const { result } = await call(code, true);
	expect(result).toContain("could not be downloaded: a file is not the promised one.");
	expect(result).toContain("ModuleNotFoundError");
	expect(await readdir(join(folder, "1.2.3"))).toEqual([]);
});

test("T42: a package that was damaged on disk is removed and not used", async () => {
	const mirror = await startMirror();
	const { call, folder } = await openBench(mirror.url);
	await call(code, true);
	const file = join(folder, "1.2.3", "base-1.0-py3-none-any.whl");
	await writeFile(file, Buffer.concat([await readFile(file), Buffer.from("x")]));
	const other = await openBench(mirror.url, folder);
	expect((await other.call(code, true)).result).toContain("was damaged");
	expect(await readdir(join(folder, "1.2.3"))).not.toContain("base-1.0-py3-none-any.whl");
	expect((await other.call(code, true)).result).toContain("42");
});

test("a download that is cut goes on from there", async () => {
	const mirror = await startMirror();
	mirror.cuts.push(100);
	const { call } = await openBench(mirror.url);
	expect((await call(code, true)).result).toContain("42");
	expect(mirror.asked).toContain("GET base-1.0-py3-none-any.whl from 100");
});

test("a mirror without the packages is told with the reason, and the code runs without them", async () => {
	const mirror = await startMirror();
	const { call } = await openBench(mirror.url.replace("/py", "/none"));
	const { result } = await call(`print("still")\n${code}`, true);
	expect(result).toContain("could not be downloaded: the mirror doesn't have them.");
	expect(result).toContain("still");
});

test("what pandas, Matplotlib and scikit-learn depend on comes before them in Pyodide's own list", async () => {
	const lock = await PackageLock.read(join(built.folder, "packages.json"));
	const namesFor = (...modules: string[]): string[] =>
		lock.closureOf(lock.packagesOf(modules)).map(({ name }) => name);
	expect(namesFor("pandas")).toEqual(["numpy", "six", "python-dateutil", "pytz", "pandas"]);
	expect(namesFor("sklearn").sort()).toEqual([
		"joblib",
		"numpy",
		"scikit-learn",
		"scipy",
		"threadpoolctl",
	]);
	expect(namesFor("matplotlib")).toContain("pillow");
	expect(namesFor("matplotlib").at(-1)).toBe("matplotlib");
	expect(namesFor("PIL", "bs4", "yaml", "cv2")).toEqual(
		expect.arrayContaining(["pillow", "beautifulsoup4", "pyyaml", "opencv-python"]),
	);
	expect(namesFor("no_such_module", "json")).toEqual([]);
});
