import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import { gitFileDiff } from "../../../editor/gitChanges.ts";
import { nameOf, selectionOrigin, selectedText } from "../../../editor/selection.ts";
import { isConfirmed } from "../../base/dialogs.ts";
import { realPath } from "../../../paths/pathForm.ts";
import { isExcludedPath } from "../../base/excludedPaths.ts";
import { changedLine, changePrompt, noChangeMessage, secretOf } from "./videoPrompt.ts";
import { type VideoGenerateDependencies, generateFromText } from "./videoGenerate.ts";

/** Makes a video of a file's changes since the last commit, or only of the hunks that a selection touches. */
export async function generateFromChange(
	dependencies: VideoGenerateDependencies,
	clicked: unknown,
): Promise<void> {
	const editor = vscode.window.activeTextEditor;
	const clickedFile = resourceOf(clicked);
	const uri = clickedFile ?? fileOf(editor?.document.uri);
	if (uri?.scheme !== "file") {
		tell(l10n.t("Open a file that Git tracks, then run the command again."));
		return;
	}
	const isShown = clickedFile === undefined && uri === editor?.document.uri;
	const selection = isShown ? selectedText(editor) : undefined;
	if (!(await saveFirst(uri))) {
		return;
	}
	const name = nameOf(uri);
	const diff = await diffOf(uri, name);
	if (diff === undefined) {
		return;
	}
	const prompt = changePrompt(name, diff, selection);
	if (prompt === undefined) {
		tell(noChangeMessage(name, diff, selection));
	} else if (await mayBeSent(uri, name, prompt)) {
		const line = changedLine(prompt);
		const range = selection ?? { startLine: line, endLine: line };
		await generateFromText(dependencies, prompt, {
			source: selectionOrigin({ uri }, range.startLine, range.endLine),
		});
	}
}

/** Returns the file of a row in the Source Control view; VS Code passes the row's state. */
function resourceOf(clicked: unknown): vscode.Uri | undefined {
	const isState = typeof clicked === "object" && clicked !== null && "resourceUri" in clicked;
	return isState && clicked.resourceUri instanceof vscode.Uri ? clicked.resourceUri : undefined;
}

/** Converts the URI of a Git version, on the left side of a diff, to that of the file. */
function fileOf(uri: vscode.Uri | undefined): vscode.Uri | undefined {
	return uri?.scheme === "git" ? uri.with({ scheme: "file", query: "" }) : uri;
}

/** Saves a file first, because Git reads the disk. Resolves to false if the user cancels. */
async function saveFirst(uri: vscode.Uri): Promise<boolean> {
	const document = vscode.workspace.textDocuments.find(
		({ uri: open }) => open.toString() === uri.toString(),
	);
	if (!document?.isDirty) {
		return true;
	}
	const question = l10n.t("The file has unsaved edits. Save it to show them in the video.");
	return (await isConfirmed(question, l10n.t("Save"))) && document.save();
}

/** Returns the file's changes. Shows a message if the file isn't in a repository. */
async function diffOf(uri: vscode.Uri, name: string): Promise<string | undefined> {
	// The reasons are for a model; the user gets a general message.
	const diff = await gitFileDiff(uri).catch(() => undefined);
	if (diff === undefined) {
		tell(l10n.t("Git has no changes of {0}: the file is in no repository that is open.", name));
	}
	return diff;
}

/** Asks before sending a change of a file that is excluded or may contain secrets. Closing the prompt declines. */
async function mayBeSent(uri: vscode.Uri, name: string, prompt: string): Promise<boolean> {
	const path = realPath(uri.fsPath) ?? uri.fsPath;
	const secret = secretOf([uri.fsPath, path], prompt);
	const concerns = [
		...(secret === undefined ? [] : [l10n.t("It may contain secrets ({0}).", secret)]),
		...(isExcludedPath(path) ? [l10n.t("Your settings exclude it from files or searches.")] : []),
	];
	if (concerns.length === 0) {
		return true;
	}
	return await isConfirmed(
		l10n.t("Make a clip of the change of {0}?", name),
		l10n.t("Use This Change"),
		[...concerns, l10n.t("The change is sent as the prompt.")].join("\n\n"),
	);
}

function tell(sentence: string): void {
	void vscode.window.showInformationMessage(sentence);
}
