import { isUtf8 } from "node:buffer";
import { existsSync } from "node:fs";
import { stat } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import type { FileDiff } from "./editorActions.ts";
import { maskKeyLines, maskSecrets } from "../../common/secretContent.ts";
import { secretRule } from "../../paths/sensitivePaths.ts";
import { shortenData } from "./edits.ts";
import { GitFailure, type GitFolder, runGit } from "./gitProcess.ts";

const options = [
	"--no-ext-diff",
	"--no-textconv",
	"--no-color",
	"--no-relative",
	"--submodule=short",
	"--src-prefix=a/",
	"--dst-prefix=b/",
	"--find-renames",
	"--find-copies",
];

/** A repository; `root` is its folder. */
export interface DiffSource extends GitFolder {
	/** Decodes text other than UTF-8. */
	readonly decode: (path: string, bytes: Uint8Array) => Promise<string>;
}

/** The most untracked files with their text, the largest of them in bytes, and the most further ones by name only. */
const maxUntrackedTexts = 100;
const maxUntrackedBytes = 1024 * 1024;
const maxUntrackedNames = 1000;

/** Returns the changes of a repository by file: since the last commit, including untracked files, or the staged ones. Throws `ToolFailure`. */
export async function readGitDiff(source: DiffSource, isStaged: boolean): Promise<FileDiff[]> {
	// The editor keeps listing a repository whose folder was deleted.
	if (!existsSync(source.root)) {
		return [];
	}
	return isStaged
		? runDiff(source, ["--cached"])
		: [...(await diffSinceCommit(source)), ...(await untrackedFiles(source))];
}

/** Returns the changes of a file since the last commit, staged or not. `path` is absolute. Throws `ToolFailure`. */
export async function readFileDiff(
	source: DiffSource,
	path: string,
): Promise<FileDiff | undefined> {
	const [changed] = await diffSinceCommit(source, "--", path);
	return changed ?? (await untrackedFiles(source, path))[0];
}

interface Commit {
	readonly hash: string;
	readonly subject: string;
	/** Git's relative date, such as `2 days ago`. */
	readonly age: string;
}

/** Returns the latest commits, at most `count`, newest first; with an absolute `path` those that changed it. Empty before the first commit. */
export async function recentCommits(
	source: DiffSource,
	count: number,
	path?: string,
): Promise<Commit[]> {
	const format = "--format=%H%x00%s%x00%cr";
	const of = ["log", `--max-count=${count}`, "--no-color", "--no-show-signature", format];
	const file = path === undefined ? [] : ["--", path];
	const listed = await runGit(source, [...of, ...file]).catch(onExit(() => Buffer.alloc(0)));
	return listed
		.toString("utf8")
		.split("\n")
		.flatMap(line => {
			const [hash, subject, age] = line.split("\0");
			return hash && subject !== undefined && age !== undefined ? [{ hash, subject, age }] : [];
		});
}

/** Returns the changes of a commit compared with its first parent, all or those of an absolute `path`. Throws `ToolFailure`. */
export async function readCommitDiff(
	source: DiffSource,
	hash: string,
	path?: string,
): Promise<FileDiff[]> {
	const how = ["--format=", "--no-show-signature", "-m", "--first-parent", hash];
	const file = path === undefined ? [] : ["--", path];
	return runDiff({ ...source, mayFetch: true }, [...how, ...file], "show");
}

/**
 * Returns what the commits of a range such as `main..HEAD` changed together, all or what they changed in an absolute `path`. Without an end, the range
 * ends at HEAD. Throws `ToolFailure`.
 */
export function readRangeDiff(
	source: DiffSource,
	range: string,
	path?: string,
): Promise<FileDiff[]> {
	const [from, to = ""] = range.trim().split(/\.{2,3}/);
	// With two dots, Git would show the commits that only the start has as removed.
	const file = path === undefined ? [] : [path];
	return runDiff({ ...source, mayFetch: true }, [`${from}...${to}`, "--", ...file]);
}

