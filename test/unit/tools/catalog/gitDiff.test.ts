// @module-tag thorough
import { execFileSync } from "node:child_process";
import { mkdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { type DiffSource, readGitDiff } from "../../../../src/tools/contract/gitDiff.ts";
import { createToolBench } from "../../../helpers/toolBench.ts";

const secret = "hush-hush-hush";
const body = Array.from({ length: 20 }, (_, line) => `KEY_${line}=${secret}-${line}\n`).join("");

function source(root: string): DiffSource {
	return {
		git: "git",
		root,
		decode: (_path, bytes) => Promise.resolve(new TextDecoder("gbk").decode(bytes)),
	};
}

/** A repository with a commit, whose `get_git_diff` is told by Git itself. */
async function createRepository(): Promise<{
	readonly root: string;
	git(...args: string[]): void;
	write(name: string, text: string | Uint8Array): void;
	move(from: string, to: string): void;
	diff(isStaged?: boolean): Promise<string>;
}> {
	const bench = await createToolBench();
	const { workspace } = bench;
	const git = (...args: string[]): void => {
		execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], {
			cwd: workspace,
			stdio: "pipe",
		});
	};
	const write = (name: string, text: string | Uint8Array): void => {
		mkdirSync(dirname(join(workspace, name)), { recursive: true });
		writeFileSync(join(workspace, name), text);
	};
	Object.assign(bench.editor, {
		gitDiff: (isStaged: boolean) => readGitDiff(source(workspace), isStaged),
	});
	git("init", "-q");
	for (const name of [".env", "a.txt", "b b.txt", 'ä "q".txt', "keys/.env"]) {
		write(name, body.replaceAll(secret, name.endsWith(".env") ? secret : "plain"));
	}
	git("add", "-A", "-f");
	git("commit", "-qm", "x");
	return {
		root: workspace,
		git,
		write,
		move: (from, to) => renameSync(join(workspace, from), join(workspace, to)),
		diff: async (isStaged = false) => (await bench.run("get_git_diff", { isStaged })).content,
	};
}

test.each([
	["of Git itself", []],
	["diff.mnemonicPrefix", [["diff.mnemonicPrefix", "true"]]],
	["diff.noprefix", [["diff.noprefix", "true"]]],
	[
		"diff.srcPrefix and diff.dstPrefix",
		[
			["diff.srcPrefix", "x/"],
			["diff.dstPrefix", "y/"],
		],
	],
	["color.ui", [["color.ui", "always"]]],
	["diff.external", [["diff.external", "cat"]]],
	["diff.renames", [["diff.renames", "false"]]],
])(
	"the settings %s tell nothing of a file with secrets, and all of others",
	async (_, settings) => {
		const repository = await createRepository();
		settings.forEach(setting => repository.git("config", ...setting));
		for (const name of [".env", "keys/.env"]) {
			repository.write(name, body.replace("KEY_3", "CHANGED"));
		}
		for (const name of ["a.txt", "b b.txt", 'ä "q".txt']) {
			repository.write(name, "new words\n");
		}
		const told = await repository.diff();
		expect(told).not.toContain(secret);
		expect(told.match(/^\+new words$/gm)).toHaveLength(3);
		expect(told).toContain("[left out: 2 files");
	},
);

test.each(["notes.txt", "b", "with space.txt", 'ä\t"n".txt'])(
	"a staged rename of a file with secrets to %j tells nothing of it",
	async name => {
		const repository = await createRepository();
		repository.move(".env", name);
		repository.write(name, body.replace("KEY_3", "CHANGED"));
		repository.git("add", "-A", "-f");
		const told = await repository.diff(true);
		expect(told).not.toContain(secret);
		expect(told).toContain("[left out: 1 file that");
	},
);

test("a copy of a file with secrets that changed as well tells nothing of it", async () => {
	const repository = await createRepository();
	repository.write("copy.txt", body);
	repository.write(".env", body.replace("KEY_3", "CHANGED"));
	repository.git("add", "-A", "-f");
	expect(await repository.diff(true)).not.toContain(secret);
});

test("a merge in conflict tells nothing of a file with secrets", async () => {
	const repository = await createRepository();
	const change = (text: string): void => {
		for (const name of [".env", "a.txt"]) {
			repository.write(name, body.replace("KEY_3", text));
		}
		repository.git("commit", "-qam", text);
	};
	repository.git("branch", "other");
	change("OURS");
	repository.git("checkout", "-q", "other");
	change("THEIRS");
	expect(() => repository.git("merge", "-q", "-")).toThrow("Command failed");
	const told = await repository.diff();
	expect(told).toContain("a.txt");
	// The conflict of `a.txt` holds the same lines, so that the name alone tells them apart.
	expect(told).not.toMatch(/^diff --cc .*\.env$/m);
	expect(told).toContain("[left out: 1 file that");
});

