// @module-tag thorough
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import * as z from "zod/mini";
import { PackageLock } from "../../../../src/localService/python/packages/packageStore.ts";
import {
	type MirrorPackage,
	openBench,
	type PackageBench,
	type PackageMirror,
	startMirror,
	wheelOf,
} from "../../../helpers/packageMirror.ts";
import { type BuiltPython, buildPython } from "../../../helpers/pythonFiles.ts";

// Loading Python takes its time on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

const base = "base-1.0-py3-none-any.whl";
const packages: Readonly<Record<string, MirrorPackage>> = {
	base: {
		file: base,
		imports: ["base"],
		bytes: wheelOf({
			"base/__init__.py":
				"import os\ntable = open(os.path.join(os.path.dirname(__file__), 'n.txt')).read()",
			"base/n.txt": "41",
		}),
	},
	"leaf-package": {
		file: "leaf-2.0-py3-none-any.whl",
		imports: ["leaf_module"],
		depends: ["base"],
		bytes: wheelOf({ "leaf_module.py": "import base\nvalue = int(base.table) + 1" }),
	},
};

let built: BuiltPython;

beforeAll(async () => {
	built = await buildPython();
}, 120_000);

afterAll(() => built.remove());

const open = (
	{ lockFile, url }: PackageMirror,
	{ at = url, folder }: { readonly at?: string; readonly folder?: string } = {},
): Promise<PackageBench> => openBench(built.options, { url: at, lockFile }, folder);

const code = "import leaf_module\nleaf_module.value";

test("packages that code imports are downloaded after one question, with what they depend on, and kept on disk", async () => {
	const mirror = await startMirror(packages);
	const { call, folder } = await open(mirror);
	const first = await call(code, true);
	expect(first.asked).toEqual([
		expect.objectContaining({ names: ["leaf-package"], count: 2, host: new URL(mirror.url).host }),
	]);
	expect(first.result).toContain("42");
	expect(first.description).toContain("pandas, NumPy, Matplotlib");
	expect(first.description).not.toContain("leaf-package");
	expect(first.details.at(-1)).toEqual({ type: "progress", stage: "working" });
	expect((await readdir(join(folder, "1.2.3"))).sort()).toEqual(
		Object.values(packages)
			.map(({ file }) => file)
			.sort(),
	);
	const count = mirror.asked.length;

	const other = await open(mirror, { at: "http://127.0.0.1:9/py", folder });
	const second = await other.call(code, false);
	expect(second.description).toContain("because they are there: base, leaf-package.");
	expect(second).toMatchObject({ asked: [], result: expect.stringContaining("42") });
	expect(mirror.asked).toHaveLength(count);
});

test("nothing is asked of the mirror before or without consent, and the conversation isn't asked again", async () => {
	const mirror = await startMirror(packages);
	const { call } = await open(mirror);
	const first = await call(code, false);
	expect(first.asked).toHaveLength(1);
	expect(first.details.at(-1)).toEqual({ type: "progress", stage: "working" });
	expect(first.result).toContain("Without leaf-package, whose download the user declined.");
	expect(first.result).toContain("ModuleNotFoundError");
	expect((await call(code, true)).asked).toEqual([]);
	expect(mirror.asked).toEqual([]);
	expect((await call("import json, no_such_module", true)).asked).toEqual([]);
});

test("T42: a package with another hash than the promised one is never used", async () => {
	const mirror = await startMirror(packages);
	mirror.change = bytes =>
		Buffer.from(bytes.map((byte, index) => (index === 40 ? byte ^ 1 : byte)));
	const { call, folder } = await open(mirror);
	const { result } = await call(code, true);
	expect(result).toContain("could not be downloaded: a file is not the promised one.");
	expect(result).toContain("ModuleNotFoundError");
	expect(await readdir(join(folder, "1.2.3"))).toEqual([]);
});

test("T42: a package that was damaged on disk is removed and not used", async () => {
	const mirror = await startMirror(packages);
	const { call, folder } = await open(mirror);
	await call(code, true);
	const file = join(folder, "1.2.3", base);
	await writeFile(file, Buffer.concat([await readFile(file), Buffer.from("x")]));
	const other = await open(mirror, { folder });
	expect((await other.call(code, true)).result).toContain("was damaged");
	expect(await readdir(join(folder, "1.2.3"))).not.toContain(base);
	expect((await other.call(code, true)).result).toContain("42");
});

test("L20: a download that is cut goes on from there", async () => {
	const mirror = await startMirror(packages);
	mirror.cuts.push(100);
	const { call } = await open(mirror);
	expect((await call(code, true)).result).toContain("42");
	expect(mirror.asked).toContain(`GET ${base} from 100`);
});

test("L20: a mirror without the packages is told with the reason, and the code runs without them", async () => {
	const mirror = await startMirror(packages);
	const { call } = await open(mirror, { at: mirror.url.replace("/py", "/none") });
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

test("all that a package depends on is in Pyodide's list, whatever form its name has there", async () => {
	const { packages } = z
		.object({ packages: z.record(z.string(), z.object({ depends: z.array(z.string()) })) })
		.parse(JSON.parse(await readFile(join(built.folder, "packages.json"), "utf8")));
	const named = Object.values(packages).flatMap(({ depends }) => depends);
	expect(named.length).toBeGreaterThan(300);
	expect(named.filter(name => !(name in packages))).toEqual([]);
});
