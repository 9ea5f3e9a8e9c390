import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import * as vscode from "vscode";
import { until } from "./cutaway.ts";
import { useTools } from "./toolScript.ts";

interface GitRepository {
	readonly state: {
		readonly workingTreeChanges: readonly { readonly uri: vscode.Uri }[];
	};
	status(): Promise<void>;
}

/** The part of the Git extension's API, version 1, that is used here. */
interface GitApi {
	openRepository(root: vscode.Uri): Promise<GitRepository | null>;
}

function git(folder: string, ...args: readonly string[]): void {
	const settings = ["user.name=A", "user.email=a@example.com", "protocol.file.allow=always"];
	const all = [...settings.flatMap(setting => ["-c", setting]), ...args];
	execFileSync("git", all, { cwd: folder, stdio: "pipe" });
}

function write(folder: string, name: string, text: string | Uint8Array): void {
	mkdirSync(dirname(join(folder, name)), { recursive: true });
	writeFileSync(join(folder, name), text);
}

describe("a folder inside a repository", () => {
	const { run } = useTools();
	let root = "";

	beforeEach(async () => {
		root = join(await realpath(await mkdtemp(join(tmpdir(), "cutaway-repository-"))), "repository");
		mkdirSync(root);
		git(root, "init", "--quiet");
		write(root, ".gitignore", "*.log\n/packages/app/built/\n");
		write(root, "packages/app/old.c", "int one;\n");
		write(root, "outside.txt", "outside\n");
		git(root, "add", "--all");
		git(root, "commit", "--quiet", "--message", "one");
	});

	afterEach(async () => {
		await vscode.commands.executeCommand("workbench.action.closeAllEditors");
		// The editor takes no change while it is busy with the one before.
		await until(() => {
			const isGone = vscode.workspace.workspaceFolders?.length === 1;
			return isGone || (vscode.workspace.updateWorkspaceFolders(1, 1), false);
		}, "the folder to go");
		await rm(dirname(root), { recursive: true, force: true });
	});

	async function open(folder: string): Promise<void> {
		const uri = vscode.Uri.file(folder);
		// The editor takes no change while it is busy with the one before.
		const add = (): boolean => vscode.workspace.updateWorkspaceFolders(1, 0, { uri, name: "app" });
		await until(add, "the editor to take the folder");
		await until(() => vscode.workspace.workspaceFolders?.length === 2, "the folder");
	}

	async function openRepository(folder: string): Promise<GitRepository> {
		const extension = vscode.extensions.getExtension<{ getAPI(version: 1): GitApi }>("vscode.git");
		assert.ok(extension, "the Git extension is there");
		const api = (await extension.activate()).getAPI(1);
		const settings = vscode.workspace.getConfiguration("git");
		await settings.update("openRepositoryInParentFolders", "always", true);
		const repository = await api.openRepository(vscode.Uri.file(folder));
		assert.ok(repository);
		await settings.update("openRepositoryInParentFolders", undefined, true);
		return repository;
	}

	it("leaves out what the repository above it ignores, in lists and searches", async () => {
		for (const name of ["kept.c", "a.log", "built/b.c"]) {
			write(root, `packages/app/${name}`, "wanted\n");
		}
		await open(join(root, "packages/app"));
		const { results } = await run([
			[
				["list_files", { glob: "**/*.{c,log}" }],
				["search_text", { query: "wanted" }],
			],
		]);
		assert.equal(results[0]?.result, "app/kept.c\napp/old.c");
		assert.equal(results[1]?.result, "app/kept.c:1: wanted");
	});

	it("leaves out in a worktree what the repository's own exclusions name", async () => {
		write(root, ".git/info/exclude", "private*\n");
		git(root, "worktree", "add", "--quiet", "../other");
		const other = join(root, "../other");
		write(other, "private.c", "wanted\n");
		write(other, "public.c", "wanted\n");
		await open(other);
		const { results } = await run([[["search_text", { query: "wanted" }]]]);
		assert.equal(results[0]?.result, "app/public.c:1: wanted");
	});

	it("tells new files, renamed and deleted ones and other encodings as what changed, and nothing outside it", async () => {
		const text = "// 这个函数计算订单的总价\n";
		await open(join(root, "packages/app"));
		const repository = await openRepository(root);
		write(root, "packages/app/new [1] #%.ts", "let added = 1;\n");
		write(root, "packages/app/chinese.c", await vscode.workspace.encode(text, { encoding: "gbk" }));
		write(root, "packages/app/a.log", "ignored words\n");
		write(root, "outside.txt", "changed outside\n");
		git(root, "mv", "packages/app/old.c", "packages/app/renamed.c");
		await repository.status();
		await until(
			() =>
				repository.state.workingTreeChanges.some(({ uri }) => uri.path.endsWith("/outside.txt")),
			"Git to see the change outside the folder",
		);
		const files = vscode.workspace.getConfiguration("files");
		await files.update("encoding", "gbk", vscode.ConfigurationTarget.Global);
		try {
			const { results } = await run([
				[["get_git_diff", {}]],
				[["get_git_diff", { isStaged: true }]],
			]);
			const [all = "", staged = ""] = results.map(({ result }) => result ?? "");
			assert.match(all, /\+let added = 1;/);
			assert.match(all, /new file mode 100644/);
			assert.ok(all.includes(`+${text}`.trimEnd()), all);
			assert.match(all, /rename from packages\/app\/old\.c\nrename to packages\/app\/renamed\.c/);
			assert.doesNotMatch(all, /ignored words|changed outside/);
			// The workspace itself may be below another repository, which has changes of its own.
			assert.match(all, /\[left out: \d+ files? that/);
			assert.match(staged, /rename to packages\/app\/renamed\.c/);
			assert.doesNotMatch(staged, /added/);
		} finally {
			await files.update("encoding", undefined, vscode.ConfigurationTarget.Global);
		}
	});
});
