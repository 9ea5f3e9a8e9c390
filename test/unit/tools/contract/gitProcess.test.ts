import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { GitFailure, runGit } from "../../../../src/tools/contract/gitProcess.ts";
import { createFakeClock } from "../../../helpers/fakeClock.ts";
import { makeTempFolder } from "../../../helpers/tempFolder.ts";

/** A program in place of Git that writes its process id and that of a child, and never ends. */
async function createEndlessGit(): Promise<{
	git: string;
	ids: () => Promise<number[]>;
	root: string;
}> {
	const root = await makeTempFolder();
	const git = join(root, "git.sh");
	const ids = join(root, "ids");
	writeFileSync(
		git,
		`#!/bin/sh\ntrap '' TERM\nsleep 600 &\necho "$$ $!" > ${ids}.new\nmv ${ids}.new ${ids}\nwait\n`,
	);
	chmodSync(git, 0o755);
	return {
		git,
		root,
		ids: async () => {
			await vi.waitFor(() => expect(existsSync(ids)).toBe(true), { timeout: 5000 });
			return readFileSync(ids, "utf8").trim().split(" ").map(Number);
		},
	};
}

function isRunning(pid: number): boolean {
	try {
		return readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.startsWith("Z") === false;
	} catch {
		return false;
	}
}

describe.skipIf(process.platform !== "linux")("Git that never answers", () => {
	test("is ended after 20 seconds, with what it started", async () => {
		const { ids, ...folder } = await createEndlessGit();
		const clock = createFakeClock();
		const failed = runGit({ ...folder, clock }, ["diff"]).catch((error: unknown) => error);
		const running = await ids();
		expect(running.map(isRunning)).toEqual([true, true]);
		await clock.advance(19_999);
		expect(running.map(isRunning)).toEqual([true, true]);
		await clock.advance(1);
		expect(await failed).toMatchObject({ reason: "timeout" });
		await vi.waitFor(() => expect(running.map(isRunning)).toEqual([false, false]));
	});

	test("is ended on Stop, with what it started", async () => {
		const { ids, ...folder } = await createEndlessGit();
		const stopper = new AbortController();
		const failed = runGit({ ...folder, signal: stopper.signal }, ["diff"]).catch(
			(error: unknown) => error,
		);
		const running = await ids();
		stopper.abort();
		expect(await failed).toMatchObject({ name: "AbortError" });
		await vi.waitFor(() => expect(running.map(isRunning)).toEqual([false, false]));
		await expect(runGit({ ...folder, signal: stopper.signal }, ["diff"])).rejects.toThrow();
	});
});

async function createRepository(): Promise<{ root: string; git(...args: string[]): void }> {
	const root = await makeTempFolder();
	const git = (...args: string[]): void => {
		execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], {
			cwd: root,
			stdio: "pipe",
		});
	};
	git("init", "-q");
	writeFileSync(join(root, "a.txt"), "a\n");
	git("add", "-A");
	git("commit", "-qm", "x");
	return { root, git };
}

test("Git that is not there, and Git that fails, are failures", async () => {
	const root = await makeTempFolder();
	const failure = (git: string): Promise<unknown> =>
		runGit({ git, root }, ["status", "--porcelain=nope"]).catch((error: unknown) => error);
	expect(await failure(join(root, "none"))).toBeInstanceOf(GitFailure);
	expect(await failure("git")).toMatchObject({ reason: "exit", code: 128 });
});

test.skipIf(process.platform === "win32")(
	"T12: a repository's file monitor is not run",
	async () => {
		const { root, git } = await createRepository();
		const monitor = join(root, "monitor.sh");
		writeFileSync(monitor, `#!/bin/sh\ntouch ${join(root, "ran")}\n`);
		chmodSync(monitor, 0o755);
		git("config", "core.fsmonitor", monitor);
		git("status");
		expect(existsSync(join(root, "ran"))).toBe(true);
		execFileSync("rm", [join(root, "ran")]);
		for (const what of [
			["diff", "HEAD"],
			["ls-files", "-co", "--exclude-standard"],
			["check-ignore", "a.txt"],
		]) {
			await runGit({ git: "git", root }, what).catch(() => undefined);
		}
		expect(existsSync(join(root, "ran"))).toBe(false);
	},
);

test.skipIf(process.platform === "win32")(
	"T12: a partial clone runs no transport of its own for what it lacks",
	async () => {
		const { root, git } = await createRepository();
		const marker = join(root, "ran");
		git("config", "remote.origin.url", root);
		git("config", "remote.origin.promisor", "true");
		git("config", "remote.origin.partialclonefilter", "blob:none");
		git("config", "remote.origin.uploadpack", `touch ${marker};`);
		git("config", "extensions.partialClone", "origin");
		git("config", "core.repositoryFormatVersion", "1");
		const blob = execFileSync("git", ["rev-parse", "HEAD:a.txt"], {
			cwd: root,
			encoding: "utf8",
		}).trim();
		execFileSync("rm", ["-f", join(root, ".git/objects", blob.slice(0, 2), blob.slice(2))]);
		writeFileSync(join(root, "a.txt"), "b\n");
		await expect(runGit({ git: "git", root }, ["diff", "HEAD"])).rejects.toThrow(GitFailure);
		expect(existsSync(marker)).toBe(false);
		await runGit({ git: "git", root, mayFetch: true }, ["diff", "HEAD"]).catch(() => undefined);
		expect(existsSync(marker), "where the user asked for it, Git fetches").toBe(true);
	},
);

test("an editor that was started by a hook of another repository reads its own", async () => {
	const [{ root }, other] = [await createRepository(), await createRepository()];
	vi.stubEnv("GIT_DIR", join(other.root, ".git"));
	const found = await runGit({ git: "git", root }, ["rev-parse", "--git-dir"]);
	vi.unstubAllEnvs();
	expect(found.toString().trim()).toBe(".git");
});

test("T12: a folder that only looks like a bare repository is none", async () => {
	const { root } = await createRepository();
	const bare = join(root, "lib");
	execFileSync("git", ["init", "-q", "--bare", bare]);
	execFileSync("git", ["-C", bare, "config", "core.worktree", root]);
	execFileSync("git", ["-C", bare, "config", "core.bare", "false"]);
	await expect(runGit({ git: "git", root: bare }, ["rev-parse", "--git-dir"])).rejects.toThrow(
		GitFailure,
	);
});

test("T46: a repository's list of the order of files, which may have no end, is not read", async () => {
	const { root, git } = await createRepository();
	writeFileSync(join(root, "a.txt"), "b\n");
	git("config", "diff.orderFile", join(root, "none"));
	const found = await runGit({ git: "git", root }, ["diff", "HEAD"]);
	expect(found.toString()).toContain("+b");
});

test("T46: a repository's file of attributes elsewhere, which may have no end, is not read", async () => {
	const { root, git } = await createRepository();
	writeFileSync(join(root, "a.txt"), "b\n");
	writeFileSync(join(root, "attributes"), "a.txt -diff\n");
	git("config", "core.attributesFile", join(root, "attributes"));
	const found = await runGit({ git: "git", root }, ["diff", "HEAD"]);
	expect(found.toString()).toContain("+b");
});
