import { execFile } from "node:child_process";
import { join } from "node:path";
import { type FileDiff, ToolFailure } from "../tool/index.ts";

/** The most a diff may hold, in bytes; what is told of it is cut long before. */
const maxDiffBytes = 32 * 1024 * 1024;

/** Whatever the user's or the repository's settings say, the output has one form, and no program of theirs writes it. */
const settings = [
	"core.quotePath=true",
	"diff.noprefix=false",
	"diff.mnemonicPrefix=false",
].flatMap(setting => ["-c", setting]);
const options = [
	...["--no-ext-diff", "--no-textconv", "--no-color", "--no-relative", "--submodule=short"],
	...["--src-prefix=a/", "--dst-prefix=b/", "--find-renames", "--find-copies"],
];

/** Changes of a repository since the last commit, or those that are staged, file by file, as `git` tells it. Throws `ToolFailure`. */
export function readGitDiff(git: string, root: string, isStaged: boolean): Promise<FileDiff[]> {
	return isStaged ? runDiff(git, root, ["--cached"]) : diffSinceCommit(git, root);
}

/** Changes of one file since the last commit, staged or not. `path` is absolute. Throws `ToolFailure`. */
export async function readFileDiff(
	git: string,
	root: string,
	path: string,
): Promise<FileDiff | undefined> {
	return (await diffSinceCommit(git, root, "--", path))[0];
}

/** Before the first commit, what is staged is all there is. */
function diffSinceCommit(
	git: string,
	root: string,
	...file: readonly string[]
): Promise<FileDiff[]> {
	return runDiff(git, root, ["HEAD", ...file]).catch(() =>
		runDiff(git, root, ["--cached", ...file]),
	);
}

function runDiff(git: string, root: string, what: readonly string[]): Promise<FileDiff[]> {
	const { promise, resolve, reject } = Promise.withResolvers<FileDiff[]>();
	const args = [...settings, "diff", ...options, ...what];
	const env = { ...process.env, GIT_OPTIONAL_LOCKS: "0", GIT_LITERAL_PATHSPECS: "1" };
	execFile(git, args, { cwd: root, env, maxBuffer: maxDiffBytes }, (error, output) => {
		if (error) {
			reject(new ToolFailure("Git could not tell the changes."));
		} else {
			resolve(splitDiff(root, output));
		}
	});
	return promise;
}

/** A line of a file always has a sign before it, so that only a header begins with these words. */
function splitDiff(root: string, text: string): FileDiff[] {
	return `\n${text}`
		.split("\ndiff ")
		.slice(1)
		.map(rest => ({
			paths: namesIn(rest).map(name => join(root, name)),
			diff: `diff ${rest}`,
		}));
}

/** Both names of a changed file, from its header; none when any of them is not understood. */
function namesIn(section: string): string[] {
	const [first = "", ...rest] = section.split("\n");
	const end = rest.findIndex(line => line.startsWith("@@"));
	const header = end === -1 ? rest : rest.slice(0, end);
	const names = [...firstNames(first), ...header.flatMap(namesOfLine)];
	return names.includes(undefined)
		? []
		: [...new Set(names.filter(name => name !== undefined && name !== ""))].map(String);
}

/** The names of the first line; `undefined` stands for one that cannot be told apart. A renamed file names itself below. */
function firstNames(line: string): (string | undefined)[] {
	const merged = /^--(?:cc|combined) (.+)$/s.exec(line)?.[1];
	if (merged !== undefined) {
		return [unquoted(merged)];
	}
	const pair = line.startsWith("--git ") ? line.slice("--git ".length) : "";
	const half = (pair.length - 1) / 2;
	const [before, after] = [pair.slice(0, half), pair.slice(half + 1)].map(unquoted);
	const isOneName = before?.slice(2) === after?.slice(2);
	return isOneName && before?.startsWith("a/") ? [before.slice(2)] : [""];
}

function namesOfLine(line: string): (string | undefined)[] {
	const moved = /^(?:rename|copy) (?:from|to) (.+)$/s.exec(line)?.[1];
	if (moved !== undefined) {
		return [unquoted(moved)];
	}
	const side = /^(?:---|\+\+\+) (.+?)\t?$/s.exec(line)?.[1];
	if (side === undefined || side === "/dev/null") {
		return [];
	}
	const name = unquoted(side);
	return [name !== undefined && /^[ab]\/./s.test(name) ? name.slice(2) : undefined];
}

const escapes: Readonly<Record<string, number>> = {
	...{ a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13 },
	...{ '"': 34, "\\": 92 },
};

/** A name without Git's quotes, or `undefined` for what is quoted in a way Git does not write. */
function unquoted(name: string): string | undefined {
	if (!name.startsWith('"')) {
		return name;
	}
	if (!/^"(?:[^"\\]|\\(?:[abtnvfr"\\]|[0-3][0-7]{2}))*"$/s.test(name)) {
		return undefined;
	}
	const parts = name.slice(1, -1).match(/\\[0-7]{3}|\\.|[^\\]+/gs) ?? [];
	const bytes = parts.map(part => {
		const escaped = part.startsWith("\\") ? part.slice(1) : undefined;
		if (escaped === undefined) {
			return Buffer.from(part);
		}
		return Buffer.from([escapes[escaped] ?? Number.parseInt(escaped, 8)]);
	});
	return Buffer.concat(bytes).toString("utf8");
}
