// @module-tag thorough
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import {
	isMerging,
	readCommitDiff,
	readGitDiff,
	readRangeDiff,
	recentCommits,
	sendableDiff,
} from "../../../../src/tools/contract/gitDiff.ts";
import type { FileDiff } from "../../../../src/tools/contract/editorActions.ts";
import { makeTempFolder } from "../../../helpers/tempFolder.ts";

async function createRepository() {
	const root = await makeTempFolder();
	const git = (...args: string[]): void => {
		execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], {
			cwd: root,
			stdio: "pipe",
		});
	};
	git("init", "-q");
	const write = (name: string, text: string): void => writeFileSync(join(root, name), text);
	const source = { git: "git", root, decode: () => Promise.resolve("") };
	return { root, git, write, source };
}

test("secrets are left out by name or masked, excluded files are counted, and long changes are named", async () => {
	const { root, write, source } = await createRepository();
	write("long.txt", "long words\n".repeat(200));
	write("short.txt", 'a = 1\npassword = "kV9#mQ2x!rT7pL4z"\n');
	write(".env", "KEY=hush\n");
	write("excluded.txt", "excluded words\n");
	const isExcluded = (path: string): boolean => path === join(root, "excluded.txt");
	const diff = sendableDiff(root, await readGitDiff(source, false), 1000, isExcluded);
	expect(diff).toContain("+a = 1");
	expect(diff).toContain("[masked]");
	expect(diff).not.toMatch(/hush|excluded words|kV9|long words/);
	expect(diff).toContain('[changed as well, too long to show: "long.txt"]');
	expect(diff).toContain("[left out: 2 that may hold secrets or are excluded]");
	expect(sendableDiff(root, [], 1000, isExcluded)).toBe("");
});

test("files are named without their text where Git's output or a new file is too large to read", async () => {
	const { git, write, source, root } = await createRepository();
	const line = `${"words ".repeat(200)}\n`;
	write("huge.txt", line.repeat(30_000));
	git("add", "-A");
	const send = async (diffs: Promise<readonly FileDiff[]>): Promise<string> =>
		sendableDiff(root, await diffs, 1000, () => false);
	expect(await send(readGitDiff(source, true))).toBe('Changed, without its text: "huge.txt"');
	git("commit", "-qm", "Add it");
	const [commit] = await recentCommits(source, 1);
	const shown = await send(readCommitDiff(source, commit?.hash ?? ""));
	expect(shown).toBe('Changed, without its text: "huge.txt"');
	write("new.txt", line.repeat(1000));
	write("small.txt", "one\n");
	const diff = await send(readGitDiff(source, false));
	expect(diff).toContain('Untracked, without its text: "new.txt"');
	expect(diff).toContain("+one");
});

test("commits are listed the newest first, each with what it changed, the first one as well", async () => {
	const { git, write, source, root } = await createRepository();
	expect(await recentCommits(source, 10)).toEqual([]);
	write("a.txt", "one\n");
	git("add", "-A");
	git("commit", "-qm", "Add a\n\nA body.");
	write("b.txt", "two\n");
	git("add", "-A");
	git("commit", "-qm", "Add b");
	const [second, first, ...others] = await recentCommits(source, 10);
	expect([second?.subject, first?.subject, others.length]).toEqual(["Add b", "Add a", 0]);
	const diffs = await readCommitDiff(source, first?.hash ?? "");
	expect(diffs.map(({ diff }) => diff).join("")).toContain("+one");
	const ofFile = await recentCommits(source, 10, join(root, "a.txt"));
	expect(ofFile.map(({ subject }) => subject)).toEqual(["Add a"]);
});

test("a range has what its commits changed together, and nothing that only its start has", async () => {
	const { git, write, source, root } = await createRepository();
	const commit = (name: string, text: string): void => {
		write(name, text);
		git("add", "-A");
		git("commit", "-qm", name);
	};
	commit("a.txt", "one\n");
	git("branch", "base");
	git("checkout", "-qb", "work");
	commit("b.txt", "two\n");
	commit("b.txt", "three\n");
	git("checkout", "-q", "base");
	commit("c.txt", "four\n");
	const namesOf = async (...range: [string, string?]): Promise<string[]> =>
		(await readRangeDiff(source, ...range)).flatMap(({ paths }) =>
			paths.map(path => basename(path)),
		);
	for (const range of ["base..work", " base...work ", "base~1..work"]) {
		expect(await namesOf(range)).toEqual(["b.txt"]);
	}
	expect(await namesOf("work..")).toEqual(["c.txt"]);
	expect(await namesOf("base..work", join(root, "a.txt"))).toEqual([]);
	const [diff] = await readRangeDiff(source, "base..work");
	expect(diff?.diff).toMatch(/\+three/);
	expect(diff?.diff).not.toMatch(/two/);
	await expect(readRangeDiff(source, "base..nothing")).rejects.toThrow();
});

test("a merge under way is told apart, and a merge commit has the changes that it brought", async () => {
	const { git, write, source } = await createRepository();
	write("a.txt", "one\n");
	git("add", "-A");
	git("commit", "-qm", "one");
	git("checkout", "-qb", "other");
	write("b.txt", "two\n");
	git("add", "-A");
	git("commit", "-qm", "two");
	git("checkout", "-q", "-");
	expect(await isMerging(source)).toBe(false);
	git("merge", "-q", "--no-ff", "--no-commit", "other");
	expect(await isMerging(source)).toBe(true);
	git("commit", "-qm", "Merge other");
	const [merge] = await recentCommits(source, 1);
	const diffs = await readCommitDiff(source, merge?.hash ?? "");
	expect(diffs.map(({ diff }) => diff).join("")).toContain("+two");
});

test("T45: many changes that are slow to mask are masked only as far as they are sent", () => {
	const line = `+${"Ab1".repeat(66)}!\n`;
	const diffs = Array.from({ length: 800 }, (_, index): FileDiff => ({
		paths: [`/w/${index}.txt`],
		diff: line.repeat(110),
	}));
	expect(sendableDiff("/w", diffs, 24_000, () => false)).toContain("[and 599 more files]");
}, 5000);