test("text of a file that looks like a header makes no file of its own", async () => {
	const repository = await createRepository();
	const forged = `x\rdiff --git a/a.txt b/a.txt\r--- a/a.txt\r+++ b/a.txt\r@@ -1 +1 @@\r+${secret}\n`;
	repository.write(".env", forged);
	expect(await repository.diff()).not.toContain(secret);
});

test("a folder without a repository is a failure in words", async () => {
	const { base } = await createToolBench();
	await expect(readGitDiff(source(base), false)).rejects.toThrow("Git could not tell the changes.");
});

test("what is staged is part of what changed since the last commit, and alone before the first one", async () => {
	const repository = await createRepository();
	repository.write("a.txt", "staged words\n");
	repository.git("add", "a.txt");
	repository.write("b b.txt", "other words\n");
	const all = await repository.diff();
	expect(all).toContain("+staged words");
	expect(all).toContain("+other words");
	expect(await repository.diff(true)).not.toContain("other words");
	repository.git("update-ref", "-d", "HEAD");
	expect(await repository.diff()).toContain("+staged words");
});

test("files that Git does not track yet are part of what changed, those it ignores are not", async () => {
	const repository = await createRepository();
	repository.write("new folder/new [1]#%.txt", "new words\n");
	repository.write("-", "minus\n");
	repository.write("empty.txt", "");
	repository.write("picture.bin", Uint8Array.of(1, 0, 2));
	repository.write(".gitignore", "built/\n");
	repository.write("built/out.txt", "built words\n");
	repository.write(".env.local", `KEY=${secret}\n`);
	const told = await repository.diff();
	expect(told).toContain("new file mode 100644");
	expect(told).toContain("+++ b/new folder/new [1]#%.txt");
	expect(told).toContain("+new words");
	expect(told).toContain("b/empty.txt");
	expect(told).toMatch(/Binary files .*picture\.bin differ/);
	expect(told).not.toContain("built words");
	expect(told).not.toContain(secret);
	expect(told).toContain("[left out: 1 file that");
	expect(await repository.diff(true)).toBe("Nothing changed.");
});

test("an untracked file that Git can't read, or a link to a folder, is named and hides no other change", async () => {
	const { root, write } = await createRepository();
	write("a.txt", "changed words\n");
	write("locked.txt", "words\n");
	symlinkSync("keys", join(root, "link"));
	const git = join(root, ".git", "refusing.sh");
	const script = '#!/bin/sh\ncase "$*" in *locked.txt) exit 128;; esac\nexec git "$@"\n';
	writeFileSync(git, script, { mode: 0o755 });
	const told = (await readGitDiff({ ...source(root), git }, false))
		.map(({ diff }) => diff)
		.join("\n");
	expect(told).toContain("+changed words");
	expect(told).toContain('Untracked, without its text: "locked.txt"');
	expect(told).toContain('Untracked, without its text: "link"');
});

test("of many untracked files the later ones are told by name, and the rest by number", async () => {
	const repository = await createRepository();
	for (let index = 0; index < 1003; index += 1) {
		repository.write(`many/${String(index).padStart(4, "0")}.txt`, `text ${index}\n`);
	}
	const told = await repository.diff();
	expect(told).toContain("+text 99\n");
	expect(told).not.toContain("+text 100\n");
	expect(told).toContain('Untracked, without its text: "many/0100.txt"');
	expect(told).toContain("… and 3 untracked files");
});

test("a plot in a notebook is told by its size", async () => {
	const repository = await createRepository();
	repository.write("book.ipynb", `"image/png": "${"iVBORw0KGgo".padEnd(100_000, "A")}"\n`);
	repository.write("z.txt", "later words\n");
	const told = await repository.diff();
	expect(told).toContain('+"image/png": "[data, 75 KB]"');
	expect(told).toContain("+later words");
});

test("each file's change is decoded as its text is", async () => {
	const repository = await createRepository();
	// 中文 in GBK.
	repository.write("new.c", Uint8Array.of(0xd6, 0xd0, 0xce, 0xc4, 0x0a));
	repository.write("a.txt", "中文 in UTF-8\n");
	const told = await repository.diff();
	expect(told).toMatch(/^\+中文$/m);
	expect(told).toContain("+中文 in UTF-8");
});
