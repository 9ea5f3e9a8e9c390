import * as fs from "node:fs";
import { join as joinHere } from "node:path";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { resolveTarget, type WorkspacePaths } from "../../../src/paths/resolveTarget.ts";
import { makeTempFolder } from "../../helpers/tempFolder.ts";

const opened = String.raw`\\wsl.localhost\Ubuntu\home\u\p`;
const real = vi.hoisted(() => ({ folder: "", touched: [] as string[] }));

/** Windows: its rules of paths, and a file system with the opened folder on another host. */
vi.mock("node:path", async importOriginal => {
	const { win32 } = await importOriginal<typeof import("node:path")>();
	return { ...win32, default: win32 };
});
vi.mock("node:fs", async importOriginal => {
	const disk = await importOriginal<typeof import("node:fs")>();
	const here = (path: string): string => {
		real.touched.push(path);
		return path.toLowerCase().startsWith(opened.toLowerCase())
			? real.folder + path.slice(opened.length).replaceAll("\\", "/")
			: "/nowhere";
	};
	return {
		...disk,
		realpathSync: (path: string) => (disk.realpathSync(here(path)), path),
		lstatSync: (path: string, options: fs.StatSyncOptions) => disk.lstatSync(here(path), options),
		readlinkSync: (path: string) => disk.readlinkSync(here(path)),
	};
});

describe("a folder of WSL that is opened in Windows", () => {
	const paths: WorkspacePaths = { roots: [{ name: "p", path: opened }], platform: "win32" };

	beforeEach(async () => {
		const disk = await vi.importActual<typeof import("node:fs")>("node:fs");
		real.folder = await makeTempFolder();
		disk.mkdirSync(`${real.folder}/src`);
		disk.writeFileSync(`${real.folder}/src/a.ts`, "");
		disk.symlinkSync("src/a.ts", `${real.folder}/linked.ts`);
		real.touched.length = 0;
	});

	test.each([
		["src/a.ts", String.raw`src\a.ts`],
		[String.raw`src\a.ts`, String.raw`src\a.ts`],
		[String.raw`\\wsl.localhost\Ubuntu\home\u\p\src\a.ts`, String.raw`src\a.ts`],
		["//WSL.localhost/Ubuntu/home/u/p/src/a.ts", String.raw`src\a.ts`],
		["linked.ts", String.raw`src\a.ts`],
	])("%s is a file in it", (asked, way) => {
		const resolution = resolveTarget(asked, paths);
		expect(resolution).toMatchObject({
			ok: true,
			target: { kind: "file", label: "src/a.ts", path: joinHere(opened, way) },
		});
		// What was found is found again by its own path, as before an edit.
		const path = resolution.ok ? resolution.target.path : "";
		expect(resolveTarget(path, paths)).toMatchObject({ ok: true, target: { path } });
	});

	test("a file that is not there yet can be made in it", () => {
		expect(resolveTarget("new/b.ts", paths)).toMatchObject({
			ok: true,
			target: { kind: "missing", label: "new/b.ts", path: joinHere(opened, "new", "b.ts") },
		});
	});

	test.each([
		[String.raw`\\evil\share\a.ts`, "networkPath"],
		[String.raw`\\wsl.localhost\Ubuntu\home\u\p-evil\a.ts`, "networkPath"],
		[String.raw`\\wsl.localhost\Ubuntu\etc\passwd`, "networkPath"],
		[String.raw`\\wsl.localhost.evil\Ubuntu\home\u\p\a.ts`, "networkPath"],
		[String.raw`\\?\UNC\wsl.localhost\Ubuntu\home\u\p\src\a.ts`, "devicePath"],
		[String.raw`\\wsl.localhost\Ubuntu\home\u\p\..\..\v\a.ts`, "outside"],
		[String.raw`\\wsl.localhost\Ubuntu\home\u\p\src\a.ts:stream`, "alternateStream"],
		["../v/a.ts", "outside"],
	])("%s is not, and no other place is looked at", (asked, refusal) => {
		expect(resolveTarget(asked, paths)).toEqual({ ok: false, refusal });
		expect(real.touched.filter(path => !path.startsWith(opened))).toEqual([]);
	});

	test("no other folder lets anyone onto the network", () => {
		const local = {
			roots: [{ name: "p", path: String.raw`C:\wsl.localhost\Ubuntu` }],
			platform: "win32",
		} as const;
		const asked = String.raw`\\wsl.localhost\Ubuntu\a.ts`;
		expect(resolveTarget(asked, local)).toEqual({ ok: false, refusal: "networkPath" });
		const posix = { roots: [{ name: "p", path: "/srv/p" }], platform: "linux" } as const;
		expect(resolveTarget("//srv/p/a.ts", posix)).toEqual({ ok: false, refusal: "networkPath" });
	});
});
