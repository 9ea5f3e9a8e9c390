import { basename, extname } from "node:path";
import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import { tabOf } from "./share/videoInsert.ts";

/** Copies a clip to a location that the user chooses. */
export async function saveClipAs(file: string): Promise<void> {
	const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
	const extension = extname(file).slice(1);
	const target = await vscode.window.showSaveDialog({
		title: l10n.t("Save Video As"),
		saveLabel: l10n.t("Save"),
		filters: { Video: [extension === "" ? "*" : extension] },
		...(folder ? { defaultUri: vscode.Uri.joinPath(folder, basename(file)) } : {}),
	});
	if (target) {
		await copyTo(vscode.Uri.file(file), target);
		void vscode.window.setStatusBarMessage(l10n.t("Saved {0}", basename(target.path)), 5000);
	}
}

/** The dialog has already asked about replacing an existing file. */
async function copyTo(file: vscode.Uri, target: vscode.Uri): Promise<void> {
	const { fs } = vscode.workspace;
	if (target.scheme === file.scheme) {
		await fs.copy(file, target, { overwrite: true });
	} else {
		// In a browser, the file is created when it is chosen; it can be written but not replaced.
		await fs.writeFile(target, await fs.readFile(file));
	}
}

/** Shows a file or folder in the system's file manager, or its path if there is none. */
export async function revealFile(path: string): Promise<void> {
	if (isOnThisMachine()) {
		await vscode.commands.executeCommand("revealFileInOS", vscode.Uri.file(path));
		return;
	}
	// The local file manager can't show a remote machine's disk.
	const choice = await vscode.window.showInformationMessage(
		l10n.t("This is on the machine where Cutaway runs: {0}", path),
		l10n.t("Copy Path"),
	);
	if (choice) {
		await vscode.env.clipboard.writeText(path);
	}
}

function isOnThisMachine(): boolean {
	return vscode.env.remoteName === undefined && vscode.env.uiKind === vscode.UIKind.Desktop;
}

/** Opens a clip in the system's player. Offers to save a remote clip locally first. */
export async function openClipExternally(file: string): Promise<void> {
	if (!isOnThisMachine()) {
		const choice = await vscode.window.showInformationMessage(
			l10n.t("The clip is on the machine where Cutaway runs. Save it on this one to open it here."),
			l10n.t("Save As…"),
		);
		return choice ? await saveClipAs(file) : undefined;
	}
	if (!(await vscode.env.openExternal(vscode.Uri.file(file)))) {
		throw new Error(l10n.t("The system couldn't open the clip. It's kept at {0}.", file));
	}
}

/** Shows the location of a prompt. Shows a document that no longer exists, too. `line` is counted from 1. */
export async function openSource(source: {
	readonly uri: string;
	readonly line: number;
}): Promise<void> {
	try {
		const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(source.uri, true));
		const line = Math.min(source.line, document.lineCount) - 1;
		const start = new vscode.Position(Math.max(0, line), 0);
		const selection = new vscode.Range(start, start);
		// A preview beside the source would otherwise show the document twice.
		await vscode.window.showTextDocument(document, { ...tabOf(document.uri), selection });
	} catch {
		throw new Error(l10n.t("The document this text came from can't be opened."));
	}
}