/** Whether the next commit completes a merge. */
export async function isMerging(source: DiffSource): Promise<boolean> {
	const found = runGit(source, ["rev-parse", "--quiet", "--verify", "MERGE_HEAD"]);
	return await found.then(
		() => true,
		onExit(() => false),
	);
}

/** Returns a handler that recovers if Git ended with a failure. Other failures, such as that it took too long, are thrown on. */
function onExit<T>(recover: (failure: GitFailure) => T): (error: unknown) => T {
	return error => {
		if (error instanceof GitFailure && error.reason === "exit") {
			return recover(error);
		}
		throw error;
	};
}

/** Before the first commit, only staged changes exist. */
function diffSinceCommit(source: DiffSource, ...file: readonly string[]): Promise<FileDiff[]> {
	return runDiff(source, ["HEAD", ...file]).catch(
		onExit(() => runDiff(source, ["--cached", ...file])),
	);
}

/** Returns the files that Git neither tracks nor ignores, as new ones. Skips nested repositories. */
async function untrackedFiles(source: DiffSource, ...file: readonly string[]): Promise<FileDiff[]> {
	const list = ["ls-files", "--others", "--exclude-standard", "-z", "--", ...file];
	let isCut = false;
	const listed = await runGit(source, list).catch((error: unknown) => {
		if (error instanceof GitFailure && error.reason === "tooLarge") {
			isCut = true;
			return error.output.subarray(0, error.output.lastIndexOf(0));
		}
		throw error;
	});
	const names = listed
		.toString("utf8")
		.split("\0")
		// Git would read a file named “-” from its input.
		.filter(name => name !== "" && name !== "-" && !name.endsWith("/"));
	const files: FileDiff[] = [];
	for (const name of names.slice(0, maxUntrackedTexts)) {
		const isLarge = await stat(join(source.root, name)).then(
			({ size }) => size > maxUntrackedBytes,
			() => false,
		);
		// Git may not be allowed to read it, and shows nothing of a link to a folder.
		const shown = isLarge
			? []
			: await runDiff(source, ["--no-index", "--", "/dev/null", name]).catch(onExit(() => []));
		files.push(...(shown.length > 0 ? shown : [nameOnly(source, "Untracked", name)]));
	}
	const named = names.slice(maxUntrackedTexts, maxUntrackedNames);
	return [
		...files,
		...named.map(name => nameOnly(source, "Untracked", name)),
		...(names.length > maxUntrackedNames ? [furtherFiles(source, names, isCut)] : []),
	];
}

/** Returns a note of the untracked files beyond the most that are named, with the folder that has most of them. */
function furtherFiles({ root }: DiffSource, names: readonly string[], isCut: boolean): FileDiff {
	const folders = Map.groupBy(names, name => name.slice(0, name.indexOf("/") + 1));
	const [largest] = [...folders].toSorted(([, a], [, b]) => b.length - a.length);
	const folder = largest?.[0] ?? "";
	const count = `${isCut ? "more than " : ""}${names.length - maxUntrackedNames}`;
	const advice = `Most are in ${folder === "" ? "the repository's folder" : JSON.stringify(folder)}; what Git shall not track belongs in .gitignore.`;
	return { paths: [root], diff: `… and ${count} untracked files. ${advice}` };
}

function nameOnly({ root }: DiffSource, how: "Changed" | "Untracked", name: string): FileDiff {
	return { paths: [join(root, name)], diff: `${how}, without its text: ${JSON.stringify(name)}` };
}

