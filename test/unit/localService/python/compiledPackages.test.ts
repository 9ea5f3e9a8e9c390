// @module-tag thorough
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import {
	type MirrorPackage,
	openBench,
	startMirror,
	wheelOf,
} from "../../../helpers/packageMirror.ts";
import { type BuiltPython, buildPython } from "../../../helpers/pythonFiles.ts";
import { extensionModule, sharedLibrary } from "../../../helpers/sideModule.ts";

// Loading Python takes its time on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

let built: BuiltPython;

beforeAll(async () => {
	built = await buildPython();
}, 120_000);

afterAll(() => built.remove());

/** Returns a wheel with a compiled module, named as Pyodide's packages are. */
function compiledPackage(
	name: string,
	files: Readonly<Record<string, Buffer>>,
	depends: readonly string[] = [],
): MirrorPackage {
	return {
		file: `${name}-1.0-cp314-cp314-pyemscripten_2026_0_wasm32.whl`,
		bytes: wheelOf({
			[`${name}/__init__.py`]: `from .core import value`,
			...files,
		}),
		depends,
		imports: [name],
	};
}

const suffix = ".cpython-314-wasm32-emscripten.so";

test("a compiled module is loaded with the library that its wheel brings", async () => {
	const needs = { libraries: ["libanswer.so"], paths: ["$ORIGIN/../own.libs"] };
	const mirror = await startMirror({
		own: compiledPackage("own", {
			[`own/core${suffix}`]: extensionModule("core", "answer", needs),
			"own.libs/libanswer.so": sharedLibrary("answer", 42),
		}),
	});
	const { call } = await openBench(built.options, mirror);
	expect((await call("import own\nown.value")).result).toContain("\n42\n");
});

test("a compiled module is loaded with a library that is a package, and with the one that this needs", async () => {
	const needs = (library: string) => ({ libraries: [library], paths: [] });
	const mirror = await startMirror({
		shared: compiledPackage(
			"shared",
			{ [`shared/core${suffix}`]: extensionModule("core", "answer", needs("libfirst.so")) },
			["libfirst"],
		),
		libfirst: {
			file: "libfirst-1.0.zip",
			isLibrary: true,
			depends: ["libsecond"],
			imports: [],
			bytes: wheelOf({ "libfirst.so": sharedLibrary("unused", 1, needs("libsecond.so")) }),
		},
		libsecond: {
			file: "libsecond-1.0.zip",
			isLibrary: true,
			imports: [],
			bytes: wheelOf({ "libsecond.so": sharedLibrary("answer", 43) }),
		},
	});
	const { call } = await openBench(built.options, mirror);
	expect((await call("import shared\nshared.value")).result).toContain("\n43\n");
	expect(mirror.asked.filter(asked => asked.startsWith("GET"))).toEqual([
		"GET libsecond-1.0.zip",
		"GET libfirst-1.0.zip",
		expect.stringMatching(/^GET shared-/),
	]);
});
