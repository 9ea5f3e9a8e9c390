import { mkdir, realpath, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { makeTempFolder } from "../../helpers/tempFolder.ts";

interface FakeUri {
	readonly scheme: string;
	readonly path: string;
	readonly fsPath: string;
}

const uri = (path: string): FakeUri => ({ scheme: "file", path, fsPath: path });
const opened: { readonly path: string; readonly options: unknown }[] = [];
const workspace = {
	isTrusted: false,
	workspaceFolders: [] as { readonly name: string; readonly uri: FakeUri }[],
	globs: [] as string[],
	/** What VS Code's search was told to leave out. */
	left: [] as string[],
	excluded: {} as Record<string, boolean>,
	found: [] as FakeUri[],
	getConfiguration: () => ({ get: () => workspace.excluded, inspect: () => undefined }),
	getWorkspaceFolder: () => workspace.workspaceFolders[0],
	asRelativePath: ({ path }: FakeUri) => path,
	fs: { readFile: () => Promise.reject(new Error("no such file")) },
	findFiles: (pattern: string | { readonly pattern: string }, exclude: string) => {
		workspace.left.push(exclude);
		const glob = typeof pattern === "string" ? pattern : pattern.pattern;
		workspace.globs.push(glob);
		return Promise.resolve(workspace.found);
	},
};
vi.mock("vscode", () => ({
	workspace,
	window: { tabGroups: { all: [] } },
	commands: {
		executeCommand: (_: string, { path }: FakeUri, options: unknown) => {
			opened.push({ path, options });
			return Promise.resolve();
		},
	},
	CancellationTokenSource: class {
		token = { isCancellationRequested: false, onCancellationRequested: () => undefined };
	},
	RelativePattern: class {
		pattern: string;
		constructor(_folder: unknown, pattern: string) {
			this.pattern = pattern;
		}
	},
	Range: class {
		values: readonly number[];
		constructor(...values: readonly number[]) {
			this.values = values;
		}
	},
	Uri: {
		file: uri,
		joinPath: ({ path }: FakeUri, ...names: readonly string[]) => uri(join(path, ...names)),
	},
}));
const { findFiles, namedFiles, openNamedFile } =
	await import("../../../src/editor/workspaceFiles.ts");

describe.skipIf(process.platform === "win32")("The files that an answer names", () => {
	let root = "";

	beforeEach(async () => {
		root = await realpath(await makeTempFolder());
		await mkdir(join(root, "w/src/deep"), { recursive: true });
		await mkdir(join(root, "outside"));
		await writeFile(join(root, "outside/secret.txt"), "secret");
		await writeFile(join(root, "w/src/a.ts"), "a");
		await writeFile(join(root, "w/src/deep/only.ts"), "a");
		await symlink(join(root, "outside"), join(root, "w/out"));
		await symlink(join(root, "outside/secret.txt"), join(root, "w/link.txt"));
		workspace.workspaceFolders = [{ name: "w", uri: uri(join(root, "w")) }];
		workspace.found = [];
		workspace.excluded = {};
		workspace.left.length = 0;
		workspace.globs.length = 0;
		opened.length = 0;
	});

	test("are those inside the workspace, also in Restricted Mode", async () => {
		expect(await namedFiles(["src/a.ts", "./src/a.ts", join(root, "w/src/a.ts")])).toEqual(
			Array.from({ length: 3 }, () => "src/a.ts"),
		);
	});

	test("T11 T20: are never outside, through no link and by no scheme", async () => {
		const paths = [
			"../outside/secret.txt",
			join(root, "outside/secret.txt"),
			"out/secret.txt",
			"link.txt",
			"src/../../outside/secret.txt",
			`file://${root}/w/src/a.ts`,
			"command:workbench.action.quit",
			"~/.ssh/id_rsa",
			"src",
			"src/a.ts\u202e",
			"\\\\host\\share\\a.ts",
		];
		workspace.found = [uri(join(root, "outside/secret.txt"))];
		expect(await namedFiles(paths)).toEqual(paths.map(() => undefined));
		for (const path of paths) {
			expect(await openNamedFile(path, 1, undefined)).toBe(false);
		}
		expect(opened).toEqual([]);
	});

	test("are also those that one path alone ends with, by one search for all", async () => {
		workspace.found = [uri(join(root, "w/src/deep/only.ts"))];
		expect(await namedFiles(["only.ts", "deep/only.ts", "src/a.ts", "x{a,b}.ts"])).toEqual([
			"src/deep/only.ts",
			"src/deep/only.ts",
			"src/a.ts",
			undefined,
		]);
		expect(workspace.globs).toEqual(["**/{only.ts,deep/only.ts}"]);
		workspace.found = [uri(join(root, "w/src/a.ts")), uri(join(root, "w/src/deep/a.ts"))];
		expect(await namedFiles(["a.ts"])).toEqual([undefined]);
	});

	test("T15: a search compares slow globs of a workspace or a model itself, not in VS Code", async () => {
		const token = {
			isCancellationRequested: false,
			onCancellationRequested: () => ({ dispose: () => undefined }),
		};
		const search = async (glob: string): Promise<readonly string[]> =>
			(await findFiles(glob, 10, token)).map(({ path }) => path.slice(`${root}/w/`.length));
		workspace.excluded = { "**/out": true, "+(a|aa)+(a|aa)*b": true, "**/*e*p/*": true };
		workspace.found = ["src/a.ts", "src/deep/only.ts"].map(name => uri(join(root, "w", name)));
		expect(await search("**/*")).toEqual(["src/a.ts"]);
		expect(workspace.left).toEqual(["{**/.git,**/node_modules,**/out}"]);
		workspace.excluded = {};
		expect(await search("*n*l*.ts")).toEqual([]);
		expect(await search("**/*n*l*.ts")).toEqual(["src/deep/only.ts"]);
		expect(workspace.globs).toEqual(["**/*", "**/*", "**/*"]);
	});

	test("are told apart by their folder where there are several", async () => {
		await mkdir(join(root, "v/src"), { recursive: true });
		await writeFile(join(root, "v/src/b.ts"), "b");
		await writeFile(join(root, "v/src/a.ts"), "b");
		workspace.workspaceFolders.push({ name: "v", uri: uri(join(root, "v")) });
		expect(await namedFiles(["src/b.ts", "v/src/a.ts", "src/a.ts"])).toEqual([
			"v/src/b.ts",
			"v/src/a.ts",
			undefined,
		]);
	});

	test("open at their lines, and only while they are there", async () => {
		expect(await openNamedFile("src/a.ts", 12, 20)).toBe(true);
		expect(await openNamedFile("src/a.ts", undefined, undefined)).toBe(true);
		expect(await openNamedFile("src/gone.ts", 1, undefined)).toBe(false);
		expect(opened).toEqual([
			{ path: join(root, "w/src/a.ts"), options: { selection: { values: [11, 0, 19, 0] } } },
			{ path: join(root, "w/src/a.ts"), options: {} },
		]);
	});
});