async function runDiff(
	source: DiffSource,
	what: readonly string[],
	command: "diff" | "show" = "diff",
): Promise<FileDiff[]> {
	// Git exits with 1 if files compared outside the index differ.
	const different = (failure: GitFailure): Buffer => {
		if (failure.code === 1 && what.includes("--no-index")) {
			return failure.output;
		}
		throw failure;
	};
	try {
		const output = runGit(source, [command, ...options, ...what]).catch(onExit(different));
		return await splitDiff(source, await output);
	} catch (error) {
		if (!(error instanceof GitFailure && error.reason === "tooLarge")) {
			throw error;
		}
		const names = await runGit(source, [command, "--name-only", "-z", ...what]);
		return names
			.toString("utf8")
			.split("\0")
			.flatMap(name => (name === "" ? [] : [nameOnly(source, "Changed", name)]));
	}
}

/**
 * Splits at headers. Lines of a file start with a sign, so only headers start with this text. Headers are ASCII, and each file is decoded separately.
 */
function splitDiff({ root, decode }: DiffSource, output: Buffer): Promise<FileDiff[]> {
	const sections = `\n${output.toString("latin1")}`.split("\ndiff ").slice(1);
	return Promise.all(
		sections.map(async rest => {
			const paths = namesIn(rest).map(name => join(root, name));
			const bytes = Buffer.from(`diff ${rest}`, "latin1");
			const [path] = paths;
			const isPlain = path === undefined || isUtf8(bytes);
			return { paths, diff: isPlain ? bytes.toString("utf8") : await decode(path, bytes) };
		}),
	);
}

/** Returns both names of a changed file from its header; none if one can't be parsed. */
function namesIn(section: string): string[] {
	const [first = "", ...rest] = section.split("\n");
	const end = rest.findIndex(line => line.startsWith("@@"));
	const header = end === -1 ? rest : rest.slice(0, end);
	const names = [...firstNames(first), ...header.flatMap(namesOfLine)];
	return names.includes(undefined)
		? []
		: [...new Set(names.filter(name => name !== undefined && name !== ""))].map(String);
}

/** Returns the names in the first line; `undefined` for an ambiguous one. The names of a renamed file are in later lines. */
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
	a: 7,
	b: 8,
	t: 9,
	n: 10,
	v: 11,
	f: 12,
	r: 13,
	'"': 34,
	"\\": 92,
};

/** Removes Git's quotes from a name. Returns `undefined` for quoting that Git doesn't use. */
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

/** The most files to name without their changes. */
const maxNamed = 200;

/**
 * Formats a repository's changes that a model may get without approval: at most `limit` characters of diffs, smallest first, and a line for each
 * further file. Only counts files that may contain secrets or that `isExcluded` names, and masks secrets in others. Empty without changes.
 */
export function sendableDiff(
	root: string,
	diffs: readonly FileDiff[],
	limit: number,
	isExcluded: (path: string) => boolean,
): string {
	const named = diffs.flatMap(({ paths, diff }) => {
		const names = paths.map(path => relative(root, path).split(sep).join("/"));
		const isSent =
			names.length > 0 &&
			!names.some(name => secretRule(name) !== undefined) &&
			!paths.some(isExcluded);
		return isSent ? [{ name: names.at(-1) ?? "", text: shortenData(diff.trimEnd()) }] : [];
	});
	const fitting = new Map<(typeof named)[number], string>();
	let length = 0;
	for (const file of named.toSorted((one, other) => one.text.length - other.text.length)) {
		// Masking is slow, so that only what is sent is masked, and the first text beyond the limit.
		const masked = file.text.length > limit ? file.text : maskSecrets(maskKeyLines(file.text));
		length += masked.length + 1;
		if (length > limit) {
			break;
		}
		fitting.set(file, masked);
	}
	const beyond = named.filter(file => !fitting.has(file));
	const leftOut = diffs.length - named.length;
	return [
		...named.flatMap(file => fitting.get(file) ?? []),
		...beyond
			.slice(0, maxNamed)
			.map(({ name }) => `[changed as well, too long to show: ${JSON.stringify(name)}]`),
		...(beyond.length > maxNamed ? [`[and ${beyond.length - maxNamed} more files]`] : []),
		...(leftOut > 0 ? [`[left out: ${leftOut} that may hold secrets or are excluded]`] : []),
	].join("\n");
}
