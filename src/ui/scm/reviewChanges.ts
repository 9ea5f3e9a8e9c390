import { basename, parse, relative, sep } from "node:path";
import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import type { Lazy } from "../../common/async.ts";
import { type OpenRepository, openRepositories } from "../../editor/gitChanges.ts";
import {
	readCommitDiff,
	readGitDiff,
	readRangeDiff,
	recentCommits,
	sendableDiff,
} from "../../tools/contract/gitDiff.ts";
import type { FileDiff } from "../../tools/contract/editorActions.ts";
import { isExcludedPath } from "../base/excludedPaths.ts";
import type { ChatController } from "../chat/chatController.ts";
import { startedTurn } from "../chat/questionPreparation.ts";
import { reviewQuestion } from "../chat/reviewQuestion.ts";
import { askWith, type QuickActionDependencies } from "../editor/quickActions.ts";
import { changesLimit } from "./commitQuestion.ts";
import { chooseRepository, rethrowGitFailure } from "./repositories.ts";
import type { ReviewComments } from "./reviewComments.ts";
import { numberLines } from "./reviewedLines.ts";

export interface ReviewDependencies extends QuickActionDependencies {
	readonly chat: Lazy<
		Pick<ChatController, "picture" | "attachments" | "send" | "contextUse" | "shown" | "newChat">
	>;
	readonly reviewComments: Lazy<Pick<ReviewComments, "showOnceComplete">>;
}

const shownCommits = 30;

/** The most characters of changes if the model's context is unknown, as for any attachment. */
const maxCharacters = 100_000;

/** The part of the characters that are left for a diff before the numbers of its lines are added, where lines have 12 characters on average. */
const shareWithoutNumbers = 0.6;

interface ReviewChoice extends vscode.QuickPickItem {
	/** The name of the attachment. */
	readonly name: string;
	/** Resolves to undefined if the user cancels. Throws an error with a message for the user. */
	read(): Promise<readonly FileDiff[] | undefined>;
}

/** A change in the list, or a heading. */
type ReviewRow = ReviewChoice | (vscode.QuickPickItem & { readonly read?: undefined });

/**
 * Asks the chat's model to review changes, like `askWith`: the uncommitted changes of the repository whose title bar was clicked; otherwise those,
 * a commit or a range of commits, as the user chooses, of a repository or of a `file` in Git's timeline.
 */
export async function reviewChanges(
	dependencies: ReviewDependencies,
	clicked: unknown,
	file: unknown,
): Promise<void> {
	const path = file instanceof vscode.Uri && file.scheme === "file" ? file.fsPath : undefined;
	const repository = await chooseRepository(clicked, path);
	if (!repository) {
		return;
	}
	const [uncommitted, ...others] = await choicesOf(repository, path);
	const isClicked = typeof clicked === "object" && clicked !== null && path === undefined;
	const choice = isClicked
		? uncommitted
		: await vscode.window.showQuickPick<ReviewRow>([uncommitted, ...others], {
				title: l10n.t("Review Changes"),
				placeHolder: l10n.t("Choose what the model reviews"),
				matchOnDescription: true,
			});
	if (choice?.read === undefined) {
		return;
	}
	const controller = await dependencies.chat.get();
	const context = controller.contextUse()?.contextLength;
	const limit = context === undefined ? maxCharacters : changesLimit(context);
	const diffs = await choice.read();
	if (!diffs) {
		return;
	}
	const room = limit * shareWithoutNumbers;
	const diff = shownDiff(repository, diffs, room);
	if (diff === "") {
		void vscode.window.showInformationMessage(l10n.t("There are no changes to review."));
	} else {
		await askForReview(dependencies, choice.name, diff);
	}
}

/** Returns the uncommitted changes of all repositories, to attach. Throws an error with a message for the user if there are none. */
export async function readUncommitted(): Promise<{ readonly name: string; readonly text: string }> {
	const repositories = await openRepositories().catch(rethrowGitFailure);
	const read = repositories.map(async repository => {
		const files = await readGitDiff(repository.source, false).catch(rethrowGitFailure);
		return { repository, files };
	});
	const changed = (await Promise.all(read)).filter(({ files }) => files.length > 0);
	const room = maxCharacters / changed.length;
	const texts = changed.flatMap(({ repository, files }) => {
		const diff = shownDiff(repository, files, room);
		// The paths in a diff are relative to its repository.
		const heading = changed.length > 1 ? `# ${basename(repository.rootUri.fsPath)}\n` : "";
		return diff === "" ? [] : [`${heading}${diff}`];
	});
	if (texts.length === 0) {
		throw new Error(l10n.t("There are no changes to attach."));
	}
	return { name: "changes.diff", text: texts.join("\n\n") };
}

