import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { createIgnoreMatcher } from "../../../src/paths/gitIgnore.ts";
import { readRepositoryIgnore, globalIgnoreText } from "../../../src/paths/repositoryIgnore.ts";
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

async function homeWith(files: Readonly<Record<string, string>>): Promise<string> {
	const home = await makeTempFolder();
	for (const [name, text] of Object.entries(files)) {
		mkdirSync(dirname(join(home, name)), { recursive: true });
		writeFileSync(join(home, name), text);
	}
	return home;
}

test.each([
	["without settings", {}, ""],
	["Git's own place for them", { ".config/git/ignore": "*.a" }, "*.a"],
	[
		"the file the user named",
		{
			".gitconfig": "[user]\n\tname = A\n[core]\n\texcludesFile = ~/mine ; where\n",
			".config/git/ignore": "*.a",
			mine: "*.b",
		},
		"*.b",
	],
	[
		"a quoted name",
		{ ".gitconfig": '[core]\nexcludesfile = "~/my \\"own\\""\n', 'my "own"': "*.c" },
		"*.c",
	],
	[
		"the later of two",
		{
			".config/git/config": "[core] excludesfile = ~/one\n",
			".gitconfig": "[CORE]\n\tExcludesFile=~/two\n",
			one: "*.1",
			two: "*.2",
		},
		"*.2",
	],
	[
		"the same name in another section",
		{ ".gitconfig": "[other]\nexcludesfile = ~/x\n", x: "*.x" },
		"",
	],
	[
		"settings that the user's own include",
		{
			".gitconfig": "[include]\n\tpath = .gitconfig.local\n",
			".gitconfig.local": "[include]\npath = ~/.gitconfig\n[core]\nexcludesfile = ~/mine\n",
			mine: "*.b",
		},
		"*.b",
	],
	["a file that is not there", { ".gitconfig": "[core]\nexcludesfile = ~/none\n" }, ""],
	["a relative path", { ".gitconfig": "[core]\nexcludesfile = mine\n", mine: "*.b" }, ""],
])("what a user has Git ignore everywhere: %s", async (_, files, expected) => {
	const home = await homeWith(files);
	expect(globalIgnoreText({ home, configHome: undefined })).toBe(expected);
});

test("another folder of settings counts in place of the usual one", async () => {
	const home = await homeWith({ "settings/git/ignore": "*.s", ".config/git/ignore": "*.a" });
	expect(globalIgnoreText({ home, configHome: join(home, "settings") })).toBe("*.s");
});
