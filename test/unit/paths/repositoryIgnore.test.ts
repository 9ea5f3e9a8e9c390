import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { createIgnoreMatcher } from "../../../src/paths/gitIgnore.ts";
import { readRepositoryIgnore } from "../../../src/paths/repositoryIgnore.ts";
import { makeTempFolder } from "../../helpers/tempFolder.ts";

function git(folder: string, ...args: readonly string[]): string {
	const settings = ["user.name=a", "user.email=a@b", "protocol.file.allow=always"];
	const all = [...settings.flatMap(setting => ["-c", setting]), ...args];
	return execFileSync("git", all, { cwd: folder, stdio: "pipe", encoding: "utf8" });
}

function write(folder: string, name: string, text: string): void {
	mkdirSync(dirname(join(folder, name)), { recursive: true });
	writeFileSync(join(folder, name), text);
}

/** A repository with a commit. */
async function createRepository(): Promise<string> {
	const folder = join(await makeTempFolder(), "repository");
	mkdirSync(folder);
	git(folder, "init", "-q");
	write(folder, "a.txt", "a\n");
	git(folder, "add", "-A");
	git(folder, "commit", "-qm", "x");
	return folder;
}

const names = ["keep.ts", "log.log", "built/a.ts", "packages/b.ts", "mine.txt"];

/** The files that are ignored in a folder, by Git itself and by the patterns that were read; they must be the same. */
function ignoredIn(folder: string): readonly string[] {
	names.forEach(name => write(folder, name, ""));
	const { below, files } = readRepositoryIgnore(folder);
	const isIgnored = createIgnoreMatcher(files);
	const found = names.filter(name => isIgnored(below === "" ? name : `${below}/${name}`));
	const listed = git(folder, "ls-files", "--others", "--exclude-standard", "-z").split("\0");
	expect(names.filter(name => !listed.includes(name))).toEqual(found);
	return found;
}

test("what is above the opened folder counts, anchored where it is", async () => {
	const root = await createRepository();
	write(root, ".gitignore", "*.log\n/built/\n/packages/app/packages/\n");
	write(root, "packages/.gitignore", "/app/mine.txt\n");
	write(root, ".git/info/exclude", "keep.ts\n");
	mkdirSync(join(root, "packages/app"));
	expect(ignoredIn(join(root, "packages/app"))).toEqual([
		"keep.ts",
		"log.log",
		"packages/b.ts",
		"mine.txt",
	]);
});

test("a worktree shares its repository's patterns", async () => {
	const root = await createRepository();
	write(root, ".git/info/exclude", "*.log\n");
	git(root, "worktree", "add", "-q", "../other");
	expect(ignoredIn(join(root, "../other"))).toEqual(["log.log"]);
});

test("a submodule has its own patterns, and none of the repository around it", async () => {
	const inner = await createRepository();
	const root = await createRepository();
	git(root, "submodule", "--quiet", "add", inner, "sub module");
	write(root, ".gitignore", "*.log\n");
	write(root, ".git/modules/sub module/info/exclude", "mine.txt\n");
	expect(ignoredIn(join(root, "sub module"))).toEqual(["mine.txt"]);
});

test("a folder that is ignored itself is read as one without a repository", async () => {
	const root = await createRepository();
	write(root, ".gitignore", "built/\n*.log\n");
	mkdirSync(join(root, "built/app"), { recursive: true });
	expect(readRepositoryIgnore(join(root, "built/app"))).toEqual({ below: "", files: [] });
});

test("a folder in no repository, one that is gone and odd files in the place of .git bring nothing", async () => {
	const folder = await makeTempFolder();
	const patterns = (): string =>
		readRepositoryIgnore(folder)
			.files.map(({ text }) => text)
			.join("");
	expect(patterns()).toBe("");
	expect(readRepositoryIgnore(join(folder, "gone")).files).toEqual([]);
	for (const text of ["", "gitdir: ", "gitdir: nowhere\n", "gitdir: /dev/zero\n", "\0\0"]) {
		write(folder, ".git", text);
		expect(patterns()).toBe("");
	}
});

test("a link is no file of patterns, as for Git", async () => {
	const root = await createRepository();
	write(root, "patterns", "*.log\n");
	symlinkSync("patterns", join(root, ".gitignore"));
	mkdirSync(join(root, "app"));
	expect(ignoredIn(join(root, "app"))).toEqual([]);
});