/** Returns what may be sent of a repository's changes; empty if all of it may hold secrets or is excluded. */
function shownDiff({ rootUri }: OpenRepository, files: readonly FileDiff[], room: number): string {
	const diff = sendableDiff(rootUri.fsPath, files, room, isExcludedPath);
	return diff.startsWith("[left out:") ? "" : diff;
}

/** Returns what of a file's diff may be reviewed without a question. Empty if the file may hold secrets, is excluded or too long. */
export function reviewableDiff(path: string, diff: string): string {
	const { root } = parse(path);
	const room = maxCharacters * shareWithoutNumbers;
	const text = sendableDiff(root, [{ paths: [path], diff }], room, isExcludedPath);
	return text.startsWith("[") ? "" : text;
}

/**
 * Asks for a review of a change in a chat of its own, attached as `name` with the numbers of its lines. Its findings show in the editor once they are
 * complete, unless the user has left the chat.
 */
export async function askForReview(
	dependencies: ReviewDependencies,
	name: string,
	diff: string,
): Promise<void> {
	const controller = await dependencies.chat.get();
	if (controller.shown.isAnswering) {
		// Leaving its chat would end the answer.
		startedTurn({ type: "busy" });
	}
	await controller.newChat();
	const turnId = await askWith(dependencies, reviewQuestion(diff), attachments =>
		attachments.addText({ name, text: numberLines(diff), language: "diff", source: "changes" }),
	);
	if (turnId !== undefined) {
		const comments = await dependencies.reviewComments.get();
		void comments.showOnceComplete(turnId);
	}
}

/** Returns the changes of a repository or a file that can be reviewed, uncommitted ones first. */
async function choicesOf(
	{ source, rootUri }: OpenRepository,
	path: string | undefined,
): Promise<readonly [ReviewChoice, ...ReviewRow[]]> {
	const of = (diffs: readonly FileDiff[]): readonly FileDiff[] =>
		path === undefined ? diffs : diffs.filter(({ paths }) => paths.includes(path));
	const name = path === undefined ? "changes" : basename(path);
	const uncommitted: ReviewChoice = {
		label: l10n.t("Uncommitted changes"),
		...(path === undefined
			? {}
			: { description: relative(rootUri.fsPath, path).split(sep).join("/") }),
		name: `${name}.diff`,
		read: async () => of(await readGitDiff(source, false).catch(rethrowGitFailure)),
	};
	const staged: ReviewChoice = {
		...uncommitted,
		label: l10n.t("Staged changes"),
		read: async () => of(await readGitDiff(source, true).catch(rethrowGitFailure)),
	};
	const latest = await recentCommits(source, shownCommits, path).catch(rethrowGitFailure);
	const commits = latest.map(({ hash, subject, age }): ReviewChoice => ({
		label: `$(git-commit) ${subject.replaceAll("$(", "$ (")}`,
		description: `${hash.slice(0, 8)}, ${age}`,
		name: `${hash.slice(0, 8)}.diff`,
		read: () => readCommitDiff(source, hash, path).catch(rethrowGitFailure),
	}));
	const range: ReviewChoice = {
		label: `$(git-compare) ${l10n.t("Several commits…")}`,
		name: "commits.diff",
		read: () => askForRange(source, path),
	};
	const heading = { label: l10n.t("Commits"), kind: vscode.QuickPickItemKind.Separator };
	return [uncommitted, staged, ...(commits.length > 0 ? [heading, range, ...commits] : [])];
}

async function askForRange(
	source: OpenRepository["source"],
	path: string | undefined,
): Promise<readonly FileDiff[] | undefined> {
	const range = await vscode.window.showInputBox({
		title: l10n.t("Review Several Commits"),
		prompt: l10n.t("main..HEAD is what your branch adds to main, HEAD~3.. the last three commits"),
		placeHolder: "main..HEAD",
		validateInput: text =>
			/^(?!-)\S+$/.test(text.trim()) ? undefined : l10n.t("Write a range such as main..HEAD."),
	});
	return range === undefined
		? undefined
		: readRangeDiff(source, range, path).catch((error: unknown) => {
				throw new Error(l10n.t("Git couldn't read the commits {0}. Check their names.", range), {
					cause: error,
				});
			});
}
