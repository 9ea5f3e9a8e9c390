import { execFileSync } from "node:child_process";
import {
	linkSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	realpathSync,
	renameSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { Worker } from "node:worker_threads";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { PathPlatform, PathRefusal } from "../../../src/paths/pathForm.ts";
import { distinctRoots, isSameTarget, resolveTarget } from "../../../src/paths/resolveTarget.ts";
import { createDiskEditor } from "../../helpers/diskEditor.ts";
import { makeTempFolder } from "../../helpers/tempFolder.ts";

/** A workspace `ws` with links of every kind, beside folders a model must not reach. */
function makeTree(): string {
	const base = realpathSync(mkdtempSync(join(tmpdir(), "cutaway-paths-")));
	const at = (...names: string[]): string => join(base, ...names);
	for (const folder of [
		"ws/src/deep",
		"ws/.git",
		"ws/ünï",
		"ws-evil",
		"outside/dir",
		"second/lib",
		"a/api/src",
		"b/api/src",
		"ws/\u2699\uFE0F Processes",
		"ws/zero\u200Bwidth",
	]) {
		mkdirSync(at(folder), { recursive: true });
	}
	for (const file of [
		"ws/a.txt",
		"ws/src/b.ts",
		"ws/src/deep/c.ts",
		"ws/.env",
		"ws/with space.txt",
		"ws/ünï/é.txt",
		"ws/a~b.txt",
		"ws/con.ts",
		"ws/[x].tsx",
		"ws/#hash.md",
		"ws-evil/a.txt",
		"outside/secret.txt",
		"outside/dir/more.txt",
		"second/lib/d.ts",
		"a/api/src/x.ts",
		"b/api/src/x.ts",
		"ws/\u2699\uFE0F Processes/list.md",
		"ws/zero\u200Bwidth/a\u202Eb.md",
	]) {
		writeFileSync(at(file), file);
	}
	const links: readonly (readonly [target: string, name: string])[] = [
		["a.txt", "ws/link-inside"],
		["src", "ws/dir-inside"],
		["src/../src", "ws/dir-wavy"],
		[at("ws/src"), "ws/dir-absolute"],
		["link-inside", "ws/link-to-link"],
		["../outside/secret.txt", "ws/link-out"],
		[at("outside/secret.txt"), "ws/link-out-absolute"],
		["../outside", "ws/dir-out"],
		[at("outside"), "ws/dir-out-absolute"],
		["dir-out", "ws/dir-out-twice"],
		["../outside/absent.txt", "ws/dangling-out"],
		[at("outside/absent.txt"), "ws/dangling-out-absolute"],
		["absent.txt", "ws/dangling-in"],
		["absent/deeper", "ws/dangling-deep"],
		["dangling-in", "ws/dangling-twice"],
		["../ws-evil", "ws/dir-evil"],
		["../ws/a.txt", "ws/out-and-back"],
		["..", "ws/parent"],
		["/", "ws/root"],
		["/proc/self/root", "ws/proc"],
		["/dev/null", "ws/null-device"],
		["loop-b", "ws/loop-a"],
		["loop-a", "ws/loop-b"],
		["self", "ws/self"],
		[".env", "ws/innocent.txt"],
		[".git", "ws/harmless"],
		["../../a.txt", "ws/src/deep/up"],
		["../../../outside/secret.txt", "ws/src/deep/up-out"],
	];
	links.forEach(([target, name]) => symlinkSync(target, at(name)));
	linkSync(at("outside/secret.txt"), at("ws/hard"));
	execFileSync("mkfifo", [at("ws/pipe")]);
	return base;
}

let base = "";
beforeAll(() => {
	base = makeTree();
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

const resolve = (
	path: string,
	platform: PathPlatform = "linux",
	names: readonly string[] = ["ws"],
) =>
	resolveTarget(path.replaceAll("BASE", base), {
		roots: names.map(name => ({ name, path: join(base, name) })),
		platform,
	});

const refused: readonly (readonly [PathRefusal, readonly string[]])[] = [
	["empty", ["", " ", "\u00A0", "\t", "\n"]],
	["tooLong", ["x".repeat(5000), "a/".repeat(2100), "x".repeat(256), `src/${"y".repeat(300)}/z`]],
	[
		"hiddenCharacter",
		[
			"a.txt\0",
			"a.txt\0.png",
			"\0",
			"a\n.txt",
			"a\r",
			"a\tb",
			"a\u001b[31m",
			"a\u007f",
			"a\u0085",
			".e\u200Bnv",
			".g\u200Cit/config",
			".e\u00ADnv",
			"\uFEFFa.txt",
			"a\u202Etxt.exe",
			"a\u2066b\u2069",
			"a\u2028b",
			"a\u{E0041}",
			"a\uFE0F",
			"a\uD800",
			"\u180Ea",
			"zero\u200Bwidth/new\u200B.md",
			"\u2699\uFE0F Processes/a\uFE0F.md",
		],
	],
	[
		"devicePath",
		[
			"//./pipe/x",
			"//?/C:/x",
			"\\\\.\\PhysicalDrive0",
			"\\\\?\\C:\\x",
			"\\\\?\\UNC\\h\\s",
			"\\??\\C:\\x",
		],
	],
	[
		"networkPath",
		[
			"//host/share",
			"//BASE/ws/a.txt",
			"\\\\host\\share\\x",
			"\\\\127.0.0.1\\c$",
			"//a",
			"/\\host/x",
		],
	],
	[
		"address",
		[
			"file:///etc/passwd",
			"file:a.txt",
			"FILE:///x",
			"file://localhost/etc/passwd",
			"http://evil/x",
			"https://evil/x",
			"vscode-remote://ssh/x",
			"vscode://x/y",
			"vscode-userdata:/User/settings.json",
			"untitled:Untitled-1",
			"data:text/plain,x",
			"command:workbench.action.x",
			"git:/a.txt",
			"javascript:alert(1)",
			"smb://host/x",
			"file%3A///etc:/x".replace("%3A", ":"),
			"view-source:/etc/passwd",
			"ssh:%2F%2Fx",
		],
	],
	["homeFolder", ["~", "~/.ssh/id_rsa", "~/x"]],
	["backslash", ["..\\x", "src\\b.ts", "a\\..\\..\\outside", "\\etc\\passwd", "C:\\x"]],
	[
		"outside",
		[
			"..",
			"../",
			"../outside/secret.txt",
			"../ws-evil/a.txt",
			"../absent",
			"./../outside/secret.txt",
			"src/../../outside/secret.txt",
			"src/deep/../../../outside/secret.txt",
			"src//..//..//outside/secret.txt",
			"../ws/a.txt",
			"../../../../../../../../etc/passwd",
			"/etc/passwd",
			"/",
			"/proc/self/environ",
			"/proc/self/root/etc/passwd",
			"/dev/null",
			"/dev/stdin",
			"BASE",
			"BASE/outside/secret.txt",
			"BASE/ws-evil/a.txt",
			"BASE/ws/../outside/secret.txt",
			"BASE/WS/a.txt",
			"BASE/ws.txt",
			"BASE/w",
			"link-out",
			"link-out-absolute",
			"dir-out",
			"dir-out/secret.txt",
			"dir-out/dir/more.txt",
			"dir-out/new.txt",
			"dir-out/new/folder/x.txt",
			"dir-out/..",
			"dir-out/../ws/a.txt",
			"dir-out-absolute/secret.txt",
			"dir-out-absolute/new.txt",
			"dir-out-twice/secret.txt",
			"dir-out-twice/new.txt",
			"dangling-out",
			"dangling-out-absolute",
			"dir-evil/a.txt",
			"out-and-back",
			"parent",
			"parent/ws/a.txt",
			"parent/outside/secret.txt",
			"root/etc/passwd",
			"root",
			"proc/etc/passwd",
			"proc",
			"null-device",
			"src/deep/up-out",
			"dir-inside/deep/up-out",
			"dir-inside/../../outside/secret.txt",
			"BASE/ws/dir-out/secret.txt",
		],
	],
	[
		"danglingLink",
		["dangling-in", "dangling-deep", "dangling-twice", "dangling-in/x", "dangling-deep/x/y"],
	],
	["linkLoop", ["loop-a", "loop-b/x", "self", "self/self"]],
	["notRegular", ["pipe"]],
	["notFolder", ["a.txt/x", "a.txt/x/y", "link-inside/x", "src/b.ts/..x"]],
	["missing", ["absent/../a.txt", "absent/../../outside/secret.txt", "absent/x/../.."]],
];

const windowsRefused: readonly (readonly [PathRefusal, readonly string[]])[] = [
	[
		"alternateStream",
		[
			"a.txt:evil",
			"a.txt::$DATA",
			".git::$INDEX_ALLOCATION/config",
			"src/b.ts:x:$DATA",
			"x:y",
			"C:x",
		],
	],
	["invalidCharacter", ["a<b", "a>b", 'a"b', "a|b", "a?b", "a*b"]],
	[
		"reservedName",
		[
			"con",
			"CON",
			"nul.txt",
			"src/aux",
			"src/AUX.ts",
			"com1",
			"LPT9.log",
			"COM¹",
			"conin$",
			"prn/x",
		],
	],
	["trailingDot", [".env.", ".env ", "src./b.ts", ".vscode /settings.json", "a.txt...", "x . ."]],
	["shortName", ["GIT~1/config", "PROGRA~1", "src/LONGFI~2.TXT", "a~1"]],
	[
		"outside",
		[
			"C:\\Windows\\x",
			"c:/x",

			"\\Windows\\x",
			"/Windows",
			"..\\outside\\secret.txt",
			"src\\..\\..\\outside",
		],
	],
	["networkPath", ["\\\\host\\share", "//host/share", "\\/host/x"]],
	["devicePath", ["\\\\.\\C:", "\\\\?\\C:\\x", "//?/x"]],
];

const benign: readonly (readonly [path: string, label: string, kind: string])[] = [
	["a.txt", "a.txt", "file"],
	["./a.txt", "a.txt", "file"],
	["././a.txt", "a.txt", "file"],
	["src/b.ts", "src/b.ts", "file"],
	["src//b.ts", "src/b.ts", "file"],
	["src/./b.ts", "src/b.ts", "file"],
	["src/deep/../b.ts", "src/b.ts", "file"],
	["src/deep/../../a.txt", "a.txt", "file"],
	["src/deep/c.ts", "src/deep/c.ts", "file"],
	[".", ".", "folder"],
	["./", ".", "folder"],
	["src", "src", "folder"],
	["src/", "src", "folder"],
	["src/..", ".", "folder"],
	[".env", ".env", "file"],
	["with space.txt", "with space.txt", "file"],
	["ünï/é.txt", "ünï/é.txt", "file"],
	["a~b.txt", "a~b.txt", "file"],
	["con.ts", "con.ts", "file"],
	["[x].tsx", "[x].tsx", "file"],
	["#hash.md", "#hash.md", "file"],
	["new.txt", "new.txt", "missing"],
	["src/new.ts", "src/new.ts", "missing"],
	["new/folder/x.ts", "new/folder/x.ts", "missing"],
	["..new", "..new", "missing"],
	["...", "...", "missing"],
	["a..b", "a..b", "missing"],
	["src/..b", "src/..b", "missing"],
	["a:b", "a:b", "missing"],
	["12:30 notes.md", "12:30 notes.md", "missing"],
	["$HOME/x", "$HOME/x", "missing"],
	["%2e%2e/x", "%2e%2e/x", "missing"],
	["%APPDATA%", "%APPDATA%", "missing"],
	["~tilde", "~tilde", "missing"],
	["src/~", "src/~", "missing"],
	["日本語.md", "日本語.md", "missing"],
	["😀.txt", "😀.txt", "missing"],
	["e\u0301.txt", "e\u0301.txt", "missing"],
	["x".repeat(255), "x".repeat(255), "missing"],
	["link-inside", "a.txt", "file"],
	["link-to-link", "a.txt", "file"],
	["dir-inside", "src", "folder"],
	["dir-inside/b.ts", "src/b.ts", "file"],
	["dir-inside/new.ts", "src/new.ts", "missing"],
	["dir-inside/new/x.ts", "src/new/x.ts", "missing"],
	["dir-inside/../a.txt", "a.txt", "file"],
	["dir-wavy/b.ts", "src/b.ts", "file"],
	["dir-absolute/b.ts", "src/b.ts", "file"],
	["dir-absolute/new.ts", "src/new.ts", "missing"],
	["src/deep/up", "a.txt", "file"],
	["dir-inside/deep/up", "a.txt", "file"],
	["BASE/ws/a.txt", "a.txt", "file"],
	["BASE/ws", ".", "folder"],
	["BASE/ws/src/new.ts", "src/new.ts", "missing"],
	["BASE/ws/dir-inside/b.ts", "src/b.ts", "file"],
	["hard", "hard", "file"],
	["\u2699\uFE0F Processes/list.md", "\u2699\uFE0F Processes/list.md", "file"],
	["\u2699\uFE0F Processes/new.md", "\u2699\uFE0F Processes/new.md", "missing"],
	["\u{1F469}\u200D\u{1F4BB}.md", "\u{1F469}\u200D\u{1F4BB}.md", "missing"],
	["zero\u200Bwidth/a\u202Eb.md", "zero\u200Bwidth/a\u202Eb.md", "file"],
	["zero\u200Bwidth/new.md", "zero\u200Bwidth/new.md", "missing"],
];

const rows = (
	table: readonly (readonly [PathRefusal, readonly string[]])[],
): (readonly [string, PathRefusal])[] =>
	table.flatMap(([refusal, paths]) => paths.map(path => [path, refusal] as const));

describe("G10, U10: a path", () => {
	test.each(rows(refused))("%j is refused: %s", (path, refusal) => {
		expect(resolve(path)).toEqual({ ok: false, refusal });
	});

	test.each(rows(windowsRefused))("%j is refused on Windows: %s", (path, refusal) => {
		expect(resolve(path, "win32")).toEqual({ ok: false, refusal });
	});

	test.each(benign)("%j leads to %s, a %s", (path, label, kind) => {
		const resolution = resolve(path);
		expect(resolution).toMatchObject({ ok: true, target: { label, kind } });
	});

	test("there are at least 150 hostile and 50 benign cases", () => {
		expect(rows(refused).length + rows(windowsRefused).length).toBeGreaterThanOrEqual(150);
		expect(benign.length).toBeGreaterThanOrEqual(50);
	});

	test("with Windows separators leads to the same file on Windows", () => {
		expect(resolve("src\\b.ts", "win32")).toMatchObject({
			ok: true,
			target: { label: "src/b.ts" },
		});
	});

	test("of several folders begins with the name of one", () => {
		const both = ["ws", "second"];
		expect(resolve("second/lib/d.ts", "linux", both)).toMatchObject({
			ok: true,
			target: { label: "second/lib/d.ts", path: join(base, "second/lib/d.ts") },
		});
		expect(resolve("lib/d.ts", "linux", both)).toEqual({ ok: false, refusal: "unknownFolder" });
		expect(resolve("ws/../second/lib/d.ts", "linux", both)).toEqual({
			ok: false,
			refusal: "outside",
		});
		expect(resolve("BASE/second/lib/d.ts", "linux", both)).toMatchObject({ ok: true });
		expect(resolve("a.txt", "linux", [])).toEqual({ ok: false, refusal: "outside" });
	});

	test("of folders that share a name begins with one that tells them apart, and leads there again", () => {
		const named = (...folders: readonly string[]) =>
			distinctRoots(folders.map(path => ({ name: basename(path), path: join(base, path) })));
		const roots = named("a/api", "second", "b/api");
		expect(roots.map(({ name }) => name)).toEqual(["api (a)", "second", "api (b)"]);
		const places = { roots, platform: "linux" } as const;
		for (const path of ["api (b)/src/x.ts", join(base, "b/api/src/x.ts")]) {
			expect(resolveTarget(path, places)).toMatchObject({
				target: { label: "api (b)/src/x.ts", path: join(base, "b/api/src/x.ts") },
			});
		}
		expect(resolveTarget("api/src/x.ts", places)).toEqual({ ok: false, refusal: "unknownFolder" });
		expect(named("ws", "ws").map(({ name }) => name)).toEqual(["ws (1)", "ws (2)"]);
	});

	test("may begin with the name that a folder has on the disk, where no other has it", () => {
		const roots = [
			{ name: "Web", path: join(base, "ws") },
			{ name: "API", path: join(base, "a/api") },
		];
		expect(resolveTarget("api/src/x.ts", { roots, platform: "linux" })).toMatchObject({
			target: { label: "API/src/x.ts" },
		});
	});

	test("that is a link to a sensitive file is as sensitive, and so is one with other names", () => {
		expect(resolve("innocent.txt")).toMatchObject({ target: { readReason: "secret" } });
		expect(resolve("harmless/config")).toMatchObject({ target: { writeReason: "runsCode" } });
		expect(resolve("hard")).toMatchObject({ target: { isHardLinked: true } });
		expect(resolve("a.txt")).toMatchObject({ target: { isHardLinked: false, isLinked: false } });
		expect(resolve("link-inside")).toMatchObject({ target: { isLinked: true } });
	});

	test("in a workspace below a dot-folder is no more sensitive for it, relative or absolute", () => {
		mkdirSync(join(base, ".config/app/src"), { recursive: true });
		writeFileSync(join(base, ".config/app/src/a.ts"), "");
		for (const path of ["src/a.ts", "BASE/.config/app/src/a.ts"]) {
			const resolution = resolve(path, "linux", [".config/app"]);
			expect(resolution).toMatchObject({ ok: true, target: { label: "src/a.ts" } });
			expect(resolution).not.toHaveProperty("target.writeReason", "runsCode");
		}
	});

	test("through more than forty links is refused as a loop would be", () => {
		const at = (number: number): string => join(base, "ws", `chain-${number}`);
		symlinkSync("a.txt", at(0));
		for (let number = 1; number <= 45; number += 1) {
			symlinkSync(`chain-${number - 1}`, at(number));
		}
		expect(resolve("chain-39")).toMatchObject({ ok: true, target: { label: "a.txt" } });
		expect(resolve("chain-45")).toEqual({ ok: false, refusal: "linkLoop" });
	});

	test("of a root that is itself a link leads inside it", () => {
		symlinkSync(join(base, "ws"), join(base, "ws-link"));
		expect(resolve("a.txt", "linux", ["ws-link"])).toMatchObject({
			target: { path: join(base, "ws/a.txt") },
		});
		expect(resolve("BASE/ws-link/a.txt", "linux", ["ws-link"])).toMatchObject({ ok: true });
		expect(resolve("BASE/ws/a.txt", "linux", ["ws-link"])).toMatchObject({ ok: true });
	});
});

describe("T13: a second look", () => {
	test.each([
		[
			"another file in its place",
			(path: string) => {
				writeFileSync(`${path}.next`, "x");
				renameSync(`${path}.next`, path);
			},
		],
		[
			"a folder",
			(path: string) => {
				rmSync(path);
				mkdirSync(path);
			},
		],
		["nothing", (path: string) => rmSync(path)],
	])("finds %s", async (_, swap) => {
		const folder = await makeTempFolder();
		const path = join(folder, "a.txt");
		writeFileSync(path, "a");
		const options = { roots: [{ name: "ws", path: folder }], platform: "linux" } as const;
		const before = resolveTarget("a.txt", options);
		swap(path);
		const after = resolveTarget("a.txt", options);
		expect(before.ok && after.ok && isSameTarget(before.target, after.target)).toBe(false);
	});

	test("finds another folder above a file that is not there yet", async () => {
		const folder = await makeTempFolder();
		mkdirSync(join(folder, "sub"));
		mkdirSync(join(folder, "other"));
		const options = { roots: [{ name: "ws", path: folder }], platform: "linux" } as const;
		const before = resolveTarget("sub/new.txt", options);
		renameSync(join(folder, "sub"), join(folder, "was"));
		renameSync(join(folder, "other"), join(folder, "sub"));
		const after = resolveTarget("sub/new.txt", options);
		expect(before.ok && after.ok && isSameTarget(before.target, after.target)).toBe(false);
	});
});

/** Swaps a file for a link to the outside and back as fast as it can, and says when it began. */
const swapper = `
const { parentPort, workerData } = require("node:worker_threads");
const { renameSync, symlinkSync, writeFileSync, rmSync } = require("node:fs");
const { path, outside, stop } = workerData;
const view = new Int32Array(stop);
parentPort.postMessage("begun");
for (let n = 0; Atomics.load(view, 0) === 0; n += 1) {
	try {
		rmSync(path + ".x", { force: true });
		if (n % 2 === 0) symlinkSync(outside, path + ".x"); else writeFileSync(path + ".x", "inside");
		renameSync(path + ".x", path);
	} catch {
		// The other thread holds the name at this moment; the next turn tries again.
	}
}
`;

test("G11: 1,000 looks and uses race with a swap of file and link: nothing outside is read or written", async () => {
	const folder = realpathSync(await makeTempFolder());
	const root = join(folder, "ws");
	mkdirSync(root);
	const path = join(root, "a.txt");
	const outside = join(folder, "secret.txt");
	writeFileSync(outside, "secret");
	writeFileSync(path, "inside");
	const stop = new SharedArrayBuffer(4);
	const worker = new Worker(swapper, { eval: true, workerData: { path, outside, stop } });
	await new Promise(begun => worker.once("message", begun));
	const editor = createDiskEditor(root);
	const options = { roots: [{ name: "ws", path: root }], platform: "linux" } as const;
	let [reads, refusals, losses] = [0, 0, 0];
	for (let n = 0; n < 1000; n += 1) {
		const resolution = resolveTarget("a.txt", options);
		if (!resolution.ok || resolution.target.kind !== "file") {
			refusals += 1;
			continue;
		}
		const { target } = resolution;
		try {
			expect((await editor.readText(target)).text).not.toContain("secret");
			reads += 1;
			const hunk = { start: 0, end: 6, oldText: "inside", newText: "target", startLine: 1 };
			await editor.change([{ type: "edit", target, before: "inside", hunks: [hunk] }]);
		} catch (error) {
			expect(error).toMatchObject({ name: "ToolFailure" });
			losses += 1;
		}
		expect(readFileSync(outside, "utf8")).toBe("secret");
	}
	Atomics.store(new Int32Array(stop), 0, 1);
	await worker.terminate();
	expect(readFileSync(outside, "utf8")).toBe("secret");
	expect(reads + refusals + losses).toBeGreaterThanOrEqual(1000);
	expect(refusals + losses).toBeGreaterThan(0);
});
