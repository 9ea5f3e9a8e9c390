import * as vscode from "vscode";
import { delay, systemClock } from "../common/async.ts";
import { createQuestions, ignoredByGit } from "../tools/contract/gitIgnore.ts";
import { gitProgram } from "./gitExtension.ts";

/** The longest wait for the editor's Git extension, in milliseconds. */
const startMs = 5000;
/** The longest that an answer counts, in milliseconds, because Git also reads files outside of what is watched. */
const answerMs = 60_000;
/** The most answers kept for a folder. */
const maxAnswers = 100_000;

/** Answers of Git for a folder: whether it ignores a path relative to the folder. */
interface IgnoreAnswers {
	readonly since: number;
	readonly ignored: Map<string, boolean>;
}

const answers = new Map<string, IgnoreAnswers>();
let isWatched = false;

/** Keeps answers of Git until something in the workspace changes. Without this, every question asks Git. */
export function watchIgnoredFiles(): vscode.Disposable {
	const watcher = vscode.workspace.createFileSystemWatcher("**/*");
	const forget = (): void => answers.clear();
	const listeners = [
		watcher.onDidCreate(forget),
		watcher.onDidChange(forget),
		watcher.onDidDelete(forget),
	];
	isWatched = true;
	return vscode.Disposable.from(
		watcher,
		...listeners,
		new vscode.Disposable(() => {
			isWatched = false;
			forget();
		}),
	);
}

/**
 * Returns those of the paths that Git ignores, relative to a workspace folder with `/`. None in an untrusted workspace, without Git, outside a
 * repository, or if Git ignores the folder itself. A file that is reached through a link is ignored if the link is, one of a repository inside another
 * also if that repository is. Runs one process for each repository, and one for its files that are tracked although they match. Rejects with
 * `GitFailure` if Git takes too long, and with `AbortError`.
 */
export async function ignoredPaths(
	folder: vscode.Uri,
	paths: readonly string[],
	signal?: AbortSignal,
): Promise<ReadonlySet<string>> {
	if (!vscode.workspace.isTrusted || folder.scheme !== "file" || paths.length === 0) {
		return new Set();
	}
	const questionsOf = createQuestions(folder.fsPath);
	const questions = await Promise.all(paths.map(questionsOf));
	const asked = Map.groupBy(questions.flat(), ({ root }) => root);
	const answered = await Promise.all(
		[...asked].map(async ([root, held]) => {
			const wanted = held.map(({ path }) => path);
			return [root, await askRepository(root, wanted, signal)] as const;
		}),
	);
	const answersOf = new Map(answered);
	return new Set(
		paths.filter((_, index) =>
			questions[index]?.some(({ root, path }) => answersOf.get(root)?.get(path)),
		),
	);
}

async function askRepository(
	root: string,
	paths: readonly string[],
	signal: AbortSignal | undefined,
): Promise<ReadonlyMap<string, boolean>> {
	const { ignored } = answersFor(root);
	const unknown = [...new Set(paths)].filter(path => !ignored.has(path));
	if (unknown.length > 0) {
		const git = await Promise.race([gitProgram(), delay(startMs).then(() => undefined)]);
		const found =
			git === undefined ? new Set() : await ignoredByGit({ git, root, signal }, unknown);
		unknown.forEach(path => ignored.set(path, found.has(path)));
	}
	return ignored;
}

function answersFor(root: string): IgnoreAnswers {
	const known = answers.get(root);
	const now = systemClock.monotonic();
	const isUsable =
		isWatched && known && now - known.since < answerMs && known.ignored.size < maxAnswers;
	const result = isUsable ? known : { since: now, ignored: new Map<string, boolean>() };
	answers.set(root, result);
	return result;
}
