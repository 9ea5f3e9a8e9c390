import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { realpath } from "node:fs/promises";
import { dirname, join } from "node:path";
import { beforeEach, expect, test, vi } from "vitest";
import type * as vscode from "vscode";
import { makeTempFolder } from "../../helpers/tempFolder.ts";

const workspace = {
	isTrusted: true,
	changed: [] as (() => void)[],
	createFileSystemWatcher: () => {
		const listen = (listener: () => void): { dispose(): void } => {
			workspace.changed.push(listener);
			return { dispose: () => undefined };
		};
		return {
			onDidCreate: listen,
			onDidChange: listen,
			onDidDelete: listen,
			dispose: () => undefined,
		};
	},
};
const editor = { git: "git" as string | undefined };
class Disposable {
	readonly dispose: () => void;
	constructor(dispose: () => void) {
		this.dispose = dispose;
	}
	static from(...all: readonly { dispose(): void }[]): Disposable {
		return new Disposable(() => all.forEach(each => each.dispose()));
	}
}
vi.mock("vscode", () => ({ workspace, Disposable }));
vi.mock("../../../src/editor/gitExtension.ts", () => ({
	gitProgram: () => Promise.resolve(editor.git),
}));
const { ignoredPaths, watchIgnoredFiles } = await import("../../../src/editor/ignoredFiles.ts");

let root = "";
let git = "";

/** How often Git was started with `check-ignore`. */
const asked = (): number => readFileSync(join(root, "../asked"), "utf8").split("\n").length - 1;

beforeEach(async () => {
	root = join(await realpath(await makeTempFolder()), "w");
	mkdirSync(root);
	git = join(root, "../git.sh");
	writeFileSync(join(root, "../asked"), "");
	writeFileSync(
		git,
		`#!/bin/sh\ncase "$*" in *check-ignore*) echo x >> ${join(root, "../asked")};; esac\nexec git "$@"\n`,
	);
	chmodSync(git, 0o755);
	Object.assign(workspace, { isTrusted: true });
	editor.git = git;
	execFileSync("git", ["init", "-q"], { cwd: root });
});

function write(name: string, text = "x\n"): void {
	mkdirSync(dirname(join(root, name)), { recursive: true });
	writeFileSync(join(root, name), text);
}

async function ignoredOf(paths: readonly string[], folder = root): Promise<readonly string[]> {
	const uri = { scheme: "file", fsPath: folder } as unknown as vscode.Uri;
	return [...(await ignoredPaths(uri, paths))];
}

test("Git decides what is ignored: patterns of every folder, of the repository and above the open folder", async () => {
	write(".gitignore", "*.log\n/app/built/\n!keep.log\n");
	write("app/.gitignore", "[a-c]?.tmp\n\\#name\nlast \\ \n");
	write(".git/info/exclude", "private*\n");
	const inside = [
		"a.log",
		"keep.log",
		"built",
		"built/b.c",
		"ab.tmp",
		"db.tmp",
		"#name",
		"private.c",
		"src/kept.c",
		"öl.log",
		'a "b".log',
		":x.log",
	];
	expect(await ignoredOf(inside, join(root, "app"))).toEqual([
		"a.log",
		"built/b.c",
		"ab.tmp",
		"#name",
		"private.c",
		"öl.log",
		'a "b".log',
		":x.log",
	]);
	mkdirSync(join(root, "app/built"));
	expect(await ignoredOf(["built"], join(root, "app"))).toEqual(["built"]);
	expect(asked()).toBe(2);
});

test("a tracked file is not ignored, whatever its name", async () => {
	write(".gitignore", ".env*\ndist/\n");
	write(".env.example");
	write("dist/kept.js");
	execFileSync("git", ["add", "-f", "."], { cwd: root });
	expect(await ignoredOf([".env.example", ".env.local", "dist/kept.js", "dist/other.js"])).toEqual([
		".env.local",
		"dist/other.js",
	]);
});

test("T41: what an outer repository ignores is ignored in a repository inside it", async () => {
	write(".gitignore", "deps/\n");
	write("deps/lib/AGENTS.md");
	execFileSync("git", ["init", "-q"], { cwd: join(root, "deps/lib") });
	execFileSync("git", ["-C", "deps/lib", "add", "."], { cwd: root });
	expect(await ignoredOf(["deps/lib/AGENTS.md", "a.ts"])).toEqual(["deps/lib/AGENTS.md"]);
});

test.skipIf(process.platform === "win32")(
	"one path that Git refuses spoils no list: links, and folders with a repository",
	async () => {
		write(".gitignore", "*.log\n/linked\n");
		write("real/a.log");
		write("sub/.gitignore", "*.ts\n");
		execFileSync("git", ["init", "-q"], { cwd: join(root, "sub") });
		symlinkSync(join(root, "real"), join(root, "linked"));
		symlinkSync(join(root, "real"), join(root, "other"));
		const paths = ["a.log", "linked/deep/a.ts", "other/a.log", "sub/a.log", "sub/a.ts"];
		expect(await ignoredOf(paths)).toEqual(["a.log", "linked/deep/a.ts", "sub/a.ts"]);
	},
);

test("repositories in a folder that is none answer for their own files", async () => {
	execFileSync("rm", ["-rf", join(root, ".git")]);
	for (const name of ["one", "two/deep"]) {
		write(`${name}/.gitignore`, `${name.length}.log\ndist/\n`);
		write(`${name}/dist/kept.js`);
		execFileSync("git", ["init", "-q"], { cwd: join(root, name) });
	}
	execFileSync("git", ["add", "-f", "dist"], { cwd: join(root, "one") });
	const paths = [
		"one/3.log",
		"one/8.log",
		"two/3.log",
		"two/deep/8.log",
		"one/dist/kept.js",
		"two/deep/dist/kept.js",
	];
	expect(await ignoredOf(paths)).toEqual(["one/3.log", "two/deep/8.log", "two/deep/dist/kept.js"]);
});

test("a folder that Git ignores, and that was opened all the same, holds nothing ignored", async () => {
	write(".gitignore", "*\n");
	write("project/a.ts");
	expect(await ignoredOf(["a.ts"], join(root, "project"))).toEqual([]);
});

test("without Git, outside a repository and in Restricted Mode nothing is ignored, and nothing runs", async () => {
	write(".gitignore", "*.log\n");
	Object.assign(workspace, { isTrusted: false });
	expect(await ignoredOf(["a.log"])).toEqual([]);
	expect(asked()).toBe(0);
	Object.assign(workspace, { isTrusted: true });
	editor.git = undefined;
	expect(await ignoredOf(["a.log"])).toEqual([]);
	editor.git = git;
	expect(await ignoredOf(["a.log"], dirname(root))).toEqual([]);
});

test("an answer is kept until something in the folder changes", async () => {
	write(".gitignore", "*.log\n");
	const watching = watchIgnoredFiles();
	const paths = Array.from({ length: 500 }, (_, index) => `f${index}.${index % 2 ? "ts" : "log"}`);
	expect(await ignoredOf(paths)).toHaveLength(250);
	expect(await ignoredOf(paths.slice(10))).toHaveLength(245);
	expect(asked()).toBe(1);
	write(".gitignore", "*.ts\n");
	workspace.changed.forEach(listener => listener());
	expect(await ignoredOf(["a.ts", "a.log"])).toEqual(["a.ts"]);
	expect(asked()).toBe(2);
	watching.dispose();
});
